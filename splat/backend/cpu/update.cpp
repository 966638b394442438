// From the gradients by the projected splats to those by the parameters, and one step of Adam on every parameter of
// the splats that are visible, or of all. Colour first: its part of the chain reads the coefficients before they are
// stepped.
#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/projected_gradient.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

// What to do with a gradient: step the parameter, or hand the gradient out.
struct Sink {
  const UpdateArgs& args;
  math::AdamCoefficients<FloatV> adam;
  UintV rounding;  // of packed moments, by lane
  float* rows;     // of the parameters
  float* moments;  // likewise, [row][2][16] or, packed, [row][16]
  float* out;      // likewise, when there are no moments
  MaskV stepped;
  math::AdamPause<FloatV> pause;    // before this step, where any lane has one
  FloatV moved[math::kAdamGroups];  // likewise
  bool paused;

  SPLAT_INLINE void put(int row, FloatV gradient, math::AdamGroup group) const {
    const int at = row * kBlockSplats;
    if (args.moments == nullptr) {
      store(gradient, out + at);
      return;
    }
    const FloatV before = load(rows + at);
    FloatV parameter = before;
    if (args.moments_packed)
      step_packed(row, parameter, gradient, group);
    else
      step(row, parameter, gradient, group);
    store(select(stepped, parameter, before), rows + at);
  }
  SPLAT_INLINE void step(int row, FloatV& parameter, FloatV gradient, math::AdamGroup group) const {
    float* m = moments + 2 * row * kBlockSplats;
    const FloatV before[2] = {load(m), load(m + kBlockSplats)};
    FloatV first = before[0], second = before[1];
    if (paused) math::adam_pause(parameter, first, second, pause, moved[group], adam);
    math::adam_step(parameter, first, second, gradient, adam, FloatV(args.sizes.of[group]));
    store(select(stepped, first, before[0]), m);
    store(select(stepped, second, before[1]), m + kBlockSplats);
  }
  SPLAT_INLINE void step_packed(int row, FloatV& parameter, FloatV gradient, math::AdamGroup group) const {
    float* m = moments + row * kBlockSplats;
    const FloatV before = load(m);
    UintV packed = word_bits(before);
    math::packed_adam_step(parameter, packed, gradient, adam, FloatV(args.sizes.of[group]),
                           math::rounding_bits(rounding, uint32_t(row)), paused ? &pause : nullptr, moved[group]);
    store(select(stepped, float_of_bits(packed), before), m);
  }
  SPLAT_INLINE void put(int row, const Vec3<FloatV>& gradient, math::AdamGroup group) const {
    put(row, gradient.x, group);
    put(row + 1, gradient.y, group);
    put(row + 2, gradient.z, group);
  }
};

SPLAT_INLINE void step_colour(const Sink& sink, const FloatV* basis, const Vec3<FloatV>& v_colour) {
  const UpdateArgs& args = sink.args;
  const int coefficients = (args.sh_degree + 1) * (args.sh_degree + 1);
  for (int k = 0; k < coefficients; ++k)
    sink.put(kShRow + 3 * k, basis[k] * v_colour, k == 0 ? math::kSh0Group : math::kShRestGroup);
  const Vec3<FloatV> none{FloatV(0), FloatV(0), FloatV(0)};
  for (int k = coefficients; k < args.moment_coefficients; ++k) sink.put(kShRow + 3 * k, none, math::kShRestGroup);
}

SPLAT_INLINE void step_geometry(const Sink& sink, const math::GeometryGradient<FloatV>& g) {
  sink.put(kMeanRow, g.v_mean, math::kMeanGroup);
  sink.put(kLogScaleRow, g.v_log_scale, math::kLogScaleGroup);
  sink.put(kQuatRow, g.v_quat.w, math::kQuatGroup);
  sink.put(kQuatRow + 1, Vec3<FloatV>{g.v_quat.x, g.v_quat.y, g.v_quat.z}, math::kQuatGroup);
  sink.put(kOpacityRow, g.v_logit_opacity, math::kOpacityGroup);
}

