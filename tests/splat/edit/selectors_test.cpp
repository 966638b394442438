// Which rows each selector means.
#include "splat/edit/selectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace splat::edit {
namespace {

// Rows at these centres, all alike else: opacity 0.5, size 1, grey.
Gaussians at(std::vector<float> means) {
  Gaussians model;
  model.resize(means.size() / 3);
  model.means = std::move(means);
  for (size_t row = 0; row < model.size(); ++row) model.quats[4 * row] = 1;
  return model;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Selectors, BoxesMayBeTurnedAndSpheresAreRound) {
  ThreadPool pool(2);
  const Gaussians model = at({0, 0, 0, 1, 1, 1, 1.01f, 0, 0, kNan, 0, 0, 0, 1.3f, 0});
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(rows_in_box(model, box, {}, pool), (RowMask{1, 1, 0, 0, 0}));
  EXPECT_EQ(rows_in_box(model, box, {1, quat_about({0, 0, 1}, 45), {}}, pool), (RowMask{1, 0, 1, 0, 1}));
  EXPECT_EQ(rows_in_sphere(model, {{0, 0, 0}, 1.1}, pool), (RowMask{1, 0, 1, 0, 0}));
}

TEST(Selectors, ValuesOfARow) {
  ThreadPool pool(1);
  Gaussians model = at({0, 0, 0, 0, 0, 0, 0, 0, 0});
  model.logit_opacities = {0, std::log(0.9f / 0.1f), kNan};
  model.log_scales = {std::log(2.0f), std::log(8.0f), 0, 0, 0, -9, kNan, 0, 0};
  EXPECT_EQ(rows_by_value(model, RowValue::kOpacity, 0.4, 0.6, pool), (RowMask{1, 0, 0}));
  EXPECT_EQ(rows_by_value(model, RowValue::kOpacity, 0.6, 1, pool), (RowMask{0, 1, 0}));
  EXPECT_EQ(rows_by_value(model, RowValue::kSize, 7.9, 8.1, pool), (RowMask{1, 0, 0}));
  EXPECT_EQ(rows_by_value(model, RowValue::kElongation, 3.9, 4.1, pool), (RowMask{1, 0, 0}));
  EXPECT_EQ(rows_by_value(model, RowValue::kElongation, 0, 1.1, pool), (RowMask{0, 1, 0})) << "a disc is no needle";
}

TEST(Selectors, ColoursWithinATolerance) {
  ThreadPool pool(1);
  Gaussians model = at({0, 0, 0, 0, 0, 0});
  model.sh[3] = 1;  // red + 0.28
  EXPECT_EQ(rows_by_colour(model, {0.5f, 0.5f, 0.5f}, 0.2f, pool), (RowMask{1, 0}));
  EXPECT_EQ(rows_by_colour(model, {0.78f, 0.5f, 0.5f}, 0.01f, pool), (RowMask{0, 1}));
}

std::string text(const ScreenMask& mask) {
  std::string out;
  for (int y = 0; y < mask.height; ++y, out += '\n')
    for (int x = 0; x < mask.width; ++x) out += mask.pixels[size_t(y * mask.width + x)] ? '#' : '.';
  return out;
}

TEST(Selectors, PolygonsCoverThePixelsWhoseCentresTheyHold) {
  const std::vector<ScreenPoint> rectangle{{1, 1}, {4, 1}, {4, 3}, {1, 3}};
  EXPECT_EQ(text(polygon_mask(6, 4, rectangle)), "......\n.###..\n.###..\n......\n");
  const std::vector<ScreenPoint> triangle{{-10, -10}, {20, -10}, {-10, 20}};
  EXPECT_EQ(text(polygon_mask(6, 4, triangle)), "######\n######\n######\n######\n");
  const std::vector<ScreenPoint> bow_tie{{0, -0.1}, {4, 4.1}, {4, -0.1}, {0, 4.1}};
  EXPECT_EQ(text(polygon_mask(4, 4, bow_tie)), "#..#\n####\n####\n#..#\n");
  EXPECT_EQ(text(polygon_mask(2, 1, {})), "..\n");
}

TEST(Selectors, BrushesLeaveRoundTrails) {
  ScreenMask mask{7, 5, std::vector<uint8_t>(35)};
  add_brush(mask, {1.5, 2.5}, {4.5, 2.5}, 1.1);
  EXPECT_EQ(text(mask), ".......\n.####..\n######.\n.####..\n.......\n");
  add_brush(mask, {-50, 0}, {-50, 9}, 3);  // beside the picture
  add_brush(mask, {6.5, 4.5}, {6.5, 4.5}, 0.1);
  EXPECT_EQ(text(mask), ".......\n.####..\n######.\n.####..\n......#\n");
}

TEST(Selectors, ThroughMeansCentresBehindTheMask) {
  ThreadPool pool(1);
  View view;
  view.camera = {10, 8, 10, 10, 5, 4};
  const Gaussians model = at({0, 0, 2, 0, 0, 200, 0.39f, 0, 1, 0.41f, 0, 1, 0, 0, -2, 0, 0, 0.001f, kNan, 0, 1});
  const std::vector<ScreenPoint> around_the_centre{{3, 3}, {9, 3}, {9, 5}, {3, 5}};
  const ScreenMask mask = polygon_mask(10, 8, around_the_centre);
  EXPECT_EQ(rows_behind_mask(model, view, mask, pool), (RowMask{1, 1, 1, 0, 0, 0, 0}));
}

TEST(Selectors, VisibleMeansWhatIsSeen) {
  const std::vector<float> weights{0, 0.04f, 0.05f, 1};
  EXPECT_EQ(rows_seen(weights, 0.05f), (RowMask{0, 0, 1, 1}));
}

}  // namespace
}  // namespace splat::edit
