#include "tests/quality/shapes/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"
#include "splat/model/transform.h"

namespace shapes {
namespace {

namespace fs = std::filesystem;

constexpr double kDistance = 3.6, kFocal = 1.1;  // of the middle; of the width
constexpr int kSamples = 2;                      // a pixel's side
constexpr size_t kPoints = 4000;

splat::Rigid3 pose_of(int index, int views) {
  const double y = 1 - 2 * (index + 0.5) / views, angle = 2.399963229728653 * index, r = std::sqrt(1 - y * y);
  const Point z{-r * std::cos(angle), -y, -r * std::sin(angle)};
  Point x{z[2], 0, -z[0]};  // level: no view looks straight up or down
  const double length = norm(x);
  for (double& v : x) v /= length;
  const Point down{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  splat::Rigid3 pose;
  for (size_t k = 0; k < 3; ++k) pose.rotation[k] = x[k], pose.rotation[3 + k] = down[k], pose.rotation[6 + k] = z[k];
  pose.translation = {0, 0, kDistance};
  return pose;
}

// Black where the ray meets nothing.
Point colour_along(const Shape& shape, const Point& from, const Point& direction) {
  double along = kDistance - 2;
  for (int step = 0; step < 300 && along < kDistance + 2; ++step) {
    Point p;
    for (size_t k = 0; k < 3; ++k) p[k] = from[k] + along * direction[k];
    const double d = shape.distance(p);
    if (d < 1e-6) return painted(shape, p);
    along += d;
  }
  return {0, 0, 0};
}

splat::Image8 photo_of(const Shape& shape, const splat::Rigid3& pose, int size, splat::ThreadPool& pool) {
  splat::Image8 image{size, size, 3, std::vector<uint8_t>(3 * size_t(size) * size_t(size))};
  const Point from = pose.origin_in_source();
  pool.for_each(size_t(size), [&](size_t row, int) {
    for (int column = 0; column < size; ++column) {
      Point sum{};
      for (int s = 0; s < kSamples * kSamples; ++s) {
        const int sample_row = s / kSamples;
        const double u = (column + (s % kSamples + 0.5) / kSamples - 0.5 * size) / (kFocal * size),
                     v = (double(row) + (double(sample_row) + 0.5) / kSamples - 0.5 * size) / (kFocal * size);
        const double length = std::sqrt(u * u + v * v + 1);
        Point direction;
        for (size_t k = 0; k < 3; ++k)
          direction[k] = (pose.rotation[k] * u + pose.rotation[3 + k] * v + pose.rotation[6 + k]) / length;
        const Point colour = colour_along(shape, from, direction);
        for (size_t c = 0; c < 3; ++c) sum[c] += colour[c];
      }
      for (size_t c = 0; c < 3; ++c)
        image.pixels[3 * (row * size_t(size) + size_t(column)) + c] =
            uint8_t(std::lround(255 * sum[c] / (kSamples * kSamples)));
    }
  });
  return image;
}

}  // namespace

splat::Status write_scene(const Shape& shape, const fs::path& folder, int views, int size) {
  const fs::path sparse = folder / "sparse" / "0";
  std::error_code code;
  fs::create_directories(folder / "images", code);
  fs::create_directories(sparse, code);
  splat::ThreadPool pool;
  std::string images;
  for (int i = 0; i < views; ++i) {
    const splat::Rigid3 pose = pose_of(i, views);
    const std::string name = fmt::format("view_{:03}.png", i);
    const std::string bytes = io::encode_png(photo_of(shape, pose, size, pool));
    if (auto status = io::write_file_atomically(folder / "images" / name, bytes); !status) return status;
    const auto q = splat::quat_from_rotation(pose.rotation);
    images += fmt::format("{} {} {} {} {} {} {} {} 1 {}\n\n", i + 1, q.w, q.x, q.y, q.z, pose.translation[0],
                          pose.translation[1], pose.translation[2], name);
  }
  std::string points;
  size_t number = 0;
  for (const Point& p : points_on(shape, kPoints)) {
    const Point colour = painted(shape, p);
    points += fmt::format("{} {} {} {} {} {} {} 0.5\n", ++number, p[0], p[1], p[2], std::lround(255 * colour[0]),
                          std::lround(255 * colour[1]), std::lround(255 * colour[2]));
  }
  const std::string cameras = fmt::format("1 PINHOLE {0} {0} {1} {1} {2} {2}\n", size, kFocal * size, 0.5 * size);
  if (auto status = io::write_file_atomically(sparse / "cameras.txt", cameras); !status) return status;
  if (auto status = io::write_file_atomically(sparse / "points3D.txt", points); !status) return status;
  return io::write_file_atomically(sparse / "images.txt", images);
}

}  // namespace shapes
