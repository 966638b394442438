#include "tests/quality/town/town.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/parallel.h"
#include "splat/model/image.h"
#include "splat/model/transform.h"

namespace town {
namespace {

namespace fs = std::filesystem;

constexpr double kWidth = 16, kDepth = 8;      // of the town
constexpr double kFocal = 0.8;                 // of a photo's width
constexpr double kFlight = 3.2, kPitch = 0.8;  // height above the ground; radians down from level
constexpr int kSamples = 2;                    // a pixel's side
constexpr size_t kPoints = 24'000;

struct House {
  Point low, high;
  Point colour;
};

double uniform(std::mt19937_64& random) { return double(random() >> 11) * 0x1p-53; }

const std::vector<House>& houses() {
  static const std::vector<House> all = [] {
    std::mt19937_64 random(12);
    std::vector<House> made;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 4; ++j) {
        const double x = 2 * i + 0.35 + 0.3 * uniform(random), y = 2 * j + 0.35 + 0.3 * uniform(random);
        const double width = 0.7 + 0.5 * uniform(random), depth = 0.7 + 0.5 * uniform(random);
        const double height = 0.4 + 1.1 * uniform(random);
        made.push_back({{x, y, 0},
                        {x + width, y + depth, height},
                        {0.35 + 0.5 * uniform(random), 0.35 + 0.5 * uniform(random), 0.35 + 0.5 * uniform(random)}});
      }
    return made;
  }();
  return all;
}

double lattice(int64_t x, int64_t y, int64_t z) {
  uint64_t h =
      uint64_t(x) * 0x9E3779B97F4A7C15u ^ uint64_t(y) * 0xC2B2AE3D27D4EB4Fu ^ uint64_t(z) * 0x165667B19E3779F9u;
  h ^= h >> 29, h *= 0xBF58476D1CE4E5B9u, h ^= h >> 32, h *= 0x94D049BB133111EBu, h ^= h >> 29;
  return double(h >> 11) * 0x1p-53;
}

// Smooth between the corners of a lattice, [0,1].
double noise(const Point& p) {
  int64_t cell[3];
  double t[3];
  for (size_t k = 0; k < 3; ++k) {
    cell[k] = int64_t(std::floor(p[k]));
    const double f = p[k] - double(cell[k]);
    t[k] = f * f * (3 - 2 * f);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    for (int k = 0; k < 3; ++k) weight *= corner >> k & 1 ? t[k] : 1 - t[k];
    sum += weight * lattice(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2 & 1));
  }
  return sum;
}

// `normal`: the axis that the surface faces.
Point painted(const Point& base, const Point& at, int normal) {
  const double grain =
      0.6 * noise({3 * at[0], 3 * at[1], 3 * at[2]}) + 0.4 * noise({11 * at[0], 11 * at[1], 11 * at[2]});
  const auto wave = [&](size_t axis, double f) { return at[axis] * f - std::floor(at[axis] * f) < 0.45; };
  const bool window = normal != 2 && wave(2, 3) && wave(normal == 0 ? 1 : 0, 4);
  const double light = (normal == 2 ? 1.0 : normal == 0 ? 0.75 : 0.6) * (window ? 0.4 : 1) * (0.6 + 0.7 * grain);
  Point colour;
  for (size_t c = 0; c < 3; ++c) colour[c] = std::clamp(base[c] * light, 0.0, 1.0);
  return colour;
}

Point ground(const Point& at) {
  const bool street = at[0] - 2 * std::floor(at[0] / 2) < 0.3 || at[1] - 2 * std::floor(at[1] / 2) < 0.3;
  return painted(street ? Point{0.45, 0.45, 0.48} : Point{0.35, 0.6, 0.3}, at, 2);
}

struct Hit {
  double along = 1e30;
  int axis = -1;  // that the surface faces; -1: none
};

Hit hit_box(const House& house, const Point& from, const Point& direction) {
  Hit near{0, -1};
  double far = 1e30;
  for (int k = 0; k < 3; ++k) {
    const size_t i = size_t(k);
    double a = (house.low[i] - from[i]) / direction[i], b = (house.high[i] - from[i]) / direction[i];
    if (a > b) std::swap(a, b);
    if (a > near.along) near = {a, k};
    far = std::min(far, b);
  }
  return near.axis >= 0 && near.along < far ? near : Hit{};
}

Point point_at(const Point& from, const Point& direction, double along) {
  Point p;
  for (size_t k = 0; k < 3; ++k) p[k] = from[k] + along * direction[k];
  return p;
}

bool in_town(const Point& p) { return p[0] > -1 && p[0] < kWidth + 1 && p[1] > -1 && p[1] < kDepth + 1; }

