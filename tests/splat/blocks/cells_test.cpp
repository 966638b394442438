#include "splat/blocks/cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "splat/blocks/merge.h"
#include "splat/core/random.h"
#include "splat/model/gaussian_rows.h"
#include "tests/support/parity.h"

namespace splat::blocks {
namespace {

// Places in a rectangle, more of them in its left half.
std::vector<Point2> places(size_t count, double width = 8, double height = 3) {
  random::Sequence numbers(5, random::kSplit, 0);
  const auto uniform = [&] { return double(numbers.next()) / 4294967296.0; };
  std::vector<Point2> points;
  for (size_t i = 0; i < count; ++i) points.push_back({width * uniform() * (i % 3 ? 0.5 : 1), height * uniform()});
  return points;
}

TEST(Cells, AreCutAgainWithinTheirBorders) {
  const std::vector<Point2> cameras = places(90);
  const auto cells = cut_into_cells(cameras, 3);
  ASSERT_TRUE(cells.ok());
  for (const Cell& cell : *cells) {
    std::vector<Point2> inside;
    std::copy_if(cameras.begin(), cameras.end(), std::back_inserter(inside),
                 [&](const Point2& p) { return cell.contains(p); });
    const auto halves = cut_into_cells(inside, 2, cell);
    ASSERT_TRUE(halves.ok());
    for (const Point2& p : places(500, 20, 20))
      EXPECT_EQ(halves->at(0).contains(p) + halves->at(1).contains(p), cell.contains(p));
  }
}

TEST(Cells, HaveNearlyAsManyCamerasEach) {
  const std::vector<Point2> cameras = places(397);
  for (const size_t count : {1, 2, 3, 5, 8, 13}) {
    SCOPED_TRACE(count);
    const auto cells = cut_into_cells(cameras, count);
    ASSERT_TRUE(cells.ok());
    ASSERT_EQ(cells->size(), count);
    std::vector<size_t> held(count, 0);
    for (const Point2& camera : cameras) ++held.at(cell_of(*cells, camera));
    const auto [least, most] = std::minmax_element(held.begin(), held.end());
    EXPECT_LE(*most - *least, 4u);
  }
}

TEST(Cells, EveryPointLiesInExactlyOne) {
  const auto cells = cut_into_cells(places(100), 7);
  ASSERT_TRUE(cells.ok());
  std::vector<Point2> points = places(2000, 30, 30);
  for (Point2& p : points) p = {p[0] - 10, p[1] - 10};
  for (const Cell& cell : *cells)  // corners and borders as well
    for (const double x : {cell.low[0], cell.high[0]})
      for (const double y : {cell.low[1], cell.high[1]})
        if (std::isfinite(x) && std::isfinite(y)) points.push_back({x, y});
  for (const Point2& p : points)
    EXPECT_EQ(std::count_if(cells->begin(), cells->end(), [&](const Cell& cell) { return cell.contains(p); }), 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(cell_of(*cells, {nan, 0}), cells->size());
}

TEST(Cells, CamerasInTooFewPlacesCannotBeCut) {
  EXPECT_FALSE(cut_into_cells(std::vector<Point2>(20, {1, 2}), 2).ok());
  EXPECT_FALSE(cut_into_cells(places(3), 4).ok());
  std::vector<Point2> street;  // all in a line across the axis that is tried first
  for (const double y : {0, 1, 2}) street.insert(street.end(), 2, {3, y});
  ASSERT_TRUE(cut_into_cells(street, 3).ok());
  EXPECT_FALSE(cut_into_cells(street, 4).ok());
}

TEST(Cells, WidenedByAShareOfWhatLiesWithinTheScene) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Cell scene{{0, 0}, {10, 4}};
  const Cell wide = widened({{6, -infinity}, {infinity, infinity}}, scene, 0.25);
  EXPECT_DOUBLE_EQ(wide.low[0], 5);
  EXPECT_EQ(wide.high[0], infinity);
  EXPECT_EQ(wide.low[1], -infinity);
}

// A ring of cameras in a plane that is turned in space, longer in one direction.
TEST(Cells, TheGroundLiesAcrossTheMeanUpDirection) {
  Dataset dataset;
  dataset.view_up = {0, -0.6, 0.8};
  const std::array<double, 3> along{1, 0, 0}, across{0, 0.8, 0.6};
  for (int i = 0; i < 16; ++i) {
    DatasetView& view = dataset.views.emplace_back();
    const double a = 9 * std::cos(M_PI * i / 8), b = 4 * std::sin(M_PI * i / 8);
    for (size_t k = 0; k < 3; ++k)
      view.cam_from_world.translation[k] = -(a * along[k] + b * across[k] + 1000 * double(k));
  }
  Dataset with_stray = dataset;
  with_stray.views.push_back(dataset.views.front());
  with_stray.views.back().cam_from_world.translation = {-3e6, 1e6, 2e6};
  EXPECT_EQ(ground_of(with_stray).origin, ground_of(dataset).origin) << "a camera far outside of all others";
  const Ground ground = ground_of(dataset);
  EXPECT_NEAR(std::abs(ground.u[0]), 1, 1e-9);
  EXPECT_NEAR(ground.v[0], 0, 1e-9);
  EXPECT_NEAR(std::abs(ground.v[1]), 0.8, 1e-9);
  const Point2 p = ground.at({3 * ground.u[0], 3 * ground.u[1] + 1000, 3 * ground.u[2] + 2000});
  EXPECT_NEAR(p[0], 3, 1e-9);
  EXPECT_NEAR(p[1], 0, 1e-9);
}

Gaussians scattered(size_t count) {
  Gaussians model;
  model.sh_degree = 0;
  model.resize(count);
  const std::vector<Point2> at = places(count);
  for (size_t i = 0; i < count; ++i) {
    model.means[3 * i] = float(at[i][0]), model.means[3 * i + 1] = float(at[i][1]);
    model.logit_opacities[i] = float(i);
  }
  return model;
}

TEST(OwnedPart, PartsAddUpToTheWhole) {
  const Gaussians model = scattered(500);
  const auto cells = cut_into_cells(places(40), 6);
  ASSERT_TRUE(cells.ok());
  std::vector<float> rows;
  for (const Cell& cell : *cells) {
    const Gaussians part = owned_part(model, {}, cell);
    EXPECT_GT(part.size(), 0u);
    rows.insert(rows.end(), part.logit_opacities.begin(), part.logit_opacities.end());
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, model.logit_opacities);
}

TEST(OwnedPart, DoesNotDependOnTheOrderOfRows) {
  const Gaussians model = scattered(300);
  std::vector<uint32_t> backwards(300);
  std::iota(backwards.rbegin(), backwards.rend(), 0u);
  const Cell cell{{1, 0.5}, {5, 2.5}};
  test::expect_identical(owned_part(model, {}, cell), owned_part(gather_rows(model, backwards), {}, cell));
}

}  // namespace
}  // namespace splat::blocks
