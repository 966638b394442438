// What matching photos is predicted to hold, against what it holds, counted by standing in for operator new.
#include <gtest/gtest.h>

#include "splat/stereo/matched_points.h"
#include "tests/splat/stereo/textured_wall.h"
#include "tests/support/counted_memory.h"
#include "tests/support/tiny_dataset.h"

namespace splat::stereo {
namespace {

// Photos of the wall beside each other, `times` as large as those of textured_wall.h.
splat::test::TinyDataset wall(int photos, int times) {
  splat::test::TinyDataset wall;
  for (int i = 0; i < photos; ++i) {
    View at = test::camera_at(-1 + 2.0 * i / photos);
    PinholeCamera& c = at.camera;
    c = {c.width * times,     c.height * times,    c.fx * float(times),
         c.fy * float(times), c.cx * float(times), c.cy * float(times)};
    DatasetView view;
    view.camera = c;
    view.cam_from_world = at.cam_from_world;
    wall.dataset.views.push_back(view);
    wall.images.photos.push_back(test::photo_of(at));
  }
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      for (const double value : {-1.6 + 0.2 * column, -1.2 + 0.33 * row, 4.0})
        wall.dataset.points.xyz.push_back(float(value));
  wall.dataset.points.rgb.assign(wall.dataset.points.xyz.size(), 100);
  return wall;
}

TEST(MatchingMemory, IsPredicted) {
  for (const auto& [photos, times, threads] : {std::array{40, 2, 1}, {24, 3, 2}}) {
    splat::test::TinyDataset scene = wall(photos, times);
    const MatchSettings settings{100, 256, 100000};
    ThreadPool pool(threads);
    PointCloud points;
    const size_t held = splat::test::peak_of([&] {
      auto found = matched_points(scene.dataset, scene.images, settings, pool);
      ASSERT_TRUE(found.ok());
      points = std::move(*found);
    });
    EXPECT_GT(points.size(), 1000u);
    const double predicted = double(matching_bytes(scene.dataset, settings, threads));
    EXPECT_NEAR(predicted / double(held), 1, 0.1) << held;
  }
}

TEST(MatchingMemory, OfNothingIsNothing) {
  splat::test::TinyDataset scene = wall(4, 1);
  EXPECT_GT(matching_bytes(scene.dataset, {}, 1), 0u);
  EXPECT_GT(matching_bytes(scene.dataset, {}, 2), matching_bytes(scene.dataset, {}, 1));
  EXPECT_EQ(matching_bytes(scene.dataset, {0, 256, 1000}, 1), 0u);
  scene.dataset.points = {};
  EXPECT_GT(matching_bytes(scene.dataset, {}, 1), 0u) << "places are guessed then";
}

}  // namespace
}  // namespace splat::stereo
