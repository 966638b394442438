// The CPU backend's order of rows: along the Morton curve, which its memory accesses gain by.
#include <gtest/gtest.h>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

TEST(RowOrder, SortedRowsFollowTheMortonCurve) {
  const Gaussians model = make_scene({.seed = 5, .splats = 5000}).model;
  auto made = make_cpu_backend({.threads = 2});
  ASSERT_TRUE(made);
  const std::unique_ptr<CpuBackend> backend = std::move(made).value();
  backend->upload(model);
  backend->sort_rows_in_space();
  Gaussians sorted;
  backend->download(sorted);
  expect_identical(sorted, gather_rows(model, morton_order(model.means)));
  EXPECT_NE(sorted.means, model.means);
}

}  // namespace
}  // namespace splat::test
