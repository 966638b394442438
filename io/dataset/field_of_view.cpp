#include "io/dataset/field_of_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "splat/model/camera_models.h"

namespace io {

namespace {

constexpr double kWidestDeg = 170, kNarrowestDeg = 3.2;  // of any lens for photos; 600 mm has 3.4
constexpr double kShortestShare = 0.1, kSame = 0.05;
constexpr int kFewestPixels = 16;

double angle_deg(double focal, double side) { return 2 * std::atan2(0.5 * side, focal) * 180 / std::numbers::pi; }

struct Sides {
  size_t focals = 0;
  std::array<double, 2> of{};  // what each focal length is measured against
};

Sides sides_of(const splat::SourceCamera& camera) {
  const double width = camera.width, height = camera.height;
  const size_t focals = camera_model_info(camera.model).focal_lengths();
  if (focals == 2) return {2, {width, height}};
  return {focals, {std::max(width, height), 0}};
}

bool is_too_wide(double focal, double side) { return angle_deg(focal, side) > kWidestDeg; }

// 0.25 where the centre is that of a picture of half the sides; 0: of none.
double place_of_centre(const splat::SourceCamera& camera, size_t focals) {
  const double x = camera.params[focals] / camera.width, y = camera.params[focals + 1] / camera.height;
  return x > 0 && std::abs(x - y) < 0.01 * x ? x : 0;
}

}  // namespace

bool take_shares_of_sides(splat::SourceCamera& camera) {
  const auto [focals, sides] = sides_of(camera);
  const double width = camera.width, height = camera.height;
  if (focals == 0 || std::min(camera.width, camera.height) < kFewestPixels) return false;
  for (size_t i = 0; i < focals; ++i)
    if (!is_too_wide(camera.params[i], sides[i]) || camera.params[i] < kShortestShare) return false;
  std::array<double, 2> focal{camera.params[0] * sides[0], camera.params[focals - 1] * sides[focals - 1]};
  if (std::abs(focal[0] - focal[1]) > kSame * focal[0]) {
    if (std::abs(camera.params[0] - camera.params[1]) > kSame * camera.params[0]) return false;
    for (size_t i = 0; i < 2; ++i) focal[i] = camera.params[i] * std::max(width, height);
  }
  std::array<double, 2> centre{camera.params[focals], camera.params[focals + 1]};
  for (size_t i = 0; i < 2; ++i) {
    if (!(centre[i] > 0 && centre[i] < 1)) return false;
    centre[i] *= i == 0 ? width : height;
  }
  std::copy_n(focal.begin(), focals, camera.params.begin());
  std::copy_n(centre.begin(), 2, camera.params.begin() + ptrdiff_t(focals));
  return true;
}

splat::Status check_field_of_view(const splat::SourceCamera& camera) {
  const auto [focals, sides] = sides_of(camera);
  for (size_t i = 0; i < focals; ++i) {
    if (!is_too_wide(camera.params[i], sides[i])) continue;
    std::ostringstream text;
    text << "a focal length of " << camera.params[i] << " px in a picture of " << camera.width << 'x' << camera.height
         << " is a field of view of " << std::lround(angle_deg(camera.params[i], sides[i]))
         << " degrees, which no lens has: give it in pixels, not in millimetres or widths";
    return splat::Error{text.str()};
  }
  return {};
}

std::string doubt_of_camera(const splat::SourceCamera& camera) {
  const auto [focals, sides] = sides_of(camera);
  std::ostringstream text;
  for (size_t i = 0; i < focals; ++i)
    if (const double angle = angle_deg(camera.params[i], sides[i]);
        angle < kNarrowestDeg && sides[i] >= kFewestPixels) {
      text.precision(3);
      text << "a focal length of " << camera.params[i] << " px is a field of view of " << angle
           << " degrees, which hardly any lens has: it should be in pixels of a picture of " << camera.width << 'x'
           << camera.height;
      return text.str();
    }
  if (focals == 0) return {};
  const double x = camera.params[focals], y = camera.params[focals + 1];
  const double place = place_of_centre(camera, focals);
  const bool outside = x < 0 || y < 0 || x > camera.width || y > camera.height;
  constexpr double kLeft = 0.4, kRight = 0.6;  // shares of a side, between which a centre is the picture's own
  if (!outside && (place == 0 || (place > kLeft && place < kRight))) return {};
  text << "the centre (cx, cy) " << x << ", " << y << " is " << (outside ? "outside" : "far from the middle")
       << " of the picture of " << camera.width << 'x' << camera.height;
  if (place > 0)
    text << ": focal length and centre look like those of a picture of " << std::lround(2 * x) << 'x'
         << std::lround(2 * y) << "; give that as the camera's size";
  return text.str();
}

}  // namespace io
