// Projection, culling and colour of one chunk of splats: the visible ones become records, in order.
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

struct VisibleSplats {
  FloatV fields[kRecordFloats];  // as SplatRecord
  FloatV depth, tile_rows;
  uint32_t lanes;  // bit = visible
};

struct LanesLooks {
  uint32_t drawn, tinted;  // bit = lane
  size_t first;            // row of the first lane
};
SPLAT_INLINE LanesLooks looks_of(const ProjectArgs& args, size_t first) {
  LanesLooks lanes{~0u, 0, first};
  if (!args.looks) return lanes;
  for (int lane = 0; lane < kLanes && first + size_t(lane) < args.splats; ++lane) {
    const uint32_t look = args.looks[first + size_t(lane)];
    lanes.drawn &= ~((look & math::kNotDrawn ? 1u : 0u) << lane);
    lanes.tinted |= (look & math::kTinted ? 1u : 0u) << lane;
  }
  return lanes;
}

SPLAT_INLINE Vec3<FloatV> tinted(const ProjectArgs& args, const LanesLooks& looks, const Vec3<FloatV>& colour) {
  alignas(64) float red[kLanes] = {}, green[kLanes] = {}, blue[kLanes] = {}, share[kLanes] = {};
  for (uint32_t lanes = looks.tinted; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    const math::Tint& tint = args.tints.of[math::tint_number(args.looks[looks.first + size_t(lane)])];
    red[lane] = tint.red, green[lane] = tint.green, blue[lane] = tint.blue, share[lane] = tint.share;
  }
  return math::tinted({load(red), load(green), load(blue)}, load(share), colour);
}

// Geometry of kLanes splats; false when none is visible, before their colours are read.
SPLAT_INLINE bool project_lanes(const ProjectArgs& args, const math::ViewParams<FloatV>& view, FloatV opacity_factor,
                                const SplatRows& splats, MaskV exists, const LanesLooks& looks, VisibleSplats& out) {
  if (bits((math::camera_from_world(view, splats.mean()).z >= view.near_plane) & exists) == 0) return false;
  const math::Footprint<FloatV> f = math::footprint(view, args.antialias, opacity_factor, splats);
  MaskV visible = exists & f.in_view;
  if (bits(visible) == 0) return false;
  Vec3<FloatV> colour = math::unclamped_colour_of(view, args.sh_degree, splats);
  if (looks.tinted) colour = tinted(args, looks, colour);
  colour = math::clamp_colour(colour);
  visible = visible & math::all_finite(colour);
  out.lanes = bits(visible);
  const math::Projection<FloatV>& p = f.projection;
  const math::EllipseRows<FloatV>& e = f.ellipse.rows;
  out.depth = p.depth;
  out.tile_rows = math::count(math::tile_rows(e, p.mean_px.y, args.tiles_y));
  const math::WeightForm<FloatV> form = math::weight_form(p.conic, f.opacity);
  const FloatV fields[kRecordFloats] = {p.mean_px.x,
                                        p.mean_px.y,
                                        e.t,
                                        e.half_y,
                                        e.slope_x_by_y,
                                        e.inv_yy,
                                        e.conditional_xx,
                                        e.y_at_right,
                                        form.xx,
                                        form.xy,
                                        form.yy,
                                        form.log2_opacity,
                                        math::three_sigma_radius(p.covariance),
                                        colour.x,
                                        colour.y,
                                        colour.z};
  for (int i = 0; i < kRecordFloats; ++i) out.fields[i] = fields[i];
  return out.lanes != 0;
}

// Appends the visible lanes to the chunk's records; returns how many.
SPLAT_INLINE uint32_t append_records(const ProjectArgs& args, VisibleSplats& v, size_t at) {
  alignas(64) float staged[kLanes * kRecordFloats];
  for (int f = 0; f < kRecordFloats; f += 4) {
    FloatV group[4] = {v.fields[f], v.fields[f + 1], v.fields[f + 2], v.fields[f + 3]};
    store_transposed(group, staged + f, kRecordFloats);
  }
  alignas(64) float depth[kLanes];
  store(v.depth, depth);
  uint32_t count = 0;
  for (uint32_t lanes = v.lanes; lanes; lanes &= lanes - 1, ++count) {
    const int lane = __builtin_ctz(lanes);
    __builtin_memcpy(args.records + at + count, staged + lane * kRecordFloats, sizeof(SplatRecord));
    args.depths[at + count] = depth[lane];
  }
  return count;
}

