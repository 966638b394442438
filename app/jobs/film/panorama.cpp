#include "app/jobs/film/panorama.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/math/equirectangular.h"

namespace app {

using Vector = splat::math::Vec3<double>;

namespace {

constexpr double kLeastAhead = 0.45;  // a corner of a square has 0.459

struct Axes {
  Vector x, y, z;  // of a square's camera, in the frame of the camera
};
constexpr Axes kFaces[6] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},   {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
                            {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
                            {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},  {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};

// How much a square counts by one of its two tangents: 1 within, 0 at its edge. Across an edge the neighbour's tangent
// is the inverse. Mostly straight, so that no step is steep, and rounded as far as that allows.
double weight_at(double tangent) {
  const double part = std::clamp((kFaceReach - std::abs(tangent)) / (kFaceReach - 1 / kFaceReach), 0.0, 1.0);
  return part * (0.6 + 0.4 * part * (3 - 2 * part));
}

struct Place {
  size_t corner = 0;          // of the four pixels, the top left
  float right = 0, down = 0;  // parts
};

Place place_of(double u, double v, int side) {
  const double focal = side / (2 * kFaceReach), last = side - 1.001;
  const double x = std::clamp(side / 2. + focal * u - 0.5, 0.0, last);
  const double y = std::clamp(side / 2. + focal * v - 0.5, 0.0, last);
  return {size_t(y) * size_t(side) + size_t(x), float(x - std::floor(x)), float(y - std::floor(y))};
}

float value_at(const float* plane, const Place& at, size_t side) {
  const float* p = plane + at.corner;
  const float above = p[0] + at.right * (p[1] - p[0]), below = p[side] + at.right * (p[side + 1] - p[side]);
  return above + at.down * (below - above);
}

}  // namespace

int face_side(int panorama_width) {
  constexpr double kFiner = 1.2;  // for what interpolation blurs
  return int(std::ceil(kFiner * kFaceReach * panorama_width / std::numbers::pi / 2)) * 2;
}

splat::View face_view(const splat::Rigid3& pose, int face, int side) {
  const Axes& axes = kFaces[face];
  splat::View view;
  const float focal = float(side / (2 * kFaceReach)), middle = float(side) / 2;
  view.camera = {side, side, focal, focal, middle, middle};
  for (size_t row = 0; row < 3; ++row) {
    const Vector& axis = row == 0 ? axes.x : row == 1 ? axes.y : axes.z;
    for (size_t c = 0; c < 3; ++c)
      view.cam_from_world.rotation[3 * row + c] =
          axis.x * pose.rotation[c] + axis.y * pose.rotation[3 + c] + axis.z * pose.rotation[6 + c];
    view.cam_from_world.translation[row] =
        axis.x * pose.translation[0] + axis.y * pose.translation[1] + axis.z * pose.translation[2];
  }
  return view;
}

void resample(const Panorama& shape, const std::array<splat::ImageF, 6>& faces, std::vector<float>& panorama,
              splat::ThreadPool& pool) {
  const size_t width = size_t(shape.width), height = size_t(shape.height), side = size_t(shape.side);
  panorama.assign(size_t(shape.planes) * width * height, 0.0f);
  const Vector from{shape.from[0], shape.from[1], shape.from[2]};
  const bool moved = dot(from, from) > 0;
  const auto pixel = [&](size_t x, size_t y) {
    Vector ray =
        splat::math::ray_from_equirectangular((double(x) + 0.5) / double(width), (double(y) + 0.5) / double(height));
    if (moved) ray = ray - from, ray = (1 / std::sqrt(dot(ray, ray))) * ray;
    double sum = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (size_t face = 0; face < 6; ++face) {
        const Axes& axes = kFaces[face];
        const double ahead = dot(axes.z, ray);
        if (ahead < kLeastAhead) continue;
        const double u = dot(axes.x, ray) / ahead, v = dot(axes.y, ray) / ahead;
        const double weight = weight_at(u) * weight_at(v);
        if (pass == 0) sum += weight;
        if (pass == 0 || !(weight > 0)) continue;
        const Place at = place_of(u, v, shape.side);
        for (size_t plane = 0; plane < size_t(shape.planes); ++plane)
          panorama[(plane * height + y) * width + x] +=
              float(weight / sum) * value_at(faces[face].rgb.data() + plane * side * side, at, side);
      }
  };
  pool.for_chunks(height, 8, [&](size_t begin, size_t end, int) {
    for (size_t y = begin; y < end; ++y)
      for (size_t x = 0; x < width; ++x) pixel(x, y);
  });
}

}  // namespace app
