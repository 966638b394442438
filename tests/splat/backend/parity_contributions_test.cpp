// What splats add to a picture, and its depth: every backend against the reference.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

std::vector<Scene> scenes() {
  std::vector<Scene> all{
      make_scene({.seed = 110}),
      make_scene({.seed = 111, .splats = 700, .width = 70, .height = 50, .max_px = 4}),
      make_scene({.seed = 112, .splats = 150, .min_px = 2, .max_px = 10, .min_opacity = 0.9, .max_opacity = 0.9999}),
      make_scene({.seed = 113, .splats = 60, .min_px = 8, .max_px = 60, .margin = 0.7}),
      make_scene({.seed = 114, .splats = 400, .width = 16, .height = 16, .max_px = 3, .max_opacity = 0.2}),
      make_scene({.seed = 115, .width = 5, .height = 200}),
      make_scene({.seed = 116, .splats = 30, .width = 1, .height = 1}),
      make_scene({.seed = 117, .splats = 0, .width = 33, .height = 15}),
      make_scene({.seed = 118}),
      make_scene({.seed = 119}),
  };
  add_broken_rows(all[8]);
  all[9].view.cam_from_world.translation[0] += 1000;  // nothing is visible
  return all;
}

Contributions contributions_of(Backend& backend, const ContributionSettings& settings) {
  Contributions contributions;
  backend.read_contributions(settings, contributions);
  return contributions;
}

std::vector<float> depth_of(Backend& backend, DepthKind kind) {
  std::vector<float> depth;
  backend.read_depth(kind, depth);
  return depth;
}

// Weights that stand within rounding of the threshold may count or not.
void expect_contributions_match(ReferenceBackend& reference, Backend& tested, const ContributionSettings& settings) {
  const Contributions expected = contributions_of(reference, settings), got = contributions_of(tested, settings);
  constexpr float kBand = 1e-4f;
  const Contributions fewest = contributions_of(reference, {settings.mask, settings.min_weight * (1 + kBand)});
  const Contributions most = contributions_of(reference, {settings.mask, settings.min_weight * (1 - kBand)});
  ASSERT_EQ(got.max_weight.size(), expected.max_weight.size());
  ASSERT_EQ(got.weight_sum.size(), expected.max_weight.size());
  ASSERT_EQ(got.pixel_count.size(), expected.max_weight.size());
  for (size_t i = 0; i < expected.max_weight.size(); ++i) {
    ASSERT_NEAR(got.max_weight[i], expected.max_weight[i], 1e-5) << i;
    ASSERT_NEAR(got.weight_sum[i], expected.weight_sum[i], 1e-5 * std::max(1.0f, expected.weight_sum[i])) << i;
    ASSERT_GE(got.pixel_count[i], fewest.pixel_count[i]) << i;
    ASSERT_LE(got.pixel_count[i], most.pixel_count[i]) << i;
  }
}

// Pixels where the reference stands at no cut-off; of those, one in `every`.
std::vector<uint8_t> settled_pixels(const ReferenceBackend& reference, size_t every) {
  std::vector<uint8_t> mask;
  for (bool at_cut_off : pixels_at_cut_offs(reference))
    mask.push_back(uint8_t(!at_cut_off && mask.size() % every == 0 ? 200 : 0));
  return mask;
}

TEST_P(BackendParity, ContributionsMatch) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(testing::Message() << scene.model.size() << " splats, " << scene.view.camera.width << " px");
    ReferenceBackend reference;
    const auto tested = make();
    draw_both(reference, *tested, scene);
    for (size_t every : {1, 7})
      for (float min_weight : {0.0f, 0.05f})
        expect_contributions_match(reference, *tested, {settled_pixels(reference, every), min_weight});
  }
}

TEST_P(BackendParity, ContributionsAddUpToWhatIsNotBackground) {
  const Scene scene = make_scene({.seed = 120, .splats = 400});
  const auto tested = make();
  tested->upload(scene.model);
  tested->forward(scene.view, scene.settings);
  const Contributions all = contributions_of(*tested, {});
  std::vector<float> final_t;
  tested->read_transmittance(final_t);
  double covered = 0;
  for (float t : final_t) covered += 1 - double(t);
  EXPECT_NEAR(std::accumulate(all.weight_sum.begin(), all.weight_sum.end(), 0.0), covered, 1e-5 * covered);

  const std::vector<uint8_t> everything(final_t.size(), 1), nothing(final_t.size(), 0);
  const Contributions masked = contributions_of(*tested, {everything});
  EXPECT_EQ(masked.max_weight, all.max_weight);
  EXPECT_EQ(masked.weight_sum, all.weight_sum);
  EXPECT_EQ(masked.pixel_count, all.pixel_count);
  const Contributions none = contributions_of(*tested, {nothing});
  EXPECT_EQ(none.weight_sum, std::vector<float>(scene.model.size()));
  EXPECT_EQ(none.pixel_count, std::vector<uint32_t>(scene.model.size()));
}

TEST_P(BackendParity, DepthMatches) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(testing::Message() << scene.model.size() << " splats, " << scene.view.camera.width << " px");
    ReferenceBackend reference;
    const auto tested = make();
    draw_both(reference, *tested, scene);
    const std::vector<uint8_t> settled = settled_pixels(reference, 1);
    const size_t pixels = settled.size();
    for (DepthKind kind : {DepthKind::kMedian, DepthKind::kMean, DepthKind::kMoments}) {
      SCOPED_TRACE(int(kind));
      const std::vector<float> expected = depth_of(reference, kind), got = depth_of(*tested, kind);
      ASSERT_EQ(expected.size(), (kind == DepthKind::kMoments ? 3 : 1) * pixels);
      ASSERT_EQ(got.size(), expected.size());
      size_t ties = 0;
      for (size_t i = 0; i < got.size(); ++i) {
        if (!settled[i % pixels]) continue;
        const bool near = std::abs(got[i] - expected[i]) <= 2e-5 * std::max(1.0f, std::abs(expected[i]));
        if (kind == DepthKind::kMedian && !near)
          ++ties;  // half the light within rounding: the splat before or the one behind
        else
          ASSERT_TRUE(near) << i << ": " << got[i] << " and " << expected[i];
      }
      EXPECT_LE(ties, 1 + pixels / 2000);
    }
  }
}

// Bit for bit where the backend gives the same bytes twice; a GPU adds up gradients in whatever order they come.
TEST_P(BackendParity, ReadingContributionsAndDepthChangesNothing) {
  const Scene scene = make_scene({.seed = 121});
  const auto trained = [&](bool reads) {
    const auto tested = make();
    tested->upload(scene.model);
    for (int iteration = 1; iteration <= 2; ++iteration) {
      tested->forward(turned_view(scene.view, 0.03 * iteration), scene.settings);
      if (reads) contributions_of(*tested, {}), depth_of(*tested, DepthKind::kMedian);
      tested->loss(scene.target, {});
      if (reads) contributions_of(*tested, {}), depth_of(*tested, DepthKind::kMoments);
      tested->backward();
      tested->update({.iteration = iteration});
    }
    Gaussians after;
    tested->download(after);
    return after;
  };
  const Gaussians once = trained(false), again = trained(false), read = trained(true);
  if (once.means == again.means && once.sh == again.sh)
    expect_identical(once, read);
  else
    expect_groups_match(read, once);
}

}  // namespace
}  // namespace splat::test
