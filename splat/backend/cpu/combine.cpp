// Sums the gradient rows of each visible splat's instances, in order, and turns the sums into the gradient by the
// projected splat, in the place of its record, which nothing needs afterwards. Accumulates what densification decides
// on. A stage of the CPU alone: rows by instance let tiles run side by side without atomics, and the sums be the same
// for every number of threads; on the GPU blend_backward adds to the splat's sums at once, and update does the rest.
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kStagedFloats = 12;  // kMomentFloats and the gradient by the splat's plane

// The rows lie in the order of the tile lists, anywhere in memory: they are prefetched this many instances early.
constexpr uint32_t kPrefetchAhead = 32;

SPLAT_INLINE const float* moments_of(const CombineArgs& args, uint32_t row) {
  return args.moments + size_t(row) * kInstanceFloats;
}

// The planes' own three behind those of the colours.
SPLAT_INLINE void add_plane_moments(const float* moments, float* total) {
  for (int k = 0; k < 6; ++k) total[k] += moments[k];
  for (int k = 6; k < kMomentFloats; ++k) total[k + 3] += moments[k];
}

// Moments of the chunk's instances [begin, end) of `instances`, one after the other.
SPLAT_INLINE void sum_instances(const CombineArgs& args, uint32_t begin, uint32_t end, uint32_t instances,
                                float* total) {
  for (int k = 0; k < kStagedFloats; ++k) total[k] = 0;
  for (uint32_t i = begin; i < end; ++i) {
    if (i + kPrefetchAhead < instances && args.instance_row[i + kPrefetchAhead] != kNoRow) {
      const float* ahead = moments_of(args, args.instance_row[i + kPrefetchAhead]);
      prefetch(ahead);
      prefetch(ahead + kMomentFloats - 1);
    }
    const uint32_t row = args.instance_row[i];
    if (row == kNoRow) continue;
    const float* moments = moments_of(args, row);
    for (int k = 0; k < kMomentFloats; ++k) total[k] += moments[k];
    if (args.plane_moments) add_plane_moments(args.plane_moments + size_t(row) * kInstanceFloats, total);
  }
}

SPLAT_INLINE void combine_lanes(const CombineArgs& args, const float* staged, size_t first_record,
                                const uint16_t* splats, int n) {
  FloatV m[kStagedFloats], r[8];
  for (int k = 0; k < kStagedFloats; k += 4) {
    FloatV group[4];
    load_transposed(staged + k, kStagedFloats, group);
    for (int i = 0; i < 4; ++i) m[k + i] = group[i];
  }
  float* const first_row = &args.records[first_record].mean_x;
  const float* record = &args.records[first_record].form_xx;
  for (int k = 0; k < 8; k += 4) {
    FloatV group[4];
    load_transposed(record + k, kRecordFloats, group);
    for (int i = 0; i < 4; ++i) r[k + i] = group[i];
  }
  const math::Vec3<FloatV> colour{r[5], r[6], r[7]};
  const math::SplatGradient<FloatV> g =
      math::projected_gradient(math::SplatMoments<FloatV>{m[0], m[1], m[2], m[3], m[4], m[5], {m[6], m[7], m[8]}},
                               math::WeightForm<FloatV>{r[0], r[1], r[2], r[3]}, exp2_normal(r[3]), colour);
  alignas(64) float radius[kLanes];
  store(r[4], radius);
  const math::Vec3<FloatV> v_plane{m[9], m[10], m[11]};
  const MaskV finite = math::all_finite(g) & math::all_finite(v_plane);  // a splat whose gradient is not gets none
  const FloatV out[kGradientFloats] = {g.v_mean_px.x, g.v_mean_px.y, g.v_conic.xx, g.v_conic.xy,
                                       g.v_conic.yy,  g.v_opacity,   g.v_colour.x, g.v_colour.y,
                                       g.v_colour.z,  v_plane.x,     v_plane.y,    v_plane.z};
  for (int k = 0; k < kGradientFloats; k += 4) {
    FloatV group[4];
    for (int i = 0; i < 4; ++i) group[i] = zero_unless(finite, out[k + i]);
    store_transposed(group, first_row + k, kRecordFloats);
  }
  alignas(64) float norm[kLanes];
  store(zero_unless(finite, math::screen_gradient_norm(g.v_mean_px, FloatV(args.half_width), FloatV(args.half_height))),
        norm);
  for (int lane = 0; lane < n; ++lane) {
    const uint16_t splat = splats[lane];
    args.mean2d_gradient_norm[splat] += norm[lane];
    args.visible_count[splat] = uint16_t(args.visible_count[splat] + (args.visible_count[splat] < UINT16_MAX));
    const uint16_t whole_radius = radius[lane] < UINT16_MAX ? uint16_t(radius[lane]) : uint16_t(UINT16_MAX);
    if (whole_radius > args.max_radius_px[splat]) args.max_radius_px[splat] = whole_radius;
  }
}

// Which splats of the chunk are visible, in order.
SPLAT_INLINE void list_visible(const uint16_t* visible_bits, uint32_t visible, uint16_t* splats) {
  uint32_t count = 0;
  for (int block = 0; count < visible; ++block)
    for (uint32_t bits = visible_bits[block]; bits; bits &= bits - 1)
      splats[count++] = uint16_t(block * kBlockSplats + __builtin_ctz(bits));
}

}  // namespace

void combine(const CombineArgs& args, size_t first_record, uint32_t visible, uint32_t instances) {
  uint16_t splats[kChunkSplats];  // of the chunk
  list_visible(args.visible_bits, visible, splats);
  alignas(64) float staged[kLanes * kStagedFloats];
  for (uint32_t at = 0; at < visible; at += kLanes) {
    const int n = visible - at < uint32_t(kLanes) ? int(visible - at) : kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      const size_t record = first_record + at + lane;
      const uint32_t begin = lane < n ? args.first_instance[record] : 0;
      const uint32_t end = lane >= n ? 0 : at + lane + 1 < visible ? args.first_instance[record + 1] : instances;
      sum_instances(args, begin, end, instances, staged + lane * kStagedFloats);
    }
    combine_lanes(args, staged, first_record + at, splats + at, n);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
