// Density control on every backend: the rows that it names are those that the host names, and they are the same bits.
#include <cstring>
#include <random>

#include "splat/densify/judged_rows.h"
#include "splat/densify/path_rows.h"
#include "splat/model/gaussian_rows.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::test {
namespace {

constexpr size_t kRows = 900;  // the last group is not full

struct DensityScene {
  std::vector<View> views;
  Gaussians model;
  DensifyStatistics statistics;
};

// Scores have few values, so that many are equal; a quarter of the rows was seen by no view.
DensityScene density_scene(bool in_order) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  DensityScene scene{random_views(random, 70, 5), random_rows(random, kRows, in_order), {}};
  for (size_t row = 0; row < kRows; ++row) {
    for (size_t axis = 0; axis < 3; ++axis) scene.model.log_scales[3 * row + axis] = uniform(random);
    scene.model.quats[4 * row] = 1;
    scene.model.logit_opacities[row] = 5 * uniform(random);
    scene.statistics.mean2d_gradient_norm.push_back(float(random() % 8));
    scene.statistics.visible_count.push_back(uint32_t(random() % 4));
    scene.statistics.max_radius_px.push_back(1);
  }
  return scene;
}

void expect_same_rows(const Ellipsoids& a, const Ellipsoids& b) {
  const auto same = [](const char* name, const std::vector<float>& x, const std::vector<float>& y, size_t) {
    ASSERT_EQ(x.size(), y.size()) << name;
    EXPECT_TRUE(x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0) << name;
  };
  visit_arrays(a, same, b);
}

struct Asked {
  double nearer, near_share;
  float least_logit;
  size_t most;
  bool no_views = false;
};
constexpr Asked kAsked[] = {
    {3, 0.1, -3, kRows},              // the number there is
    {2, 0.4, -3, kRows + 100},        // and more
    {3, 0.1, -3, kRows / 2},          // none is cut
    {3, 0, -100, 10 * kRows},         // all are cut that can be
    {0, 0.4, -3, kRows},              // none moves
    {3, 1, 100, kRows},               // all are removed
    {3, 0.4, -3, kRows + 100, true},  // no cameras
};

// The device's and the host's; returns the host's.
RowVerdicts expect_same_verdicts(Backend& backend, const RowRules& rules) {
  const RowVerdicts here = judged_rows_here(backend, rules, {}), there = judged_rows(backend, rules, {});
  EXPECT_EQ(there.moved, here.moved);
  EXPECT_EQ(there.removed, here.removed);
  EXPECT_EQ(there.parents, here.parents);
  expect_same_rows(there.moved_rows, here.moved_rows);
  expect_same_rows(there.parent_rows, here.parent_rows);
  return here;
}

TEST_P(BackendParity, DensityControlNamesTheRowsThatTheHostNames) {
  for (const bool in_order : {true, false}) {
    const DensityScene scene = density_scene(in_order);
    for (const Asked& asked : kAsked) {
      const std::vector<View> views = asked.no_views ? std::vector<View>() : scene.views;
      const CameraPaths ways(views);
      const RowRules rules{views,     asked.nearer, ways.paths, ways.around, asked.near_share, asked.least_logit,
                           asked.most};
      const std::unique_ptr<Backend> backend = make();
      backend->upload(scene.model);
      backend->write_statistics(scene.statistics);
      const RowVerdicts here = expect_same_verdicts(*backend, rules);
      if (&asked != &kAsked[1]) continue;
      EXPECT_GT(here.moved.size(), 10u);
      EXPECT_GT(here.removed.size(), kRows / 10);
      EXPECT_GT(here.parents.size(), 100u);
      Gaussians after;
      backend->download(after);
      expect_same_rows(after, scene.model);
    }
  }
}

// Where many rows have no finite position, the farthest of the others decides.
TEST_P(BackendParity, DensityControlWithRowsThatAreNowhere) {
  DensityScene scene = density_scene(true);
  for (size_t row = 200; row < kRows; ++row) scene.model.means[3 * row + row % 3] = std::nanf("");
  for (const size_t somewhere : {200u, 0u}) {
    if (somewhere == 0)
      for (size_t row = 0; row < 200; ++row) scene.model.means[3 * row] = std::nanf("");
    const CameraPaths ways(scene.views);
    const RowRules rules{scene.views, 3, ways.paths, ways.around, 0.5, -3, kRows};
    const std::unique_ptr<Backend> backend = make();
    backend->upload(scene.model);
    backend->write_statistics(scene.statistics);
    expect_same_verdicts(*backend, rules);
  }
}

}  // namespace
}  // namespace splat::test
