#include "splat/model/box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/model/pixel.h"

namespace splat {

namespace {

using Point = std::array<double, 3>;

constexpr double kUnitTolerance = 1e-6;  // of a rotation's length
constexpr double kNear = 1e-9;           // in front of the camera, as a share of the way to the box

Point product(const math::Mat3<double>& rotation, const Point& p) {
  const math::Vec3<double> turned = rotation * math::Vec3<double>{p[0], p[1], p[2]};
  return {turned.x, turned.y, turned.z};
}

math::Quat<double> reversed(const math::Quat<double>& q) { return {q.w, -q.x, -q.y, -q.z}; }

double length_of(const math::Quat<double>& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

// From a camera into the box's own axes.
struct Rays {
  Point origin, forward, right, down;  // a pixel's ray is forward + u right + v down

  Rays(const Box& box, const View& view) : origin(box.unturned(view.cam_from_world.origin_in_source())) {
    const auto& r = view.cam_from_world.rotation;
    right = box.unturned_direction({r[0], r[1], r[2]});
    down = box.unturned_direction({r[3], r[4], r[5]});
    forward = box.unturned_direction({r[6], r[7], r[8]});
  }
  bool meets(const Box& box, double u, double v) const {
    double enter = 0, leave = std::numeric_limits<double>::infinity();
    for (size_t c = 0; c < 3; ++c) {
      const double along = forward[c] + u * right[c] + v * down[c];
      if (along == 0) {
        if (origin[c] < box.low[c] || origin[c] > box.high[c]) return false;
        continue;
      }
      const double a = (box.low[c] - origin[c]) / along, b = (box.high[c] - origin[c]) / along;
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
  }
};

// The pixels around the projected corners; all where one lies behind the camera.
struct Frame {
  int left = 0, right = 0, top = 0, bottom = 0;  // px, right and bottom beyond

  Frame(const Box& box, const View& view) {
    const PinholeCamera& c = view.camera;
    double low[2] = {double(c.width), double(c.height)}, high[2] = {0, 0};
    const double scale = box.distance(view.cam_from_world.origin_in_source());
    for (const Point& corner : box.corners()) {
      const auto at = pixel_of(view, corner);
      if (!at || !(at->depth > kNear * scale)) {
        right = c.width, bottom = c.height;
        return;
      }
      const double pixel[2] = {at->x, at->y};
      for (int i = 0; i < 2; ++i) low[i] = std::min(low[i], pixel[i]), high[i] = std::max(high[i], pixel[i]);
    }
    left = int(std::clamp(std::floor(low[0]) - 1, 0.0, double(c.width)));
    top = int(std::clamp(std::floor(low[1]) - 1, 0.0, double(c.height)));
    right = int(std::clamp(std::ceil(high[0]) + 1, double(left), double(c.width)));
    bottom = int(std::clamp(std::ceil(high[1]) + 1, double(top), double(c.height)));
  }
};

}  // namespace

bool Box::empty() const {
  for (size_t c = 0; c < 3; ++c)
    if (!(high[c] > low[c])) return true;
  return false;
}

Point Box::centre() const {
  return {low[0] + (high[0] - low[0]) / 2, low[1] + (high[1] - low[1]) / 2, low[2] + (high[2] - low[2]) / 2};
}

Point Box::half() const { return {(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2}; }

Point Box::unturned_direction(const Point& direction) const {
  return turned() ? product(math::rotation_from_quat(reversed(rotation)), direction) : direction;
}

Point Box::unturned(const Point& point) const {
  if (!turned()) return point;
  const Point middle = centre();
  Point at = unturned_direction({point[0] - middle[0], point[1] - middle[1], point[2] - middle[2]});
  for (size_t c = 0; c < 3; ++c) at[c] += middle[c];
  return at;
}

bool Box::contains(const Point& point) const {
  const Point at = unturned(point);
  for (size_t c = 0; c < 3; ++c)
    if (!(at[c] >= low[c] && at[c] <= high[c])) return false;
  return true;
}

double Box::distance(const Point& point) const {
  const Point at = unturned(point);
  double squared = 0;
  for (size_t c = 0; c < 3; ++c) {
    const double beside = std::max({low[c] - at[c], 0.0, at[c] - high[c]});
    squared += beside * beside;
  }
  return std::sqrt(squared);
}

std::array<Point, 8> Box::corners() const {
  const Point middle = centre(), sides = half();
  const math::Mat3<double> turn = math::rotation_from_quat(rotation);
  std::array<Point, 8> corners;
  for (size_t i = 0; i < corners.size(); ++i) {
    Point away;
    for (size_t c = 0; c < 3; ++c) away[c] = i >> c & 1 ? sides[c] : -sides[c];
    corners[i] = product(turn, away);
    for (size_t c = 0; c < 3; ++c) corners[i][c] += middle[c];
  }
  return corners;
}

bool operator==(const Box& a, const Box& b) {
  return a.low == b.low && a.high == b.high && a.rotation.w == b.rotation.w && a.rotation.x == b.rotation.x &&
         a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z;
}

Box box_about(const Point& centre, const Point& half, const math::Quat<double>& rotation) {
  Box box{centre, centre, rotation};
  for (size_t c = 0; c < 3; ++c) box.low[c] -= half[c], box.high[c] += half[c];
  return box;
}

math::Quat<double> unit_quat(const math::Quat<double>& q) {
  constexpr double kRounding = 1e-12;
  const double length = length_of(q);
  if (!(length > 0) || !std::isfinite(length) || std::abs(length - 1) < kRounding) return q;
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

bool is_usable(const Box& box) {
  for (size_t c = 0; c < 3; ++c)
    if (!std::isfinite(box.low[c]) || !std::isfinite(box.high[c]) || !std::isfinite(box.high[c] - box.low[c]))
      return false;
  return !box.empty() && std::abs(length_of(box.rotation) - 1) < kUnitTolerance;
}

std::vector<PixelRun> pixels_that_meet(const Box& box, const View& view) {
  const PinholeCamera& c = view.camera;
  std::vector<PixelRun> runs(size_t(c.height));
  const Rays rays(box, view);
  const Frame frame(box, view);
  for (int y = frame.top; y < frame.bottom; ++y) {
    const double v = (y + 0.5 - double(c.cy)) / double(c.fy);
    const auto meets = [&](int x) { return rays.meets(box, (x + 0.5 - double(c.cx)) / double(c.fx), v); };
    PixelRun& run = runs[size_t(y)];
    run = {frame.left, frame.right};
    while (run.begin < run.end && !meets(run.begin)) ++run.begin;
    while (run.end > run.begin && !meets(run.end - 1)) --run.end;
  }
  return runs;
}

bool sees(const std::vector<PixelRun>& pixels) {
  return std::any_of(pixels.begin(), pixels.end(), [](const PixelRun& run) { return run.end > run.begin; });
}

}  // namespace splat
