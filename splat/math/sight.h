// Where places of the world lie for the views of a scene, asked of every row by density control, on the host and in
// kernels. Both get the same bits: products and sums of doubles, which neither of them fuses, and no quotients. Cells
// say it of all places in them at once; what rounding does to a place is within their slack.
#pragma once

#include <cstdint>
#include <limits>

#include "splat/math/vec.h"

namespace splat::math {

// A view as far as places are asked for.
template <class F>
struct Sight {
  Mat3<F> rotation;     // cam_from_world
  Vec3<F> translation;  // cam_from_world
  Vec3<F> centre;       // of the camera, in the world
  F fx, fy, cx, cy;     // px
  F width, height;      // px
};

// What a Sight and a ViewParams (project.h) have in common, from a splat::View (a template, so that this header stands
// on vec.h alone).
template <class F, class Params, class View>
inline void set_pinhole(Params& p, const View& view) {
  const auto& camera = view.camera;
  const auto& pose = view.cam_from_world;
  const auto centre = pose.origin_in_source();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) p.rotation.m[r][c] = F(pose.rotation[3 * r + c]);
  p.translation = {F(pose.translation[0]), F(pose.translation[1]), F(pose.translation[2])};
  p.centre = {F(centre[0]), F(centre[1]), F(centre[2])};
  p.fx = F(camera.fx), p.fy = F(camera.fy), p.cx = F(camera.cx), p.cy = F(camera.cy);
  p.width = F(camera.width), p.height = F(camera.height);
}
template <class F, class View>
inline Sight<F> make_sight(const View& view) {
  Sight<F> s;
  set_pinhole<F>(s, view);
  return s;
}

// In the camera's frame, without fused steps.
template <class F>
SPLAT_INLINE Vec3<F> seen_from(const Sight<F>& s, const Vec3<F>& place) {
  const auto row = [&](int r, F t) {
    return t + s.rotation.m[r][0] * place.x + s.rotation.m[r][1] * place.y + s.rotation.m[r][2] * place.z;
  };
  return {row(0, s.translation.x), row(1, s.translation.y), row(2, s.translation.z)};
}

// As pixel_in_frame() (model/pixel.h), but for rounding at the frame's sides. x and y are pixels times depth.
template <class F>
SPLAT_INLINE Mask<F> is_in_frame(const Sight<F>& s, const Vec3<F>& place) {
  const Vec3<F> q = seen_from(s, place);
  const F x = s.fx * q.x + s.cx * q.z, y = s.fy * q.y + s.cy * q.z;
  return (q.z > F(0)) & (x >= F(0)) & (y >= F(0)) & (x < s.width * q.z) & (y < s.height * q.z);
}

template <class F>
SPLAT_INLINE F squared_distance(const Vec3<F>& a, const Vec3<F>& b) {
  const Vec3<F> d = a - b;
  return d.x * d.x + d.y * d.y + d.z * d.z;
}

// ---- cells

inline constexpr double kPlaceSlack = 1e-12;  // more than what rounding does, as a share of what a sum is made of

// A box along the axes of the world.
template <class F>
struct Cell {
  F middle[3]{}, half[3]{};

  SPLAT_HD bool meets(const Cell& other) const {
    bool apart = false;
    for (int axis = 0; axis < 3; ++axis)
      apart = apart || abs(middle[axis] - other.middle[axis]) > half[axis] + other.half[axis];
    return !apart;
  }
  SPLAT_HD F least_squared_distance(const Vec3<F>& place) const { return squared_distance_beyond(place, -1); }
  SPLAT_HD F largest_squared_distance(const Vec3<F>& place) const { return squared_distance_beyond(place, 1); }

 private:
  SPLAT_HD F squared_distance_beyond(const Vec3<F>& place, int side) const {
    const F at[3] = {place.x, place.y, place.z};
    F sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const F away = max(abs(at[axis] - middle[axis]) + F(side) * half[axis], F(0));
      sum += away * away;
    }
    return sum;
  }
};

template <class F>
SPLAT_INLINE Cell<F> cell_between(const float low[3], const float high[3]) {
  Cell<F> cell;
  for (int axis = 0; axis < 3; ++axis) {
    cell.middle[axis] = (F(low[axis]) + F(high[axis])) * F(0.5);
    cell.half[axis] = (F(high[axis]) - F(low[axis])) * F(0.5);
  }
  return cell;
}

// What a view has in its frame, asked for whole cells.
template <class F>
class Frustum {
 public:
  enum class Holds { kNothing, kSome, kAll };  // kSome: perhaps