SPLAT_INLINE void update_lanes(const Sink& sink, const math::ViewParams<FloatV>& view, const ProjectedGradient& g,
                               bool any_visible) {
  const UpdateArgs& args = sink.args;
  const SplatRows splats{sink.rows};
  math::ParameterGradient<FloatV> v;
  if (any_visible)
    math::parameter_gradient(view, args.antialias, FloatV(args.opacity_factor), args.sh_degree, splats, g.gradient,
                             g.visible, v);
  else
    math::no_parameter_gradient(v);
  if (any_visible && args.planes) math::add_plane_gradient(view, args.facing, splats, g.v_plane, g.visible, v.geometry);
  if (args.moments) math::add_regularizers(args.regularizers, splats, v.geometry);
  step_colour(sink, v.basis, v.v_colour);
  step_geometry(sink, v.geometry);
}

SPLAT_INLINE math::AdamCoefficients<FloatV> broadcast(const math::AdamCoefficients<float>& a) {
  return {FloatV(a.beta1),          FloatV(a.one_minus_beta1), FloatV(a.beta2),      FloatV(a.one_minus_beta2),
          FloatV(a.inv_sqrt_bias2), FloatV(a.epsilon),         FloatV(a.log2_beta1), FloatV(a.log2_beta2)};
}

// Notes that the rows of `lanes`, counted from `first`, are stepped, and what they have missed before.
SPLAT_INLINE void begin_step(size_t first, uint32_t lanes, Sink& sink) {
  alignas(64) float missed[kLanes] = {}, moved[math::kAdamGroups][kLanes] = {};
  for (; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    uint32_t& last_step = sink.args.last_step[first + size_t(lane)];
    if (const uint32_t steps = math::missed_steps(sink.args.iteration, last_step)) {
      const math::AdamValues& pause = sink.args.pauses[row_of_pause(sink.args.iteration, last_step)];
      for (int group = 0; group < math::kAdamGroups; ++group) moved[group][lane] = pause.of[group];
      missed[lane] = float(steps), sink.paused = true;
    }
    last_step = sink.args.iteration;
  }
  if (!sink.paused) return;
  sink.pause = math::adam_pause(load(missed), sink.adam);
  for (int group = 0; group < math::kAdamGroups; ++group) sink.moved[group] = load(moved[group]);
}

// Bit = lane of the rows [first, first + kLanes) that lies in [begin, end).
SPLAT_INLINE uint32_t lanes_in(size_t first, size_t begin, size_t end) {
  const auto below = [first](size_t row) SPLAT_LAMBDA {
    return row <= first ? 0u : row - first < size_t(kLanes) ? (1u << (row - first)) - 1 : (1u << kLanes) - 1;
  };
  return below(end) & ~below(begin);
}

}  // namespace

void update(const UpdateArgs& args, size_t chunk) {
  const math::ViewParams<FloatV> view = broadcast(args.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < args.splats ? begin + kChunkSplats : args.splats;
  size_t next = begin;  // record of the next visible splat
  for (size_t first = begin; first < end; first += kBlockSplats) {
    const size_t block = first / kBlockSplats, at = block * args.block_floats;
    if (first + kBlockSplats <= args.fixed) {
      next += size_t(__builtin_popcount(args.visible_bits[block]));
      continue;
    }
    for (int sub = 0; sub < kBlockSplats && first + sub < end; sub += kLanes) {
      const uint32_t lanes = args.visible_bits[block] >> sub & ((1u << kLanes) - 1);
      const uint32_t stepped = (args.all_rows ? ~0u : lanes) & lanes_in(first + sub, args.fixed, end);
      if (args.moments && stepped == 0) {
        next += size_t(__builtin_popcount(lanes));
        continue;
      }
      Sink sink{args,
                broadcast(args.adam),
                math::splat_rounding(words_from(uint32_t(first + sub)), args.rounding),
                args.parameters + at + sub,
                args.moments ? args.moments + (args.moments_packed ? 1 : 2) * at + sub : nullptr,
                args.gradients_out ? args.gradients_out + at + sub : nullptr,
                mask_from_bits(stepped),
                {},
                {},
                false};
      if (args.moments) {
        begin_step(first + sub, stepped, sink);
        args.bounds[first / kBoundedSplats].log_scale = __builtin_nanf("");
      }
      update_lanes(sink, view, gather_gradients(args.gradients, next, lanes), lanes != 0);
    }
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
