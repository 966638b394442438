// What density control asks by groups of rows is what the plain definitions say of every row and every camera: in any
// order of the rows, with rows at no finite place, on any number of threads.
#include "splat/densify/row_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/core/vectors.h"
#include "splat/densify/moved_out_rows.h"
#include "splat/densify/near_rows.h"
#include "splat/densify/veil_rows.h"
#include "splat/model/pixel.h"
#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::row_parts_test {
namespace {

using Point = std::array<double, 3>;

Point centre_of(const Ellipsoids& model, size_t row) {
  const float* mean = &model.means[3 * row];
  return {mean[0], mean[1], mean[2]};
}

std::vector<uint32_t> views_of(std::span<const View> views, const Ellipsoids& model, size_t row) {
  std::vector<uint32_t> seeing;
  for (uint32_t i = 0; i < views.size(); ++i)
    if (pixel_in_frame(views[i], centre_of(model, row))) seeing.push_back(i);
  return seeing;
}

class RowParts : public testing::TestWithParam<bool> {
 protected:
  std::mt19937 random_{5};
  ThreadPool pool_{3};
};

TEST_P(RowParts, FewViewsAreThoseOfEachRow) {
  for (const double room : {1.0, 8.0}) {
    const std::vector<View> views = test::random_views(random_, 60, room);
    const Gaussians model = test::random_rows(random_, 9000, GetParam());
    const Sights sights(views);
    for (const size_t enough : {2u, 5u}) {
      std::map<size_t, std::vector<uint32_t>> found, wanted;
      for (const RowPart& part : row_parts(model, &pool_))
        FewViews(sights, enough).visit(model, part, [&](size_t row, std::span<const uint32_t> seeing) {
          found[row].assign(seeing.begin(), seeing.end());
        });
      for (size_t row = 0; row < model.size(); ++row) {
        const std::vector<uint32_t> seeing = views_of(views, model, row);
        if (!seeing.empty() && seeing.size() < enough) wanted[row] = seeing;
      }
      EXPECT_GT(wanted.size(), 100u);
      EXPECT_EQ(found, wanted) << "room " << room << ", enough " << enough;
    }
  }
}

TEST_P(RowParts, AFrustumHoldsAllOfACellOrNothingWhereItSaysSo) {
  const std::vector<View> views = test::random_views(random_, 20, 3);
  const Gaussians model = test::random_rows(random_, 30000, GetParam());
  size_t all = 0, none = 0;
  for (const View& view : views)
    for (const RowPart& part : row_parts(model, nullptr))
      for (const RowGroup& group : part.groups) {
        const Frustum::Holds holds = Frustum(view).holds(group.cell);
        const double low = Frustum(view).least_depth(group.cell), high = Frustum(view).largest_depth(group.cell);
        all += holds == Frustum::Holds::kAll, none += holds == Frustum::Holds::kNothing;
        for (size_t row = group.first; row < group.end; ++row) {
          const Point point = centre_of(model, row);
          if (!std::isfinite(point[0] + point[1] + point[2])) continue;
          const auto pixel = pixel_in_frame(view, point);
          EXPECT_TRUE(pixel || holds != Frustum::Holds::kAll);
          EXPECT_TRUE(!pixel || holds != Frustum::Holds::kNothing);
          EXPECT_TRUE(!pixel || (low <= pixel->depth && pixel->depth <= high));
        }
      }
  EXPECT_TRUE(none > 100 || !GetParam()) << none;
  EXPECT_TRUE(all > 100 || !GetParam()) << all;
}

TEST_P(RowParts, NearSightingsAreThoseOfTheDefinition) {
  const std::vector<View> views = test::random_views(random_, 50, 2);
  const Gaussians model = test::random_rows(random_, 6000, GetParam());
  constexpr size_t kMost = 3;
  std::vector<double> middle;
  for (const View& view : views) {
    std::vector<double> depths;
    for (size_t row = 0; row < model.size(); ++row)
      if (const auto pixel = pixel_in_frame(view, centre_of(model, row))) depths.push_back(pixel->depth);
    middle.push_back(median(depths));
  }
  std::vector<std::pair<uint32_t, uint32_t>> wanted, found;
  for (uint32_t row = 0; row < model.size(); ++row) {
    const std::vector<uint32_t> seeing = views_of(views, model, row);
    const auto is_near = [&](uint32_t i) { return pixel_of(views[i], centre_of(model, row))->depth < middle[i]; };
    if (seeing.empty() || seeing.size() > kMost || std::none_of(seeing.begin(), seeing.end(), is_near)) continue;
    for (const uint32_t view : seeing) wanted.emplace_back(row, view);
  }
  for (const Sighting& s : near_sightings(model, views, kMost, &pool_)) found.emplace_back(s.row, s.view);
  EXPECT_GT(wanted.size(), 100u);
  EXPECT_EQ(found, wanted);
}

TEST_P(RowParts, GrowthFallsWithTheDistanceToTheNearestCamera) {
  const std::vector<View> views = test::random_views(random_, 70, 6);
  const Gaussians model = test::random_rows(random_, 5000, GetParam());
  std::vector<double> distance;
  for (size_t row = 0; row < model.size(); ++row) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const View& view : views) {
      const double squared = squared_distance(view.cam_from_world.origin_in_source(), centre_of(model, row));
      if (squared < nearest) nearest = squared;
    }
    distance.push_back(std::sqrt(nearest));
  }
  std::vector<double> ordered = distance;
  const double far = percentile(ordered, 0.4);
  const std::vector<float> growth = growth_by_distance(model, views, 0.4, &pool_);
  for (size_t row = 0; row < model.size(); ++row) {
    const double nearness = std::min(1.0, distance[row] / far);
    EXPECT_NEAR(growth[row], nearness * nearness, 2e-6);
  }
}

TEST_P(RowParts, RowsMoveOutUntilNoCameraIsThatNear) {
  const std::vector<View> views = test::random_views(random_, 40, 8);
  const Gaussians before = test::random_rows(random_, 5000, GetParam());
  Gaussians model = before, alone = before;
  const std::vector<uint32_t> moved = move_rows_out(model, views, 2, &pool_);
  EXPECT_EQ(move_rows_out(alone, views, 2), moved);
  for (size_t i = 0; i < model.means.size(); ++i)
    EXPECT_TRUE(model.means[i] == alone.means[i] || std::isnan(model.means[i]));
  const auto nearest = [&](const Point& point) {
    double squared = std::numeric_limits<double>::infinity();
    for (const View& view : views)
      squared = std::min(squared, squared_distance(view.cam_from_world.origin_in_source(), point));
    return std::sqrt(squared);
  };
  EXPECT_GT(moved.size(), 30u);
  for (uint32_t row = 0; row < model.size(); ++row) {
    const std::vector<uint32_t> seeing = views_of(views, before, row);
    const Point point = centre_of(before, row);
    const bool may_move = seeing.size() == 1;
    const double from =
        may_move ? std::sqrt(squared_distance(views[seeing[0]].cam_from_world.origin_in_source(), point)) : 0;
    EXPECT_EQ(std::binary_search(moved.begin(), moved.end(), row), may_move && 2 * nearest(point) < from) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Order, RowParts, testing::Bool(),
                         [](const auto& info) { return info.param ? "InSpace" : "Random"; });

}  // namespace
}  // namespace splat::row_parts_test