  // x >= 0 of a pixel, times its depth, is fx X + cx Z >= 0 in the camera's frame; the other sides likewise.
  template <class View>
  explicit Frustum(const View& view) {
    const Sight<F> s = make_sight<F>(view);
    const F sides[5][3] = {
        {0, 0, 1}, {s.fx, 0, s.cx}, {-s.fx, 0, s.width - s.cx}, {0, s.fy, s.cy}, {0, -s.fy, s.height - s.cy}};
    const F translation[3] = {s.translation.x, s.translation.y, s.translation.z};
    for (int i = 0; i < 5; ++i) {
      planes_[i] = {{0, 0, 0}, 0};
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) planes_[i].normal[c] += sides[i][r] * s.rotation.m[r][c];
        planes_[i].offset += sides[i][r] * translation[r];
      }
    }
  }
  SPLAT_HD Holds holds(const Cell<F>& cell) const {
    Holds holds = Holds::kAll;
    for (const Plane& plane : planes_) {
      const Reach r = reach(plane, cell);
      if (r.at + r.reach < -r.slack) return Holds::kNothing;
      if (!(r.at - r.reach > r.slack)) holds = Holds::kSome;
    }
    return holds;
  }
  // Along the view's axis; that of no place in the cell is beyond.
  F least_depth(const Cell<F>& cell) const {
    const Reach r = reach(planes_[0], cell);
    return r.at - r.reach - r.slack;
  }
  F largest_depth(const Cell<F>& cell) const {
    const Reach r = reach(planes_[0], cell);
    return r.at + r.reach + r.slack;
  }

 private:
  struct Plane {
    F normal[3];  // into the frame
    F offset;
  };
  struct Reach {
    F at, reach, slack;  // of the cell's middle, of the cell to either side, and what rounding may do
  };
  static SPLAT_HD Reach reach(const Plane& plane, const Cell<F>& cell) {
    Reach r{plane.offset, 0, abs(plane.offset)};
    for (int axis = 0; axis < 3; ++axis) {
      const F term = plane.normal[axis] * cell.middle[axis];
      r.at += term;
      r.reach += abs(plane.normal[axis]) * cell.half[axis];
      r.slack += abs(term);
    }
    r.slack = F(kPlaceSlack) * (r.slack + r.reach);
    return r;
  }
  Plane planes_[5];  // the first at right angles to the axis
};

// A limit of squared distances with what rounding may do to them.
template <class F>
SPLAT_INLINE F with_slack(F squared) {
  return squared * F(1 + kPlaceSlack);
}

// ---- rows

SPLAT_INLINE Vec3<double> place_of(const Vec3<float>& mean) { return {mean.x, mean.y, mean.z}; }
SPLAT_INLINE bool is_somewhere(const Vec3<float>& mean) {  // neither infinite nor NaN
  return mean.x - mean.x == 0 && mean.y - mean.y == 0 && mean.z - mean.z == 0;
}

// The way from a camera to another, and what is beside it.
template <class F>
struct Path {
  Vec3<F> from, to;
  F inverse_squared_length, squared_radius;

  SPLAT_HD bool holds(const Vec3<F>& place) const {
    const Vec3<F> away = place - from, way = to - from;
    const F along = (away.x * way.x + away.y * way.y + away.z * way.z) * inverse_squared_length;
    return along > 0 && along < 1 && squared_distance(from + along * way, place) < squared_radius;
  }
};

// How many times farther from `from` a place has to lie so that no camera is `nearer` times nearer to it than that; 1:
// it may stay. Few places ask.
template <class F>
SPLAT_HD F times_farther(const Sight<F>* views, uint32_t count, const Vec3<F>& from, const Vec3<F>& place, F nearer) {
  constexpr double kStep = 1.1;      // between the distances that are tried
  constexpr double kFarthest = 1e3;  // times the distance that a place had
  for (F times = 1; times < F(kFarthest); times *= F(kStep)) {
    const Vec3<F> p = from + times * (place - from);
    const F limit = squared_distance(from, p);
    bool before_another = false;
    for (uint32_t i = 0; i < count && !before_another; ++i)
      before_another = nearer * nearer * squared_distance(views[i].centre, p) < limit;
    if (!before_another) return times;
  }
  return 1;
}

template <class F>
SPLAT_INLINE Vec3<float> moved_out(const Vec3<F>& from, const Vec3<F>& place, F times) {
  const Vec3<F> p = from + times * (place - from);
  return {float(p.x), float(p.y), float(p.z)};
}

// Whether a camera that has the place in frame is less than `nearer` times as far away as the nearest one. Likewise.
template <class F>
SPLAT_HD bool is_seen_close_by(const Sight<F>* views, uint32_t count, const Vec3<F>& place, F nearer) {
  F nearest = std::numeric_limits<F>::infinity(), nearest_seeing = nearest;
  for (uint32_t i = 0; i < count; ++i) {
    const F squared = squared_distance(views[i].centre, place);
    nearest = min(nearest, squared);
    if (squared < nearest_seeing && is_in_frame(views[i], place)) nearest_seeing = squared;
  }
  return nearest_seeing <= nearer * nearer * nearest;
}

// Which of `count` squared distances in ascending order is that of the share; and what they are then multiplied with.
inline uint64_t far_place(double share, uint64_t count) { return uint64_t(min(share, 1.0) * double(count - 1)); }
inline double inverse_squared_far(double squared) { return squared > 0 ? 1 / squared : 0; }

// A growth score's factor by the squared distance to the nearest camera, in `far`; 0 for that: all grow alike.
template <class F>
SPLAT_INLINE float growth_factor(F squared, F inverse_squared_far) {
  const F nearness = squared * inverse_squared_far;
  return inverse_squared_far > F(0) && nearness < F(1) ? float(nearness) : 1.0f;
}
SPLAT_INLINE double growth_score(float factor, float gradient_norm, uint32_t visible_count) {
  return visible_count == 0 ? 0.0 : double(factor) * double(gradient_norm / float(visible_count));
}

}  // namespace splat::math
