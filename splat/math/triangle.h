// A triangle on the screen by its edges in homogeneous coordinates (Olano and Greer 1997): corners behind the eye need
// no clipping. A corner is (x, y, w): its place x/w, y/w in any frame of the picture's plane (pixels, or -1 to 1 with
// x, y, w as in clip space). A point of the triangle has the shares u, v and 1 - u - v of its three corners, in space:
// as attributes are interpolated, with perspective.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

template <class F>
struct TriangleEdges {
  Vec3<F> edge[3];  // at (X, Y): x X + y Y + z, of the sign of the opposite corner's share in front of the eye
  F volume;         // of the corners as vectors, at least 0; 0: nothing of it can be seen
};

// Swapping the corners of an edge changes every sign and nothing else: of two triangles that share one, each point of
// the screen is in at least one.
template <class F>
SPLAT_INLINE TriangleEdges<F> triangle_edges(const Vec3<F> (&corner)[3]) {
  TriangleEdges<F> t{{cross(corner[1], corner[2]), cross(corner[2], corner[0]), cross(corner[0], corner[1])}, F(0)};
  const F volume = corner[0].x * t.edge[0].x + corner[0].y * t.edge[0].y + corner[0].z * t.edge[0].z;
  const F sign = select(volume < F(0), F(-1), F(1));
  t.volume = sign * volume;
  for (Vec3<F>& edge : t.edge) edge = sign * edge;
  return t;
}

// What divides by w to `value` at the corners, as z does, is linear on the screen: its plane, as an edge's.
template <class F>
SPLAT_INLINE Vec3<F> screen_plane(const TriangleEdges<F>& t, F value0, F value1, F value2) {
  return (F(1) / t.volume) * (value0 * t.edge[0] + value1 * t.edge[1] + value2 * t.edge[2]);
}

template <class F>
struct TriangleShares {
  F u, v;
  F u_x, u_y, v_x, v_y;  // derivatives by the place
};

// The edges at (X, Y) are taken from corners relative to it, so that far places lose no digits.
template <class F>
struct SharesParts {
  Vec3<F> corner[3], edge[3], sum;
  F inverse;
};
template <class F>
SPLAT_INLINE SharesParts<F> shares_parts(const Vec3<F> (&corner)[3], F x, F y) {
  SharesParts<F> p;
  for (int i = 0; i < 3; ++i) p.corner[i] = {corner[i].x - x * corner[i].z, corner[i].y - y * corner[i].z, corner[i].z};
  for (int i = 0; i < 3; ++i) p.edge[i] = cross(p.corner[(i + 1) % 3], p.corner[(i + 2) % 3]);
  p.sum = p.edge[0] + p.edge[1] + p.edge[2];
  p.inverse = F(1) / p.sum.z;
  return p;
}
template <class F>
SPLAT_INLINE TriangleShares<F> shares_of(const SharesParts<F>& p) {
  const F u = p.edge[0].z * p.inverse, v = p.edge[1].z * p.inverse;
  return {u,
          v,
          (p.edge[0].x - u * p.sum.x) * p.inverse,
          (p.edge[0].y - u * p.sum.y) * p.inverse,
          (p.edge[1].x - v * p.sum.x) * p.inverse,
          (p.edge[1].y - v * p.sum.y) * p.inverse};
}

template <class F>
SPLAT_INLINE TriangleShares<F> triangle_shares(const Vec3<F> (&corner)[3], F x, F y) {
  return shares_of(shares_parts(corner, x, y));
}

// Adds to v_corner.
template <class F>
SPLAT_INLINE void triangle_shares_vjp(const Vec3<F> (&corner)[3], F x, F y, const TriangleShares<F>& g,
                                      Vec3<F> (&v_corner)[3]) {
  const SharesParts<F> p = shares_parts(corner, x, y);
  const TriangleShares<F> s = shares_of(p);
  const F v_u = g.u - (g.u_x * p.sum.x + g.u_y * p.sum.y) * p.inverse;
  const F v_v = g.v - (g.v_x * p.sum.x + g.v_y * p.sum.y) * p.inverse;
  const Vec3<F> v_sum{
      -p.inverse * (g.u_x * s.u + g.v_x * s.v), -p.inverse * (g.u_y * s.u + g.v_y * s.v),
      -p.inverse * (v_u * s.u + v_v * s.v + g.u_x * s.u_x + g.u_y * s.u_y + g.v_x * s.v_x + g.v_y * s.v_y)};
  const Vec3<F> v_edge[3] = {v_sum + p.inverse * Vec3<F>{g.u_x, g.u_y, v_u},
                             v_sum + p.inverse * Vec3<F>{g.v_x, g.v_y, v_v}, v_sum};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    // Corner i is the second of edge j = corner k x corner i, and the first of edge k = corner i x corner j.
    const Vec3<F> v = cross(v_edge[j], p.corner[k]) + cross(p.corner[j], v_edge[k]);
    v_corner[i] = v_corner[i] + Vec3<F>{v.x, v.y, v.z - x * v.x - y * v.y};
  }
}

// A value at a point out of those at the corners; so are its derivatives by the place, out of the shares' derivatives.
template <class F>
SPLAT_INLINE F at_shares(F u, F v, F value0, F value1, F value2) {
  return u * value0 + v * value1 + (F(1) - u - v) * value2;
}
template <class F>
SPLAT_INLINE F slope_at_shares(F u_x, F v_x, F value0, F value1, F value2) {
  return u_x * (value0 - value2) + v_x * (value1 - value2);
}

}  // namespace splat::math