splat::Rigid3 pose_at(const Point& centre, double heading) {
  const Point z{std::cos(kPitch) * std::cos(heading), std::cos(kPitch) * std::sin(heading), -std::sin(kPitch)};
  const Point x{std::sin(heading), -std::cos(heading), 0};
  const Point down{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  splat::Rigid3 pose;
  for (size_t k = 0; k < 3; ++k) pose.rotation[k] = x[k], pose.rotation[3 + k] = down[k], pose.rotation[6 + k] = z[k];
  const Point turned = pose * centre;
  pose.translation = {-turned[0], -turned[1], -turned[2]};
  return pose;
}

splat::Image8 draw(const Photo& photo, const Options& options, splat::ThreadPool& pool) {
  const size_t width = size_t(options.width), height = size_t(options.height);
  splat::Image8 image{options.width, options.height, 3, std::vector<uint8_t>(3 * width * height)};
  const Point from = photo.cam_from_world.origin_in_source();
  const auto& r = photo.cam_from_world.rotation;
  pool.for_each(height, [&](size_t row, int) {
    for (size_t column = 0; column < width; ++column) {
      Point sum{};
      for (int s = 0; s < kSamples * kSamples; ++s) {
        const int across = s % kSamples, down = s / kSamples;
        const double x = double(column) + (across + 0.5) / kSamples, y = double(row) + (down + 0.5) / kSamples;
        const double u = (x - 0.5 * double(width)) / (kFocal * double(width));
        const double v = (y - 0.5 * double(height)) / (kFocal * double(width));
        Point direction;
        for (size_t k = 0; k < 3; ++k) direction[k] = r[k] * u + r[3 + k] * v + r[6 + k];
        const Point colour = colour_along(from, direction);
        for (size_t c = 0; c < 3; ++c) sum[c] += colour[c] / (kSamples * kSamples);
      }
      for (size_t c = 0; c < 3; ++c)
        image.pixels[3 * (row * width + column) + c] =
            uint8_t(std::lround(255 * std::clamp(photo.gain[c] * sum[c], 0.0, 1.0)));
    }
  });
  return image;
}

std::vector<std::pair<Point, Point>> points_and_colours() {
  std::mt19937_64 random(7);
  std::vector<std::pair<Point, Point>> points;
  while (points.size() < kPoints) {  // where rays from above, slanted, meet something
    const Point from{kWidth * uniform(random), kDepth * uniform(random), 4};
    const Point direction{uniform(random) - 0.5, uniform(random) - 0.5, -1};
    Hit first{-from[2] / direction[2], 2};
    for (const House& house : houses())
      if (const Hit hit = hit_box(house, from, direction); hit.along < first.along) first = hit;
    const Point p = point_at(from, direction, first.along);
    if (in_town(p)) points.emplace_back(p, colour_along(from, direction));
  }
  return points;
}

std::string model_points(const Options& options) {
  std::string text;
  size_t number = 0;
  for (const auto& [p, colour] : points_and_colours())
    text += fmt::format("{} {} {} {} {} {} {} 0.5\n", ++number, p[0] + options.offset[0], p[1] + options.offset[1],
                        p[2] + options.offset[2], std::lround(255 * colour[0]), std::lround(255 * colour[1]),
                        std::lround(255 * colour[2]));
  return text;
}

}  // namespace

Point colour_along(const Point& from, const Point& direction) {
  Hit first;
  const House* met = nullptr;
  for (const House& house : houses())
    if (const Hit hit = hit_box(house, from, direction); hit.along < first.along) first = hit, met = &house;
  const double to_ground = direction[2] < 0 ? -from[2] / direction[2] : 1e30;
  if (met && first.along < to_ground) return painted(met->colour, point_at(from, direction, first.along), first.axis);
  const Point p = point_at(from, direction, to_ground);
  if (to_ground < 1e30 && in_town(p)) return ground(p);
  return {0, 0, 0};
}

std::vector<Photo> photos_of(const Options& options) {
  std::mt19937_64 random(3);
  const int lanes = std::max(2, int(std::lround(std::sqrt(options.cameras / 2.5))));
  const int a_lane = (options.cameras + lanes - 1) / lanes;
  std::vector<Photo> photos;
  for (int i = 0; i < options.cameras; ++i) {
    const int lane = i / a_lane, step = lane % 2 ? a_lane - 1 - i % a_lane : i % a_lane;
    const Point centre{kWidth * (step + 0.5) / a_lane, kDepth * (lane + 0.5) / lanes, kFlight + 0.4 * uniform(random)};
    Photo& photo = photos.emplace_back();
    photo.name = fmt::format("photo_{:04}.png", i);
    photo.cam_from_world = pose_at(centre, M_PI / 2 * (i % 4) + 0.5 * uniform(random));
    const double stops = 0.2 * (uniform(random) - 0.5);
    if (!options.dusk) continue;
    const bool east = options.dusk_in_the_east && centre[0] > kWidth / 2;
    const Point light = (i % 4 == 3) != east ? Point{0.45, 0.5, 0.62} : Point{0.9, 0.9, 0.9};
    for (size_t c = 0; c < 3; ++c) photo.gain[c] = light[c] * std::exp2(stops);
  }
  return photos;
}

splat::Status write_town(const fs::path& folder, const Options& options) {
  const fs::path sparse = folder / "sparse" / "0";
  std::error_code code;
  fs::create_directories(folder / "images", code);
  fs::create_directories(sparse, code);
  splat::ThreadPool pool;
  std::string images;
  int number = 0;
  for (const Photo& photo : photos_of(options)) {
    SPLAT_TRY(io::write_file_atomically(folder / "images" / photo.name, io::encode_png(draw(photo, options, pool))));
    const auto q = splat::quat_from_rotation(photo.cam_from_world.rotation);
    Point centre = photo.cam_from_world.origin_in_source();
    for (size_t k = 0; k < 3; ++k) centre[k] += options.offset[k];
    splat::Rigid3 turn = photo.cam_from_world;
    turn.translation = {0, 0, 0};
    const Point t = turn * centre;
    images +=
        fmt::format("{} {} {} {} {} {} {} {} 1 {}\n\n", ++number, q.w, q.x, q.y, q.z, -t[0], -t[1], -t[2], photo.name);
  }
  const double focal = kFocal * options.width;
  SPLAT_TRY(io::write_file_atomically(
      sparse / "cameras.txt", fmt::format("1 PINHOLE {} {} {} {} {} {}\n", options.width, options.height, focal, focal,
                                          0.5 * options.width, 0.5 * options.height)));
  SPLAT_TRY(io::write_file_atomically(sparse / "points3D.txt", model_points(options)));
  return io::write_file_atomically(sparse / "images.txt", images);
}

}  // namespace town
