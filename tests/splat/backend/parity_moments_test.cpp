// Moments packed as bfloat16 (Backend::pack_moments()): what is rounded how, on every backend, and what becomes of them
// where rows move.
#include <bit>

#include "splat/backend/reference/reference_backend.h"
#include "splat/model/gaussian_rows.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

bool all_packed(const Gaussians& moments) {
  bool packed = true;
  visit_arrays(moments, [&](const char*, const std::vector<float>& values, size_t) {
    for (const float value : values) packed = packed && (std::bit_cast<uint32_t>(value) & 0xffffu) == 0;
  });
  return packed;
}

AdamMoments trained(Backend& backend, const Scene& scene, bool packed, AdamSettings settings = {.seed = 5}) {
  backend.pack_moments(packed);
  backend.upload(scene.model);
  for (settings.iteration = 1; settings.iteration <= 6; ++settings.iteration)
    iterate(backend, scene, turned_view(scene.view, 0.03 * settings.iteration), settings);
  AdamMoments moments;
  backend.download_moments(moments);
  return moments;
}

// By about a 256th each, up and down by the same random bits: what is off by a whole step is rare.
TEST_P(BackendParity, PackedMomentsAreRoundedAlike) {
  const Scene scene = make_scene({.seed = 70});
  ReferenceBackend reference;
  const auto tested = make();
  const AdamMoments expected = trained(reference, scene, true), got = trained(*tested, scene, true);
  const GradientLimits limits{.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3};
  expect_groups_match(got.first, expected.first, limits);
  expect_groups_match(got.second, expected.second, limits);
  EXPECT_TRUE(all_packed(got.first) && all_packed(got.second));
  EXPECT_NE(trained(*tested, scene, true, {.seed = 6}).second.means, got.second.means);
  EXPECT_FALSE(all_packed(trained(*tested, scene, false).second)) << "from the next upload() on";
}

TEST_P(BackendParity, PackedMomentsMoveWithTheirRows) {
  const Scene scene = make_scene({.seed = 71, .splats = 70});
  const auto tested = make();
  const AdamMoments before = trained(*tested, scene, true);
  std::vector<uint32_t> kept;
  for (uint32_t row = 1; row < 70; row += 2) kept.push_back(row);
  tested->keep_rows(kept);
  tested->append_rows(scene.model);
  tested->limit_opacity(0.01f);
  AdamMoments moments;
  tested->download_moments(moments);
  for (const auto& [all, all_before] : {std::pair(&moments.first, &before.first), {&moments.second, &before.second}})
    for (size_t i = 0; i < 105; ++i)
      for (size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(all->quats[4 * i + k], i < 35 ? all_before->quats[4 * kept[i] + k] : 0);
        EXPECT_EQ(all->logit_opacities[i], 0);
      }
  tested->upload_moments(moments);
  AdamMoments again;
  tested->download_moments(again);
  expect_identical(again.first, moments.first);
  expect_identical(again.second, moments.second);
}

}  // namespace
}  // namespace splat::test
