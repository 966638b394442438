// Which rows each selector means.
#include "splat/edit/selectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "splat/edit/edited_model.h"
#include "splat/edit/value_histogram.h"
#include "splat/math/sh.h"

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
  Box box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(rows_in_box(model, box, pool), (RowMask{1, 1, 0, 0, 0}));
  box.rotation = quat_about({0, 0, 1}, 45);
  EXPECT_EQ(rows_in_box(model, box, pool), (RowMask{1, 0, 1, 0, 1}));
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

TEST(Selectors, FloodingStopsWhereTheColourChangesOrTheAreaEnds) {
  ImageF picture;
  picture.width = 6, picture.height = 3;
  picture.rgb.assign(3 * 18, 0.5f);
  for (size_t y = 0; y < 3; ++y) picture.rgb[18 + y * 6 + 3] = 0.8f;  // a green wall
  picture.rgb[2 * 18 + 7] = 0.55f;                                    // near enough
  picture.rgb[2 * 18 + 0] = 0.7f;
  const ScreenMask left = flood_mask(picture, 1, 2, 0.1f);
  const std::vector<uint8_t> expected{0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0};
  EXPECT_EQ(left.pixels, expected);
  const ScreenMask wall = flood_mask(picture, 3, 0, 0.1f);
  EXPECT_EQ(std::count(wall.pixels.begin(), wall.pixels.end(), 1), 3);
  const ScreenMask all = flood_mask(picture, 0, 0, 1.0f), none = flood_mask(picture, 6, 0, 1.0f);
  EXPECT_EQ(std::count(all.pixels.begin(), all.pixels.end(), 1), 18);
  EXPECT_EQ(std::count(none.pixels.begin(), none.pixels.end(), 1), 0);
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

TEST(Selectors, EveryValueOfARow) {
  ThreadPool pool(2);
  Gaussians model;
  model.resize(1);
  model.means = {1, -2, 3};
  model.log_scales = {std::log(0.5f), std::log(4.0f), std::log(2.0f)};
  model.logit_opacities = {0};
  model.sh = {float((0.9 - 0.5) / math::kSh0), 0, float((0.2 - 0.5) / math::kSh0)};
  const std::vector<std::pair<RowMeasure, double>> expected{
      {RowValue::kOpacity, 0.5},  {RowValue::kSize, 4},
      {RowValue::kElongation, 2}, {RowValue::kThickness, 0.5},
      {RowValue::kX, 1},          {RowValue::kY, -2},
      {RowValue::kZ, 3},          {{RowValue::kDistance, {1, 1, -1}}, 5},
      {RowValue::kRed, 0.9},      {RowValue::kGreen, 0.5},
      {RowValue::kBlue, 0.2}};
  for (const auto& [measure, value] : expected)
    EXPECT_NEAR(row_values(model, measure, pool)[0], value, 1e-5) << int(measure.value);
}

TEST(Selectors, AContributionIsTheOneThatWasRead) {
  ThreadPool pool(1);
  const Gaussians model = at({0, 0, 2, 0, 0, 3, 0, 0, 4});
  RowMeasure measure = RowValue::kContribution;
  EXPECT_EQ(rows_by_value(model, measure, 0, 1, pool), (RowMask{0, 0, 0})) << "none is known";
  const std::vector<float> weights{0, 0.25f, 1};
  measure.weights = weights;
  EXPECT_EQ(rows_by_value(model, measure, 0, 0.5, pool), (RowMask{1, 1, 0})) << "what is not seen contributes 0";
  const ValueHistogram made = value_histogram(model, std::vector<uint8_t>(3), measure, 4, pool);
  EXPECT_EQ(made.all, (std::vector<size_t>{1, 1, 0, 1}));
  EXPECT_EQ(made.low, 0);
  EXPECT_EQ(made.high, 1);
}

TEST(ValueHistogram, CountsWhatIsShownAndItsRangesSelectWhatTheyCounted) {
  ThreadPool pool(2);
  Gaussians model;
  constexpr size_t kRows = 5000;
  model.resize(kRows);
  for (size_t row = 0; row < kRows; ++row) {
    model.means[3 * row] = float(row);
    for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * row + axis] = -8 + 10 * float(row) / kRows;
  }
  model.means[0] = -1e9f, model.means[3] = std::numeric_limits<float>::quiet_NaN();
  std::vector<uint8_t> states(kRows);
  for (size_t row = 100; row < 200; ++row) states[row] = row < 150 ? kHidden : kDeleted;
  for (size_t row = 1000; row < 2000; ++row) states[row] = kSelected;
  for (const RowValue value : {RowValue::kX, RowValue::kSize}) {
    const ValueHistogram made = value_histogram(model, states, value, 64, pool);
    EXPECT_EQ(made.logarithmic, value == RowValue::kSize);
    const size_t shown = kRows - 100 - (value == RowValue::kX ? 1 : 0);
    EXPECT_EQ(std::accumulate(made.all.begin(), made.all.end(), size_t(0)), shown);
    EXPECT_EQ(std::accumulate(made.selected.begin(), made.selected.end(), size_t(0)), 1000u);
    EXPECT_GT(made.low, value == RowValue::kX ? -10 : 0) << "one row far away does not spoil the range";
    for (const size_t bin : {size_t(0), size_t(30), size_t(63)}) {
      const RowMask mask = rows_by_value(model, value, made.from(bin), made.to(bin), pool);
      size_t selected = 0;
      for (size_t row = 0; row < kRows; ++row) selected += mask[row] && !(states[row] & (kHidden | kDeleted));
      EXPECT_NEAR(double(selected), double(made.all[bin]), 2) << bin;
    }
  }
  EXPECT_TRUE(value_histogram(Gaussians(), {}, RowValue::kX, 64, pool).all.empty());
}

}  // namespace
}  // namespace splat::edit
