// Projection, culling and colours of one chunk of an array of others: as project.cpp of the model's blocks.
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/raster_rows.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

constexpr float kMostRadius = 1e9f;  // px, of an integer

struct Projected {
  math::Footprint<FloatV> footprint;
  math::Vec2<FloatV> radii;
  MaskV counted, visible;  // counted: has radii
};

SPLAT_INLINE Projected project_lanes(const RasterProjectArgs& args, const math::ViewParams<FloatV>& view,
                                     const math::RasterSplat<FloatV>& splats, MaskV exists) {
  Projected out;
  const math::Footprint<FloatV> f = math::raster_footprint(view, args.scene.rules, splats);
  out.footprint = f;
  const math::Vec2<FloatV> mean = f.projection.mean_px;
  if (args.squares) {
    const FloatV radius = math::square_radius(f.projection.covariance);
    const auto columns = math::square_tiles(mean.x, radius, args.tiles_x);
    const auto rows = math::square_tiles(mean.y, radius, args.tiles_y);
    out.radii = {radius, radius};
    out.counted = f.projection.valid & (columns.first <= columns.last) & (rows.first <= rows.last);
  } else {
    out.radii = math::seen_radii(f.projection.covariance, f.opacity);
    out.counted = f.in_view;
  }
  const FloatV clip(args.radius_clip);
  out.counted = exists & out.counted & ((out.radii.x > clip) | (out.radii.y > clip));
  out.visible = out.counted & f.in_view;
  return out;
}

// The outputs by splat, of n lanes; 0 of what is not drawn.
SPLAT_INLINE void write_outputs(const RasterProjectArgs& args, const Projected& p, size_t first, int n) {
  const math::Projection<FloatV>& at = p.footprint.projection;
  const MaskV seen = p.visible;
  FloatV values[4] = {zero_unless(seen, at.mean_px.x), zero_unless(seen, at.mean_px.y), FloatV(0), FloatV(0)};
  store_rows(values, 2, args.means2d, first, n, false);
  values[0] = zero_unless(seen, at.depth);
  store_rows(values, 1, args.out_depths, first, n, false);
  values[0] = zero_unless(seen, args.scene.rules.compensated ? at.compensation : FloatV(1));
  store_rows(values, 1, args.compensations, first, n, false);
  values[0] = zero_unless(seen, at.conic.xx), values[1] = zero_unless(seen, at.conic.xy);
  values[2] = zero_unless(seen, at.conic.yy);
  store_rows(values, 3, args.conics, first, n, false);
  if (!args.radii) return;
  alignas(64) int32_t x[kLanes], y[kLanes];
  store_as_integers(zero_unless(p.counted, min(p.radii.x, FloatV(kMostRadius))), x);
  store_as_integers(zero_unless(p.counted, min(p.radii.y, FloatV(kMostRadius))), y);
  int32_t* to = args.radii + 2 * first;
  for (int lane = 0; lane < n; ++lane) to[2 * lane] = x[lane], to[2 * lane + 1] = y[lane];
}
template <class T>
SPLAT_INLINE void clear_rows(T* to, int floats, size_t first, int n) {
  if (!to) return;
  for (size_t i = first * size_t(floats); i < (first + size_t(n)) * size_t(floats); ++i) to[i] = 0;
}
SPLAT_INLINE void write_no_outputs(const RasterProjectArgs& args, size_t first, int n) {
  clear_rows(args.means2d, 2, first, n);
  clear_rows(args.out_depths, 1, first, n);
  clear_rows(args.conics, 3, first, n);
  clear_rows(args.compensations, 1, first, n);
  clear_rows(args.radii, 2, first, n);
}

