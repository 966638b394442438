// From the gradients by the projected splats to those by the parameters, and one step of Adam on every parameter of
// every splat, seen or not. Colour first: its part of the chain reads the coefficients before they are stepped.
#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/splat_block.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

// Gradient by the projected splat, of kLanes splats; zero for the invisible.
struct ProjectedGradient {
  MaskV visible;
  math::Vec2<FloatV> v_mean_px;
  math::Sym2<FloatV> v_conic;
  FloatV v_opacity;
  Vec3<FloatV> v_colour;  // before its clamp
};

// Gradient by the parameters but SH.
struct GeometryGradient {
  Vec3<FloatV> v_mean, v_log_scale;
  math::Quat<FloatV> v_quat;
  FloatV v_logit_opacity;
};

// What to do with a gradient: step the parameter, or hand the gradient out.
struct Sink {
  const UpdateArgs& args;
  math::AdamCoefficients<FloatV> adam;
  float* rows;     // of the parameters
  float* moments;  // likewise, [row][2][16]
  float* out;      // likewise, when there are no moments

  SPLAT_INLINE void put(int row, FloatV gradient, FloatV step_size) const {
    const int at = row * kBlockSplats;
    if (args.moments == nullptr) {
      store(gradient, out + at);
      return;
    }
    float* m = moments + 2 * at;
    FloatV parameter = load(rows + at), first = load(m), second = load(m + kBlockSplats);
    math::adam_step(parameter, first, second, gradient, adam, step_size);
    store(parameter, rows + at);
    store(first, m);
    store(second, m + kBlockSplats);
  }
  SPLAT_INLINE void put(int row, const Vec3<FloatV>& gradient, float step_size) const {
    put(row, gradient.x, FloatV(step_size));
    put(row + 1, gradient.y, FloatV(step_size));
    put(row + 2, gradient.z, FloatV(step_size));
  }
};

// The rows of `gradients` from `next` on belong to the set lanes, in order; advances `next`.
SPLAT_INLINE ProjectedGradient gather_gradients(const float* gradients, size_t& next, uint32_t lanes) {
  alignas(64) float staged[kLanes * kGradientFloats];
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool visible = lanes >> lane & 1;
    const float* row = gradients + next * kRecordFloats;
    for (int k = 0; k < kGradientFloats; ++k) staged[lane * kGradientFloats + k] = visible ? row[k] : 0.0f;
    next += visible;
  }
  FloatV a[4], b[4], c[4];
  load_transposed(staged, kGradientFloats, a);
  load_transposed(staged + 4, kGradientFloats, b);
  load_transposed(staged + 8, kGradientFloats, c);
  return {mask_from_bits(lanes), {a[0], a[1]}, {a[2], a[3], b[0]}, b[1], {b[2], b[3], c[0]}};
}

SPLAT_INLINE GeometryGradient no_gradient() {
  const FloatV zero(0);
  return {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero, zero}, zero};
}

// Through projection and opacity; the colour's dependence on the mean comes in as v_direction_mean.
SPLAT_INLINE GeometryGradient geometry_chain(const UpdateArgs& args, const math::ViewParams<FloatV>& view,
                                             const float* rows, const ProjectedGradient& g,
                                             const Vec3<FloatV>& v_mean_by_colour) {
  const Vec3<FloatV> mean = mean_rows(rows), scale = scale_rows(rows);
  const math::Quat<FloatV> quat = quat_rows(rows);
  const FloatV opacity = math::sigmoid(load(rows + kOpacityRow * kBlockSplats));
  FloatV v_opacity = g.v_opacity, v_compensation(0);
  if (args.antialias) {
    v_compensation = g.v_opacity * opacity;
    v_opacity = g.v_opacity * math::project(view, mean, quat, scale).compensation;
  }
  const math::ProjectionGradient<FloatV> p =
      math::project_vjp(view, mean, quat, scale, g.v_mean_px, g.v_conic, v_compensation);
  return {p.v_mean + v_mean_by_colour, p.v_log_scale, p.v_quat, math::sigmoid_vjp(opacity, v_opacity)};
}

SPLAT_INLINE MaskV all_finite(const GeometryGradient& g) {
  return math::is_finite(g.v_mean.x) & math::is_finite(g.v_mean.y) & math::is_finite(g.v_mean.z) &
         math::is_finite(g.v_log_scale.x) & math::is_finite(g.v_log_scale.y) & math::is_finite(g.v_log_scale.z) &
         math::is_finite(g.v_quat.w) & math::is_finite(g.v_quat.x) & math::is_finite(g.v_quat.y) &
         math::is_finite(g.v_quat.z) & math::is_finite(g.v_logit_opacity);
}
SPLAT_INLINE void zero_unless_visible(MaskV keep, GeometryGradient& g) {
  const Vec3<FloatV> zero{FloatV(0), FloatV(0), FloatV(0)};
  g.v_mean = math::select(keep, g.v_mean, zero);
  g.v_log_scale = math::select(keep, g.v_log_scale, zero);
  g.v_quat = {zero_unless(keep, g.v_quat.w), zero_unless(keep, g.v_quat.x), zero_unless(keep, g.v_quat.y),
              zero_unless(keep, g.v_quat.z)};
  g.v_logit_opacity = zero_unless(keep, g.v_logit_opacity);
}