// What a chunk's rows have given so far.
struct ChunkSum {
  uint32_t visible = 0;
  FloatV tile_rows = FloatV(0);
};

// Rows [first, first + kBlockSplats) of those before `end`; `at`: the chunk's first record.
SPLAT_INLINE void project_block(const ProjectArgs& args, const math::ViewParams<FloatV>& view, size_t first, size_t end,
                                size_t at, ChunkSum& found) {
  static_assert(kBlockSplats == int(math::kDropoutRows));
  const FloatV opacity_factor(math::dropout_factor(args.dropout));
  const float* block = args.parameters + first / kBlockSplats * args.block_floats;
  prefetch_rows(block + 2 * args.block_floats, kShRow + 3 * (args.sh_degree + 1) * (args.sh_degree + 1));
  uint32_t block_bits = 0;
  const uint32_t drawn = math::drawn_rows(args.dropout, uint32_t(first / kBlockSplats));
  for (int sub = 0; sub < kBlockSplats; sub += kLanes) {
    const size_t id = first + sub;
    if (id >= end) break;
    VisibleSplats v;
    const LanesLooks looks = looks_of(args, id);
    const MaskV exists = first_lanes(end - id < size_t(kLanes) ? int(end - id) : kLanes) &
                         mask_from_bits(drawn >> sub & looks.drawn & ((1u << kLanes) - 1));
    if (!project_lanes(args, view, opacity_factor, SplatRows{block + sub}, exists, looks, v)) continue;
    found.visible += append_records(args, v, at + found.visible);
    found.tile_rows += zero_unless(mask_from_bits(v.lanes), v.tile_rows);
    block_bits |= v.lanes << sub;
  }
  args.visible_bits[first / kBlockSplats] = uint16_t(block_bits);
}

// Blocks count whole: what stands behind the last row widens the bounds at most.
SPLAT_INLINE math::RowBounds<float> bounds_of(const ProjectArgs& args, size_t first, size_t end) {
  math::RowBounds<FloatV> b = math::bounds_of_no_rows<FloatV>();
  for (; first < end; first += kBlockSplats)
    for (int sub = 0; sub < kBlockSplats; sub += kLanes) {
      const SplatRows rows{args.parameters + first / kBlockSplats * args.block_floats + sub};
      math::include(rows.mean(), rows.vec3(kLogScaleRow), b);
    }
  return {{-largest(-b.low.x), -largest(-b.low.y), -largest(-b.low.z)},
          {largest(b.high.x), largest(b.high.y), largest(b.high.z)},
          largest(b.log_scale)};
}

}  // namespace

void project(const ProjectArgs& args, size_t chunk) {
  const math::ViewParams<FloatV> view = broadcast(args.view);
  static_assert(kChunkSplats % kBoundedSplats == 0 && kBoundedSplats % kBlockSplats == 0);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < args.splats ? begin + kChunkSplats : args.splats;
  ChunkSum found;
  for (size_t first = begin; first < end; first += kBoundedSplats) {
    const size_t last = first + kBoundedSplats < end ? first + kBoundedSplats : end;
    math::RowBounds<float>& bounds = args.bounds[first / kBoundedSplats];
    if (!math::may_be_visible(args.sides, bounds)) {
      __builtin_memset(args.visible_bits + first / kBlockSplats, 0, kBoundedSplats / kBlockSplats * sizeof(uint16_t));
      continue;
    }
    for (size_t block = first; block < last; block += kBlockSplats) project_block(args, view, block, end, begin, found);
    if (!math::are_known(bounds)) bounds = bounds_of(args, first, last);  // of rows that lie in the cache now
  }
  args.chunk_visible[chunk] = found.visible;
  args.chunk_rows[chunk] = uint32_t(sum(found.tile_rows));
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
