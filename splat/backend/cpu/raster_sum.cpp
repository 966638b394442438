// Sums the moments of each visible splat's instances, in order, one group of channels after the other, and turns the
// sums into the gradient by the projected splat. As combine.cpp, but for any number of channels, and without the
// statistics of training.
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/parameter_rows.h"
#include "splat/backend/cpu/raster_rows.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr uint32_t kPrefetchAhead = 32;  // instances: their rows lie anywhere in memory

struct Range {
  uint32_t begin, end;
};

// kFloats: of a row of moments.
template <int kFloats>
SPLAT_INLINE void sum_instances(const RasterSumArgs& args, const SplatRecord& record, Range own, uint32_t instances,
                                float* gradient) {
  float total[kFloats] = {};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (i + kPrefetchAhead < instances && args.instance_row[i + kPrefetchAhead] != kNoRow) {
      const float* ahead = args.moments + size_t(args.instance_row[i + kPrefetchAhead]) * kFloats;
      prefetch(ahead);
      prefetch(ahead + kFloats - 1);
    }
    if (args.instance_row[i] == kNoRow) continue;
    const float* moments = args.moments + size_t(args.instance_row[i]) * kFloats;
    for (int k = 0; k < kFloats; ++k) total[k] += moments[k];
  }
  for (int k = 0; k < kRasterGeometryFloats; ++k)
    gradient[k] = total[k] + (args.first_channel > 0 ? gradient[k] : 0.0f);
  math::Vec3<float> v_colour{total[6], total[7], total[8]};
  if (args.clamped && args.first_channel == 0)
    v_colour = math::colour_clamp_vjp(math::Vec3<float>{record.red, record.green, record.blue}, v_colour);
  float* const to = gradient + kRasterGeometryFloats + args.first_channel;
  to[0] = v_colour.x, to[1] = v_colour.y, to[2] = v_colour.z;
  if constexpr (kFloats > kInstanceFloats) to[3] = total[kInstanceFloats];
}

// From moments to gradients, of kLanes records.
SPLAT_INLINE void finish(const RasterSumArgs& args, const SplatRecord* records, float* gradients) {
  FloatV v[12], r[4];
  for (int k = 0; k < 12; k += 4) {
    FloatV group[4];
    load_transposed(gradients + k, size_t(args.stride), group);
    for (int i = 0; i < 4; ++i) v[k + i] = group[i];
  }
  load_transposed(&records->form_xx, kRecordFloats, r);
  const math::SplatMoments<FloatV> moments{v[0], v[1], v[2], v[3], v[4], v[5], {v[6], v[7], v[8]}};
  const math::WeightForm<FloatV> form{r[0], r[1], r[2], r[3]};
  const math::SplatGradient<FloatV> g = math::moments_to_gradients(moments, math::conic_of(form), exp2_normal(r[3]));
  FloatV out[12] = {g.v_mean_px.x, g.v_mean_px.y, g.v_conic.xx, g.v_conic.xy, g.v_conic.yy, g.v_opacity,
                    g.v_colour.x,  g.v_colour.y,  g.v_colour.z, v[9],         v[10],        v[11]};
  for (int k = 0; k < 12; k += 4) {
    FloatV group[4] = {out[k], out[k + 1], out[k + 2], out[k + 3]};
    store_transposed(group, gradients + k, size_t(args.stride));
  }
}

SPLAT_INLINE void write_absolute(const RasterSumArgs& args, Range own, float* to) {
  float x = 0, y = 0;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (args.instance_row[i] == kNoRow) continue;
    const float* sums = args.absolute + 2 * size_t(args.instance_row[i]);
    x += sums[0], y += sums[1];
  }
  to[0] = x, to[1] = y;
}

}  // namespace

void raster_sum(const RasterSumArgs& args, size_t first_record, uint32_t visible, uint32_t instances) {
  const auto own = [&](uint32_t at) SPLAT_LAMBDA {
    const size_t record = first_record + at;
    return Range{args.first_instance[record], at + 1 < visible ? args.first_instance[record + 1] : instances};
  };
  float* const gradients = args.gradients + first_record * size_t(args.stride);
  for (uint32_t at = 0; at < visible; at += kLanes) {
    const uint32_t end = visible - at < uint32_t(kLanes) ? visible : at + kLanes;
    for (uint32_t i = at; i < end; ++i) {
      const SplatRecord& record = args.records[first_record + i];
      if (args.channels == 4)
        sum_instances<kInstanceFloats + 1>(args, record, own(i), instances, gradients + i * size_t(args.stride));
      else
        sum_instances<kInstanceFloats>(args, record, own(i), instances, gradients + i * size_t(args.stride));
    }
    // Rows behind the visible ones are the chunk's own, and nothing reads them.
    if (args.last) finish(args, args.records + first_record + at, gradients + at * size_t(args.stride));
  }
  if (!args.last) return;
  uint32_t at = 0;
  for (size_t splat = 0; splat < args.splats; ++splat) {
    const bool seen = args.visible_bits[splat / kBlockSplats] >> (splat % kBlockSplats) & 1;
    if (args.v_means2d)
      for (size_t k = 0; k < 2; ++k)
        args.v_means2d[2 * splat + k] = seen ? gradients[at * size_t(args.stride) + k] : 0.0f;
    if (args.v_absolute) {
      args.v_absolute[2 * splat] = args.v_absolute[2 * splat + 1] = 0;
      if (seen) write_absolute(args, own(at), args.v_absolute + 2 * splat);
    }
    at += seen;
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
