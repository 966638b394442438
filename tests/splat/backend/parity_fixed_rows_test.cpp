// Rows that are drawn and never change, on every backend: whatever is done to all rows leaves them as they are, and
// does to the others what it does where no row is fixed.
#include <algorithm>
#include <set>
#include <vector>

#include "splat/model/gaussian_rows.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

constexpr size_t kSplats = 101;
constexpr size_t kFixed[] = {0, 5, 16, 37,
                             kSplats};  // none, within a block of storage, at its end, in a later one, all

struct Part {
  Gaussians model;
  AdamMoments moments;
};

Part rows_of(const Backend& backend, size_t first, size_t count) {
  Part part;
  backend.download_rows(first, count, part.model);
  backend.download_moment_rows(first, count, part.moments);
  return part;
}

// The first rows are those of the scene, and were never stepped.
void expect_untouched(const Backend& backend, const Scene& scene, size_t fixed) {
  std::vector<uint32_t> rows(fixed);
  for (uint32_t i = 0; i < fixed; ++i) rows[i] = i;
  const Part part = rows_of(backend, 0, fixed);
  expect_identical(part.model, gather_rows(scene.model, rows));
  for (const Gaussians* moments : {&part.moments.first, &part.moments.second})
    visit_arrays(*moments, [](const char* name, const std::vector<float>& values, size_t) {
      EXPECT_EQ(values, std::vector<float>(values.size(), 0.0f)) << name;
    });
}

TEST_P(BackendParity, FixedRowsAreDrawnAndNotStepped) {
  const Scene scene = make_scene({.seed = 90, .splats = int(kSplats)});
  const AdamSettings settings{.opacity_regularizer = 0.01f, .scale_regularizer = 0.01f};
  const auto free = make();
  free->upload(scene.model);
  iterate(*free, scene, scene.view, settings);
  for (const size_t fixed : kFixed) {
    SCOPED_TRACE(fixed);
    ReferenceBackend reference;
    const auto tested = make();
    for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()}) {
      backend->upload(scene.model);
      backend->fix_rows(fixed);
      iterate(*backend, scene, scene.view, settings);
      expect_untouched(*backend, scene, fixed);
    }
    const Part stepped = rows_of(*tested, fixed, kSplats - fixed), expected = rows_of(*free, fixed, kSplats - fixed);
    if (fixed < kSplats) expect_groups_match(stepped.moments.first, expected.moments.first, {.signed_bias = 1e-4});
    for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()})
      backend->forward(scene.view, scene.settings);
    expect_pictures_match(reference, *tested, {.interior = 1e-4});
  }
}

TEST_P(BackendParity, WhatChangesAllRowsLeavesFixedOnes) {
  Scene scene = make_scene({.seed = 91, .splats = int(kSplats)});
  for (size_t i = 0; i < kSplats; i += 3) scene.model.logit_opacities[i] = -5.5f;  // which noise moves
  const auto free = make();
  for (const size_t fixed : kFixed) {
    SCOPED_TRACE(fixed);
    const auto tested = make();
    for (Backend* backend : {free.get(), tested.get()}) backend->upload(scene.model);
    tested->fix_rows(fixed);
    for (Backend* backend : {free.get(), tested.get()}) {
      backend->add_noise({.strength = 3, .seed = 5, .iteration = 70});
      backend->lower_opacity(0.1f, 0.01f);
      backend->limit_opacity(0.4f);
    }
    expect_untouched(*tested, scene, fixed);
    expect_identical(rows_of(*tested, fixed, kSplats - fixed).model, rows_of(*free, fixed, kSplats - fixed).model);
  }
}

TEST_P(BackendParity, FixedRowsStayWhereTheyAre) {
  const Scene scene = make_scene({.seed = 92, .splats = int(kSplats)});
  for (const size_t fixed : kFixed) {
    SCOPED_TRACE(fixed);
    const auto tested = make();
    tested->upload(scene.model);
    tested->fix_rows(fixed);
    tested->sort_rows_in_space();
    expect_untouched(*tested, scene, fixed);
    const std::vector<float>& before = scene.model.logit_opacities;
    const std::vector<float> after = rows_of(*tested, fixed, kSplats - fixed).model.logit_opacities;
    EXPECT_EQ(std::multiset<float>(after.begin(), after.end()),
              std::multiset<float>(before.begin() + std::ptrdiff_t(fixed), before.end()));
    std::vector<uint32_t> kept;
    for (uint32_t row = 0; row < kSplats; ++row)
      if (row < fixed || row % 2 == 0) kept.push_back(row);
    tested->keep_and_copy_rows(kept, std::vector<uint32_t>{0, 100}, rows_of(*tested, 0, 2).model);
    tested->append_rows(make_scene({.seed = 93, .splats = 20}).model);
    iterate(*tested, scene, scene.view, {});
    expect_untouched(*tested, scene, fixed);
    tested->upload(scene.model);  // a new model has no fixed rows
    iterate(*tested, scene, scene.view, {});
    EXPECT_NE(rows_of(*tested, 0, 1).model.logit_opacities[0], before[0]);
  }
}

}  // namespace
}  // namespace splat::test
