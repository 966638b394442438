#include "splat/raster/triangles/tile_kernels.h"

#include "splat/core/simd.h"

namespace splat::triangles::SPLAT_SIMD_LEVEL {
namespace {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

using Ints = hn::Vec<IntTag>;

using math::plane_at;

SPLAT_INLINE void put(FloatV value, MaskV where, float* at) {
  hn::Store(select(where, value, load(at)).raw, FloatTag(), at);
}

template <bool kSteps>
SPLAT_INLINE void draw_triangle(const TileTriangle& t, int32_t number, float steps, Tile* tile) {
  for (int x = t.x0 / kLanes * kLanes; x <= t.x1; x += kLanes) {
    const FloatV across = FloatV(float(x)) + lane_numbers();
    const MaskV columns = (across >= FloatV(float(t.x0))) & (across <= FloatV(float(t.x1)));
    for (int y = t.y0; y <= t.y1; ++y) {
      const FloatV e0 = plane_at(t.edge[0], across, float(y)), e1 = plane_at(t.edge[1], across, float(y)),
                   e2 = plane_at(t.edge[2], across, float(y));
      const MaskV inside = columns & (min(min(e0, e1), e2) >= FloatV(0));
      if (hn::AllFalse(FloatTag(), inside.raw)) continue;
      const int at = y * kTileSide + x;
      FloatV depth = plane_at(t.depth, across, float(y));
      MaskV nearer = inside & (depth >= load(tile->nearest + at)) & (e0 + e1 + e2 > FloatV(math::kLeastEdgeSum));
      if constexpr (kSteps) depth = FloatV(hn::Trunc((depth * FloatV(steps)).raw));
      nearer = nearer & (depth < load(tile->depth + at));
      if (hn::AllFalse(FloatTag(), nearer.raw)) continue;
      put(depth, nearer, tile->depth + at);
      put(e0, nearer, tile->share[0] + at);
      put(e1, nearer, tile->share[1] + at);
      put(e2, nearer, tile->share[2] + at);
      const IntTag d;
      hn::Store(hn::IfThenElse(hn::RebindMask(d, nearer.raw), hn::Set(d, number), hn::Load(d, tile->seen + at)), d,
                tile->seen + at);
    }
  }
}

void draw(const TileTriangle* triangles, size_t begin, size_t end, float steps, Tile* tile) {
  if (steps > 0)
    for (size_t i = begin; i < end; ++i) draw_triangle<true>(triangles[i], int32_t(i), steps, tile);
  else
    for (size_t i = begin; i < end; ++i) draw_triangle<false>(triangles[i], int32_t(i), steps, tile);
}

float farthest(const Tile* tile) {
  FloatV most = load(tile->depth);
  for (int at = kLanes; at < kTilePixels; at += kLanes) most = max(most, load(tile->depth + at));
  return largest(most);
}

// A number of the triangle that each pixel sees.
SPLAT_INLINE FloatV gather(const float* of_first, Ints offset) {
  return FloatV(hn::GatherIndex(FloatTag(), of_first, offset));
}
SPLAT_INLINE Ints offsets(const Tile* tile, int at, MaskV* any) {
  const IntTag d;
  const Ints seen = hn::Load(d, tile->seen + at);
  any->raw = hn::RebindMask(FloatTag(), hn::Gt(seen, hn::Set(d, -1)));
  return hn::Mul(hn::Max(seen, hn::Zero(d)), hn::Set(d, kTileTriangleFloats));
}

void find_shares(const TileTriangle* triangles, bool weighted, Tile* tile) {
  for (int at = 0; at < kTilePixels; at += kLanes) {
    MaskV any;
    const Ints offset = offsets(tile, at, &any);
    FloatV share[3] = {load(tile->share[0] + at), load(tile->share[1] + at), load(tile->share[2] + at)};
    if (weighted && !hn::AllFalse(FloatTag(), any.raw))
      for (int i = 0; i < 3; ++i) share[i] *= gather(&triangles->weight[i], offset);
    const FloatV inverse = zero_unless(any, rcp(share[0] + share[1] + share[2]));
    store(inverse, tile->inverse + at);
    for (int i = 0; i < 3; ++i) store(zero_unless(any, share[i] * inverse), tile->share[i] + at);
  }
}

// [pixels,4], of which there may be fewer than lanes.
SPLAT_INLINE void store_pixels(const FloatV (&v)[4], int pixels, float* out) {
  const FloatTag d;
  if (pixels >= kLanes) return hn::StoreInterleaved4(v[0].raw, v[1].raw, v[2].raw, v[3].raw, d, out);
  float all[4 * kLanes];
  hn::StoreInterleaved4(v[0].raw, v[1].raw, v[2].raw, v[3].raw, d, all);
  for (int i = 0; i < 4 * pixels; ++i) out[i] = all[i];
}

SPLAT_INLINE FloatV between(FloatV x, float low, float high) { return min(max(x, FloatV(low)), FloatV(high)); }

SPLAT_INLINE void write_slopes(const TileTriangle* triangles, const Tile* tile, int at, int pixels, float* out) {
  MaskV any;
  const Ints offset = offsets(tile, at, &any);
  const FloatV inverse = load(tile->inverse + at), u = load(tile->share[0] + at), v = load(tile->share[1] + at);
  FloatV slope[4];
  for (int axis = 0; axis < 2; ++axis) {
    const FloatV by_u = gather(&triangles->edge[0][axis], offset), by_v = gather(&triangles->edge[1][axis], offset);
    const FloatV sum = by_u + by_v + gather(&triangles->edge[2][axis], offset);
    slope[axis] = zero_unless(any, (by_u - u * sum) * inverse);
    slope[2 + axis] = zero_unless(any, (by_v - v * sum) * inverse);
  }
  store_pixels(slope, pixels, out);
}

void write(const TileTriangle* triangles, const int32_t* numbers, const Tile* tile, const TileOutput& out) {
  const IntTag d;
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; x += kLanes) {
      const int at = y * kTileSide + x;
      const size_t first = size_t(y) * out.stride + 4 * size_t(x);
      const Ints seen = hn::Load(d, tile->seen + at), zero = hn::Zero(d);
      const MaskV any{hn::RebindMask(FloatTag(), hn::Gt(seen, hn::Set(d, -1)))};
      const FloatV number(hn::ConvertTo(FloatTag(), hn::GatherIndex(d, numbers, hn::Max(seen, zero))));
      store_pixels({between(load(tile->share[0] + at), 0, 1), between(load(tile->share[1] + at), 0, 1),
                    zero_unless(any, between(load(tile->depth + at), -1, 1)), zero_unless(any, number)},
                   out.width - x, out.rast + first);
      if (out.slopes) write_slopes(triangles, tile, at, out.width - x, out.slopes + first);
    }
}

}  // namespace

const TileKernels kTileKernels{draw, farthest, find_shares, write};

}  // namespace splat::triangles::SPLAT_SIMD_LEVEL
