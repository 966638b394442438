#include "viewer/draw/depth_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "splat/math/activation.h"
#include "splat/math/constants.h"
#include "splat/math/project.h"
#include "splat/math/tile_bounds.h"
#include "splat/model/near_scale.h"
#include "tests/support/synthetic_scene.h"
#include "viewer/camera/camera_state.h"

namespace viewer {
namespace {

using splat::test::Scene;

Scene scene_of(int splats) {
  splat::test::SceneOptions options;
  options.splats = splats;
  options.width = 640, options.height = 400;
  options.sh_degree = 0;
  options.margin = 1;
  options.max_px = 60;
  return make_scene(options);
}

double depth_of(const splat::View& view, const splat::Gaussians& model, size_t i) {
  const float* m = &model.means[i * 3];
  return (view.cam_from_world * std::array<double, 3>{m[0], m[1], m[2]})[2];
}

std::vector<uint32_t> order_of(const Scene& scene, int threads) {
  splat::ThreadPool pool(threads);
  DepthScratch scratch;
  std::vector<uint32_t> order;
  sort_by_depth(centres_and_radii(scene.model, pool), scene.view, pool, scratch, order);
  return order;
}

TEST(DepthOrder, IsTheOrderOfStdSortUpToTheKeysResolution) {
  const Scene scene = scene_of(20000);
  const std::vector<uint32_t> order = order_of(scene, 2);
  ASSERT_GT(order.size(), 3000u);
  std::vector<uint32_t> exact = order;
  std::sort(exact.begin(), exact.end(), [&](uint32_t a, uint32_t b) {
    return depth_of(scene.view, scene.model, a) > depth_of(scene.view, scene.model, b);
  });
  double span = depth_of(scene.view, scene.model, exact.front()) / depth_of(scene.view, scene.model, exact.back());
  const double step = std::log2(span) / 65535;  // of log2(depth); its piecewise linear form is at most 1.5 as coarse
  size_t same = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const double a = depth_of(scene.view, scene.model, order[i]), b = depth_of(scene.view, scene.model, exact[i]);
    ASSERT_LE(std::abs(std::log2(a / b)), 2 * step) << i;
    same += order[i] == exact[i];
  }
  EXPECT_GT(same, order.size() * 8 / 10);
}

TEST(DepthOrder, HoldsEverySplatThatTheEngineDraws) {
  const Scene scene = scene_of(20000);
  std::vector<uint32_t> order = order_of(scene, 2);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
  EXPECT_LT(order.size(), scene.model.size() / 2) << "what is out of sight is left out";
  const auto params = splat::math::make_view_params<float>(scene.view);
  size_t drawn = 0;
  for (uint32_t i = 0; i < scene.model.size(); ++i) {
    const float* m = &scene.model.means[i * 3];
    const float* s = &scene.model.log_scales[i * 3];
    const float* q = &scene.model.quats[i * 4];
    const auto p = splat::math::project<float>(params, {m[0], m[1], m[2]}, {q[0], q[1], q[2], q[3]},
                                               {std::exp(s[0]), std::exp(s[1]), std::exp(s[2])});
    const float t = 2 * std::log(255 * splat::math::sigmoid(scene.model.logit_opacities[i]));
    const float x = std::sqrt(t * p.covariance.xx), y = std::sqrt(t * p.covariance.yy);
    const bool touches = p.valid && t > 0 && p.mean_px.x + x > 0 && p.mean_px.x - x < 640 && p.mean_px.y + y > 0 &&
                         p.mean_px.y - y < 400;
    drawn += touches;
    ASSERT_TRUE(!touches || std::binary_search(order.begin(), order.end(), i)) << i;
  }
  EXPECT_GT(drawn, 1000u);
}

TEST(DepthOrder, OfASmallSceneIsThatOfALargeOneWithANearerNearPlane) {
  const Scene scene = scene_of(5000);
  const std::vector<uint32_t> large = order_of(scene, 1);
  const Scene small{splat::enlarged(scene.model, 0x1p-16), splat::enlarged(scene.view, 0x1p-16), {}, {}};
  EXPECT_TRUE(order_of(small, 1).empty());
  splat::ThreadPool pool(2);
  DepthScratch scratch;
  std::vector<uint32_t> order;
  const float near_plane = float(splat::math::kNearPlane) * 0x1p-16f;
  sort_by_depth(centres_and_radii(small.model, pool), {small.view, near_plane}, pool, scratch, order);
  EXPECT_NEAR(double(order.size()), double(large.size()), 3);
}

TEST(DepthOrder, DoesNotDependOnThreads) {
  const Scene scene = scene_of(30011);
  const std::vector<uint32_t> one = order_of(scene, 1);
  EXPECT_EQ(one, order_of(scene, 2));
  EXPECT_EQ(one, order_of(scene, 5));
}

TEST(DepthOrder, LeavesOutWhatIsNotFiniteOrAllButTransparent) {
  Scene scene = scene_of(50);
  const std::vector<uint32_t> broken = add_broken_rows(scene);
  std::vector<uint32_t> order = order_of(scene, 1);
  for (uint32_t i : order) {
    EXPECT_TRUE(std::isfinite(depth_of(scene.view, scene.model, i)));
    EXPECT_GE(splat::math::sigmoid(scene.model.logit_opacities[i]), float(splat::math::kAlphaMin));
  }
  splat::Gaussians none;
  scene.model = none;
  EXPECT_TRUE(order_of(scene, 2).empty());
}

const DepthOrder* wait_for_order(DepthSorter& sorter, const splat::View& view) {
  for (int i = 0; i < 2000; ++i) {
    const DepthOrder* order = sorter.newest();
    if (order && same_view(order->view, view)) return order;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

TEST(DepthSorter, SortsTheNewestViewInTheBackground) {
  const Scene scene = scene_of(20000);
  splat::ThreadPool pool(1);
  DepthSorter sorter(2);
  EXPECT_EQ(sorter.newest(), nullptr);
  sorter.set_splats(7, centres_and_radii(scene.model, pool));
  splat::View view = scene.view;
  for (int i = 0; i < 50; ++i) {
    view = splat::test::turned_view(view, 0.001);
    sorter.request(view);
    sorter.newest();
  }
  const DepthOrder* order = wait_for_order(sorter, view);
  ASSERT_NE(order, nullptr);
  EXPECT_EQ(order->model, 7u);
  Scene turned = scene;
  turned.view = view;
  EXPECT_EQ(order->indices, order_of(turned, 1));
}

TEST(DepthSorter, DoesNotSortAgainForTheSameView) {
  const Scene scene = scene_of(1000);
  splat::ThreadPool pool(1);
  DepthSorter sorter(1);
  std::atomic<int> sorted{0};
  sorter.set_waker([&] { ++sorted; });
  sorter.set_splats(1, centres_and_radii(scene.model, pool));
  for (int i = 0; i < 5; ++i) {
    sorter.request(scene.view);
    ASSERT_NE(wait_for_order(sorter, scene.view), nullptr);
  }
  EXPECT_EQ(sorted, 1);
}

TEST(DepthSorter, ANewModelForgetsTheOldOrder) {
  const Scene scene = scene_of(1000), other = scene_of(500);
  splat::ThreadPool pool(1);
  DepthSorter sorter(1);
  sorter.set_splats(1, centres_and_radii(scene.model, pool));
  sorter.request(scene.view);
  ASSERT_NE(wait_for_order(sorter, scene.view), nullptr);
  sorter.set_splats(2, centres_and_radii(other.model, pool));
  EXPECT_EQ(sorter.newest(), nullptr);
  sorter.request(scene.view);
  const DepthOrder* order = wait_for_order(sorter, scene.view);
  ASSERT_NE(order, nullptr);
  EXPECT_EQ(order->model, 2u);
  for (uint32_t i : order->indices) ASSERT_LT(i, 500u);
}

TEST(DepthSorter, ChangedRowsAreSortedAnewAndTheOldOrderServesUntilThen) {
  const Scene scene = scene_of(1000);
  Scene fewer = scene;
  fewer.model.resize(600);
  splat::ThreadPool pool(1);
  DepthSorter sorter(1);
  sorter.set_splats(1, centres_and_radii(scene.model, pool));
  sorter.request(scene.view);
  ASSERT_NE(wait_for_order(sorter, scene.view), nullptr);
  sorter.change_splats([](std::vector<float>& rows) { rows.resize(rows.size() / 2); });
  sorter.change_splats([](std::vector<float>& rows) { rows.resize(4 * 600); });  // after that one
  ASSERT_NE(sorter.newest(), nullptr);
  EXPECT_EQ(sorter.newest()->changes, 0u);
  EXPECT_EQ(sorter.changes(), 2u);
  sorter.change_splats([&](std::vector<float>& rows) { rows = centres_and_radii(fewer.model, pool); });
  sorter.request(scene.view);
  for (int i = 0; i < 2000 && sorter.newest()->changes != sorter.changes(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(sorter.newest()->indices, order_of(fewer, 1));
}

TEST(DepthSorter, MovingRowsAreSortedWhereTheyAreShown) {
  const Scene scene = scene_of(1000);
  splat::ThreadPool pool(1);
  const splat::Similarity by{1, {1, 0, 0, 0}, {0.5, 0, 2}};
  std::vector<uint8_t> moving(1000);
  Scene moved = scene;
  for (size_t row = 0; row < 1000; row += 2) {
    moving[row] = 1;
    moved.model.means[3 * row] += 0.5f, moved.model.means[3 * row + 2] += 2;
  }
  DepthSorter sorter(1);
  sorter.set_splats(1, centres_and_radii(scene.model, pool));
  sorter.set_moving(moving);
  sorter.request(scene.view, by);
  const DepthOrder* order = wait_for_order(sorter, scene.view);
  ASSERT_NE(order, nullptr);
  EXPECT_TRUE(order->moved == by);
  EXPECT_EQ(order->indices, order_of(moved, 1));
  sorter.request(scene.view);
  for (int i = 0; i < 2000 && !sorter.newest()->moved.is_identity(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(sorter.newest()->indices, order_of(scene, 1)) << "the rows themselves are where they were";
}

TEST(DepthSorter, NeverMakesTheCallerWait) {
  const Scene scene = scene_of(1);
  constexpr size_t kSplats = 2'000'000;
  std::vector<float> rows(kSplats * 4, 0.01f);
  DepthSorter sorter(2);
  sorter.set_splats(1, std::move(rows));
  double longest = 0;
  splat::View view = scene.view;
  for (int i = 0; i < 200; ++i) {
    view = splat::test::turned_view(view, 0.01);
    const auto start = std::chrono::steady_clock::now();
    sorter.request(view);
    sorter.newest();
    longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LT(longest, 0.1);
}

}  // namespace
}  // namespace viewer
