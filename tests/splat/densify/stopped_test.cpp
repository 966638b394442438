// What density control asks of all rows ends soon where it is asked to.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "splat/core/random.h"
#include "splat/densify/moved_out_rows.h"
#include "splat/densify/near_rows.h"
#include "splat/densify/path_rows.h"
#include "splat/densify/veil_rows.h"
#include "tests/splat/densify/cameras_and_rows.h"

namespace splat {
namespace {

using Clock = std::chrono::steady_clock;

// Half a million rows in no order, so that bounds are of no use, and with cameras enough for seconds of work.
struct LargeScene {
  std::vector<View> views;
  Gaussians model;

  LargeScene() {
    for (int i = 0; i < 4000; ++i) views.push_back(test::camera_at(float(i % 50), float(i) / 50, i % 2 == 0));
    random::Sequence numbers(1, random::kRandomInit);
    model.sh_degree = 0;
    model.resize(500000);
    for (float& x : model.means) x = 300 * numbers.uniform() - 150;
  }
};

// Seconds from the question to the end.
double seconds_to_stop(const std::function<void(ThreadPool& pool)>& work) {
  ThreadPool pool(2);
  std::atomic<bool> stop{false};
  const StopAsked asked = [&] { return stop.load(); };
  const ThreadPool::Stoppable stoppable(pool, asked);
  Clock::time_point since;
  std::thread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    since = Clock::now();
    stop = true;
  });
  EXPECT_THROW(work(pool), Stopped);
  asks.join();
  return std::chrono::duration<double>(Clock::now() - since).count();
}

TEST(StoppedDensityControl, OfALargeModelTakesLessThanHalfASecond) {
  LargeScene scene;
  Gaussians& model = scene.model;
  EXPECT_LT(seconds_to_stop([&](ThreadPool& pool) { move_rows_out(model, scene.views, 3, &pool); }), 0.5);
  EXPECT_LT(seconds_to_stop([&](ThreadPool& pool) { rows_in_paths(model, scene.views, 3, &pool); }), 0.5);
  EXPECT_LT(seconds_to_stop([&](ThreadPool& pool) { growth_by_distance(model, scene.views, 0.1, &pool); }), 0.5);
  EXPECT_LT(seconds_to_stop([&](ThreadPool& pool) { near_sightings(model, scene.views, 8, &pool); }), 0.5);
}

}  // namespace
}  // namespace splat