// Weights of mean(opacity) and mean(scale); zero for a splat where they are not finite.
SPLAT_INLINE void add_regularizers(const UpdateArgs& args, const float* rows, GeometryGradient& g) {
  if (args.opacity_regularizer != 0) {
    const FloatV opacity = math::sigmoid(load(rows + kOpacityRow * kBlockSplats));
    const FloatV v = math::sigmoid_vjp(opacity, FloatV(args.opacity_regularizer));
    g.v_logit_opacity += zero_unless(math::is_finite(v), v);
  }
  if (args.scale_regularizer != 0) {
    const Vec3<FloatV> v = FloatV(args.scale_regularizer) * scale_rows(rows);
    g.v_log_scale.x += zero_unless(math::is_finite(v.x), v.x);
    g.v_log_scale.y += zero_unless(math::is_finite(v.y), v.y);
    g.v_log_scale.z += zero_unless(math::is_finite(v.z), v.z);
  }
}

// dL/d(basis) summed over the channels, then by the direction and the mean.
SPLAT_INLINE Vec3<FloatV> mean_gradient_by_colour(const UpdateArgs& args, const math::ViewParams<FloatV>& view,
                                                  const float* rows, const Vec3<FloatV>& direction,
                                                  const Vec3<FloatV>& v_colour) {
  FloatV v_basis[kMaxCoefficients];
  const int coefficients = (args.sh_degree + 1) * (args.sh_degree + 1);
  for (int k = 0; k < coefficients; ++k)
    v_basis[k] = math::dot(Vec3<FloatV>{sh_row(rows, k, 0), sh_row(rows, k, 1), sh_row(rows, k, 2)}, v_colour);
  return math::view_direction_vjp(mean_rows(rows), view.centre, math::sh_basis_vjp(args.sh_degree, direction, v_basis));
}

SPLAT_INLINE void step_colour(const Sink& sink, const FloatV* basis, const Vec3<FloatV>& v_colour) {
  const UpdateArgs& args = sink.args;
  const int coefficients = (args.sh_degree + 1) * (args.sh_degree + 1);
  for (int k = 0; k < coefficients; ++k)
    sink.put(kShRow + 3 * k, basis[k] * v_colour, k == 0 ? args.sh0_step : args.sh_rest_step);
  const Vec3<FloatV> none{FloatV(0), FloatV(0), FloatV(0)};
  for (int k = coefficients; k < args.moment_coefficients; ++k) sink.put(kShRow + 3 * k, none, args.sh_rest_step);
}

SPLAT_INLINE void step_geometry(const Sink& sink, const GeometryGradient& g) {
  const UpdateArgs& args = sink.args;
  sink.put(kMeanRow, g.v_mean, args.mean_step);
  sink.put(kLogScaleRow, g.v_log_scale, args.log_scale_step);
  sink.put(kQuatRow, g.v_quat.w, FloatV(args.quat_step));
  sink.put(kQuatRow + 1, Vec3<FloatV>{g.v_quat.x, g.v_quat.y, g.v_quat.z}, args.quat_step);
  sink.put(kOpacityRow, g.v_logit_opacity, FloatV(args.opacity_step));
}

SPLAT_INLINE void update_lanes(const Sink& sink, const math::ViewParams<FloatV>& view, const ProjectedGradient& g,
                               bool any_visible) {
  const UpdateArgs& args = sink.args;
  GeometryGradient geometry = no_gradient();
  FloatV basis[kMaxCoefficients];
  Vec3<FloatV> v_colour = g.v_colour;
  if (any_visible) {
    const Vec3<FloatV> direction = math::view_direction(mean_rows(sink.rows), view.centre);
    math::sh_basis(args.sh_degree, direction, basis);
    geometry =
        geometry_chain(args, view, sink.rows, g, mean_gradient_by_colour(args, view, sink.rows, direction, g.v_colour));
    const MaskV keep = g.visible & all_finite(geometry);
    zero_unless_visible(keep, geometry);
    v_colour = math::select(keep, v_colour, Vec3<FloatV>{FloatV(0), FloatV(0), FloatV(0)});
    for (int k = 0; k < kMaxCoefficients; ++k) basis[k] = zero_unless(keep, basis[k]);
  } else {
    for (int k = 0; k < kMaxCoefficients; ++k) basis[k] = FloatV(0);
  }
  if (args.moments) add_regularizers(args, sink.rows, geometry);
  step_colour(sink, basis, v_colour);
  step_geometry(sink, geometry);
}

SPLAT_INLINE math::AdamCoefficients<FloatV> broadcast(const math::AdamCoefficients<float>& a) {
  return {FloatV(a.beta1),           FloatV(a.one_minus_beta1), FloatV(a.beta2),
          FloatV(a.one_minus_beta2), FloatV(a.inv_sqrt_bias2),  FloatV(a.epsilon)};
}

}  // namespace

void update(const UpdateArgs& args, size_t chunk) {
  const math::ViewParams<FloatV> view = broadcast(args.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < args.splats ? begin + kChunkSplats : args.splats;
  size_t next = begin;  // record of the next visible splat
  for (size_t first = begin; first < end; first += kBlockSplats) {
    const size_t block = first / kBlockSplats, at = block * args.block_floats;
    for (int sub = 0; sub < kBlockSplats && first + sub < end; sub += kLanes) {
      const uint32_t lanes = args.visible_bits[block] >> sub & ((1u << kLanes) - 1);
      const Sink sink{args, broadcast(args.adam), args.parameters + at + sub,
                      args.moments ? args.moments + 2 * at + sub : nullptr,
                      args.gradients_out ? args.gradients_out + at + sub : nullptr};
      update_lanes(sink, view, gather_gradients(args.gradients, next, lanes), lanes != 0);
    }
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