// Appends the visible lanes to the chunk's records; returns how many.
SPLAT_INLINE uint32_t append_records(const RasterProjectArgs& args, const Projected& projected,
                                     const Vec3<FloatV>& colour, size_t first, uint32_t lanes, size_t at) {
  const math::Projection<FloatV>& p = projected.footprint.projection;
  const math::EllipseRows<FloatV>& e = projected.footprint.ellipse.rows;
  const math::WeightForm<FloatV> form = math::weight_form(p.conic, projected.footprint.opacity);
  FloatV fields[kRecordFloats] = {
      p.mean_px.x, p.mean_px.y, e.t,     e.half_y,          e.slope_x_by_y,    e.inv_yy, e.conditional_xx, e.y_at_right,
      form.xx,     form.xy,     form.yy, form.log2_opacity, projected.radii.x, colour.x, colour.y,         colour.z};
  alignas(64) float staged[kLanes * kRecordFloats];
  for (int f = 0; f < kRecordFloats; f += 4) {
    FloatV group[4] = {fields[f], fields[f + 1], fields[f + 2], fields[f + 3]};
    store_transposed(group, staged + f, kRecordFloats);
  }
  alignas(64) float depth[kLanes];
  store(p.depth, depth);
  const RasterScene& scene = args.scene;
  uint32_t count = 0;
  for (; lanes; lanes &= lanes - 1, ++count) {
    const int lane = __builtin_ctz(lanes);
    SplatRecord& record = args.records[at + count];
    __builtin_memcpy(&record, staged + lane * kRecordFloats, sizeof(SplatRecord));
    args.depths[at + count] = depth[lane];
    float* const channels = args.channels ? args.channels + (at + count) * size_t(args.channel_stride) : &record.red;
    if (scene.sh) {
      if (args.channels) channels[0] = record.red, channels[1] = record.green, channels[2] = record.blue;
    } else {
      const float* colours = scene.colours + (first + size_t(lane)) * size_t(scene.channels);
      for (int c = 0; c < scene.channels; ++c) channels[c] = colours[c];
    }
    if (scene.depth != DepthChannel::kNone)
      channels[scene.channels] = scene.depth == DepthChannel::kInverse ? 1 / depth[lane] : depth[lane];
    for (int c = scene.channels + (scene.depth != DepthChannel::kNone); c < args.channel_stride; ++c) channels[c] = 0;
  }
  return count;
}

}  // namespace

void raster_project(const RasterProjectArgs& args, size_t chunk) {
  const RasterScene& scene = args.scene;
  const math::ViewParams<FloatV> view = broadcast(scene.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < scene.splats ? begin + kChunkSplats : scene.splats;
  uint32_t visible = 0;
  FloatV tile_rows(0);
  for (size_t block = begin; block < end; block += kBlockSplats) {
    uint32_t block_bits = 0;
    for (size_t first = block; first < block + kBlockSplats && first < end; first += kLanes) {
      const int n = end - first < size_t(kLanes) ? int(end - first) : kLanes;
      const MaskV exists = first_lanes(n);
      prefetch_ahead(scene, first);
      const math::RasterSplat<FloatV> splats = load_splats(scene, first);
      if (bits((math::camera_from_world(view, splats.mean).z >= view.near_plane) & exists) == 0) {
        write_no_outputs(args, first, n);
        continue;
      }
      Projected p = project_lanes(args, view, splats, exists);
      Vec3<FloatV> colour{FloatV(0), FloatV(0), FloatV(0)};
      if (scene.sh && bits(p.visible)) {
        colour = math::unclamped_colour_of(view, scene.sh_degree, RasterColours(scene, first, splats.mean));
        if (scene.clamp_sh) colour = math::clamp_colour(colour);
        p.visible = p.visible & math::all_finite(colour);
      }
      write_outputs(args, p, first, n);
      const uint32_t lanes = bits(p.visible);
      if (lanes == 0) continue;
      visible += append_records(args, p, colour, first, lanes, begin + visible);
      tile_rows += zero_unless(p.visible, math::count(math::tile_rows(p.footprint.ellipse.rows,
                                                                      p.footprint.projection.mean_px.y, args.tiles_y)));
      block_bits |= lanes << (first - block);
    }
    args.visible_bits[block / kBlockSplats] = uint16_t(block_bits);
  }
  args.chunk_visible[chunk] = visible;
  args.chunk_rows[chunk] = uint32_t(sum(tile_rows));
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
