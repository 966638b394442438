#include "tests/support/identical.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace splat::test {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

void expect_identical(const Gaussians& a, const Gaussians& b) {
  EXPECT_EQ(a.sh_degree, b.sh_degree);
  EXPECT_TRUE(same_bytes(a.means, b.means)) << "means";
  EXPECT_TRUE(same_bytes(a.log_scales, b.log_scales)) << "log_scales";
  EXPECT_TRUE(same_bytes(a.quats, b.quats)) << "quats";
  EXPECT_TRUE(same_bytes(a.logit_opacities, b.logit_opacities)) << "logit_opacities";
  EXPECT_TRUE(same_bytes(a.sh, b.sh)) << "sh";
}

void expect_identical(const DensifyStatistics& a, const DensifyStatistics& b) {
  EXPECT_TRUE(same_bytes(a.mean2d_gradient_norm, b.mean2d_gradient_norm)) << "mean2d_gradient_norm";
  EXPECT_TRUE(same_bytes(a.visible_count, b.visible_count)) << "visible_count";
  EXPECT_TRUE(same_bytes(a.max_radius_px, b.max_radius_px)) << "max_radius_px";
}

}  // namespace splat::test
