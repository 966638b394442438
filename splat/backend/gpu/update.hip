// From the sums over pixels to the gradients by the parameters, and one step of Adam on every parameter of every splat,
// seen or not, one splat a thread. Colour first: its part of the chain reads the coefficients before they are stepped.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"
#include "splat/math/activation.h"
#include "splat/math/gaussian_weight.h"
#include "splat/math/sh.h"

namespace splat::gpu {
namespace {

using math::Vec3;

constexpr int kThreads = 128;

struct GeometryGradient {
  Vec3<float> v_mean, v_log_scale;
  math::Quat<float> v_quat;
  float v_logit_opacity;
};

// What to do with a gradient: step the parameter, or hand the gradient out.
template <bool kStep>
struct Sink {
  const UpdateArgs& args;
  float* rows;     // of the parameters
  float* moments;  // [row][2]
  float* out;      // like rows

  SPLAT_DEVICE void put(int row, float gradient, float step_size) const {
    if constexpr (!kStep) {
      out[row * kBlockSplats] = gradient;
    } else {
      float* m = moments + 2 * row * kBlockSplats;
      float parameter = rows[row * kBlockSplats], first = m[0], second = m[kBlockSplats];
      math::adam_step(parameter, first, second, gradient, args.adam, step_size);
      rows[row * kBlockSplats] = parameter;
      m[0] = first;
      m[kBlockSplats] = second;
    }
  }
  SPLAT_DEVICE void put(int row, const Vec3<float>& gradient, float step_size) const {
    put(row, gradient.x, step_size);
    put(row + 1, gradient.y, step_size);
    put(row + 2, gradient.z, step_size);
  }
};

SPLAT_DEVICE bool all_finite(const math::SplatGradient<float>& g) {
  return math::is_finite(g.v_mean_px.x) && math::is_finite(g.v_mean_px.y) && math::is_finite(g.v_conic.xx) &&
         math::is_finite(g.v_conic.xy) && math::is_finite(g.v_conic.yy) && math::is_finite(g.v_opacity) &&
         math::is_finite(g.v_colour.x) && math::is_finite(g.v_colour.y) && math::is_finite(g.v_colour.z);
}
SPLAT_DEVICE bool all_finite(const GeometryGradient& g) {
  return math::is_finite(g.v_mean.x) && math::is_finite(g.v_mean.y) && math::is_finite(g.v_mean.z) &&
         math::is_finite(g.v_log_scale.x) && math::is_finite(g.v_log_scale.y) && math::is_finite(g.v_log_scale.z) &&
         math::is_finite(g.v_quat.w) && math::is_finite(g.v_quat.x) && math::is_finite(g.v_quat.y) &&
         math::is_finite(g.v_quat.z) && math::is_finite(g.v_logit_opacity);
}

// The gradient by the projected splat, the colour's before its clamp; false when it is not finite.
SPLAT_DEVICE bool projected_gradient(const UpdateArgs& args, uint32_t splat, math::SplatGradient<float>& g) {
  const float* m = args.gradients + size_t(splat) * kGradientFloats;
  const SplatRecord r = args.records[splat];
  const math::WeightForm<float> form{r.form_xx, r.form_xy, r.form_yy, r.log2_opacity};
  g = math::moments_to_gradients(math::SplatMoments<float>{m[0], m[1], m[2], m[3], m[4], m[5], {m[6], m[7], m[8]}},
                                 math::conic_of(form), r.opacity);
  g.v_colour = math::colour_clamp_vjp(Vec3<float>{r.red, r.green, r.blue}, g.v_colour);
  return all_finite(g);
}

SPLAT_DEVICE void add_statistics(const UpdateArgs& args, uint32_t splat, bool finite,
                                 const math::SplatGradient<float>& g) {
  const float x = args.half_width * g.v_mean_px.x, y = args.half_height * g.v_mean_px.y;
  if (finite) args.mean2d_gradient_norm[splat] += math::sqrt(math::fma(x, x, y * y));
  ++args.visible_count[splat];
  args.max_radius_px[splat] = math::max(args.max_radius_px[splat], args.radii[splat]);
}

// dL/d(basis) summed over the channels, then by the direction and the mean.
template <int kDegree>
SPLAT_DEVICE Vec3<float> mean_gradient_by_colour(const UpdateArgs& args, const float* rows,
                                                 const Vec3<float>& direction, const Vec3<float>& v_colour) {
  float v_basis[16];
#pragma unroll
  for (int k = 0; k < (kDegree + 1) * (kDegree + 1); ++k)
    v_basis[k] = math::dot(row_vec3(rows, kShRow + 3 * k), v_colour);
  return math::view_direction_vjp(mean_rows(rows), args.view.centre, math::sh_basis_vjp(kDegree, direction, v_basis));
}

SPLAT_DEVICE GeometryGradient geometry_chain(const UpdateArgs& args, const float* rows,
                                             const math::SplatGradient<float>& g, const Vec3<float>& by_colour) {
  const Vec3<float> mean = mean_rows(rows), scale = scale_rows(rows);
  const math::Quat<float> quat = quat_rows(rows);
  const float opacity = math::sigmoid(row_value(rows, kOpacityRow));
  float v_opacity = g.v_opacity, v_compensation = 0;
  if (args.antialias) {
    v_compensation = g.v_opacity * opacity;
    v_opacity = g.v_opacity * math::project(args.view, mean, quat, scale).compensation;
  }
  const math::ProjectionGradient<float> p =
      math::project_vjp(args.view, mean, quat, scale, g.v_mean_px, g.v_conic, v_compensation);
  return {p.v_mean + by_colour, p.v_log_scale, p.v_quat, math::sigmoid_vjp(opacity, v_opacity)};
}

// Weights of mean(opacity) and mean(scale); zero for a splat where they are not finite.
SPLAT_DEVICE void add_regularizers(const UpdateArgs& args, const float* rows, GeometryGradient& g) {
  if (args.opacity_regularizer != 0) {
    const float v = math::sigmoid_vjp(math::sigmoid(row_value(rows, kOpacityRow)), args.opacity_regularizer);
    g.v_logit_opacity += math::zero_unless(math::is_finite(v), v);
  }
  if (args.scale_regularizer != 0) {
    const Vec3<float> v = args.scale_regularizer * scale_rows(rows);
    g.v_log_scale.x += math::zero_unless(math::is_finite(v.x), v.x);
    g.v_log_scale.y += math::zero_unless(math::is_finite(v.y), v.y);
    g.v_log_scale.z += math::zero_unless(math::is_finite(v.z), v.z);
  }
}

template <bool kStep, int kDegree>
SPLAT_DEVICE void put_colour(const Sink<kStep>& sink, const float* basis, const Vec3<float>& v_colour) {
  const UpdateArgs& args = sink.args;
  constexpr int kCoefficients = (kDegree + 1) * (kDegree + 1);
#pragma unroll
  for (int k = 0; k < kCoefficients; ++k)
    sink.put(kShRow + 3 * k, basis[k] * v_colour, k == 0 ? args.sh0_step : args.sh_rest_step);
  for (int k = kCoefficients; k < args.moment_coefficients; ++k)
    sink.put(kShRow + 3 * k, Vec3<float>{0, 0, 0}, args.sh_rest_step);
}

template <bool kStep>
SPLAT_DEVICE void put_geometry(const Sink<kStep>& sink, const GeometryGradient& g) {
  const UpdateArgs& args = sink.args;
  sink.put(kMeanRow, g.v_mean, args.mean_step);
  sink.put(kLogScaleRow, g.v_log_scale, args.log_scale_step);
  sink.put(kQuatRow, g.v_quat.w, args.quat_step);
  sink.put(kQuatRow + 1, Vec3<float>{g.v_quat.x, g.v_quat.y, g.v_quat.z}, args.quat_step);
  sink.put(kOpacityRow, g.v_logit_opacity, args.opacity_step);
}

template <bool kStep, int kDegree>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) update_kernel(UpdateArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || args.counters->instances > args.capacity) return;
  const size_t at = splat / kBlockSplats * args.block_floats + splat % kBlockSplats;
  const size_t moments_at = splat / kBlockSplats * 2 * args.block_floats + splat % kBlockSplats;
  const Sink<kStep> sink{args, args.parameters + at, kStep ? args.moments + moments_at : nullptr,
                         kStep ? nullptr : args.gradients_out + at};
  GeometryGradient geometry = {};
  Vec3<float> v_colour{0, 0, 0};
  float basis[16] = {};
  math::SplatGradient<float> g;
  if (args.radii[splat] > 0) {
    const bool finite = projected_gradient(args, splat, g);
    if (args.visible_count) add_statistics(args, splat, finite, g);
    if (finite) {
      const Vec3<float> direction = math::view_direction(mean_rows(sink.rows), args.view.centre);
      geometry =
          geometry_chain(args, sink.rows, g, mean_gradient_by_colour<kDegree>(args, sink.rows, direction, g.v_colour));
      if (all_finite(geometry)) {
        v_colour = g.v_colour;
        math::sh_basis(kDegree, direction, basis);
      } else {
        geometry = {};
      }
    }
  }
  if constexpr (kStep) add_regularizers(args, sink.rows, geometry);
  put_colour<kStep, kDegree>(sink, basis, v_colour);
  put_geometry(sink, geometry);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) statistics_kernel(UpdateArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || args.counters->instances > args.capacity) return;
  if (!(args.radii[splat] > 0)) return;
  math::SplatGradient<float> g;
  const bool finite = projected_gradient(args, splat, g);
  add_statistics(args, splat, finite, g);
}

dim3 grid_of(uint32_t splats) { return dim3((splats + kThreads - 1) / kThreads); }

template <int kDegree>
void launch_degree(const UpdateArgs& args, const Target& target) {
  launch("update", args.moments ? update_kernel<true, kDegree> : update_kernel<false, kDegree>, grid_of(args.splats),
         kThreads, target.stream, args);
}

}  // namespace

void update(const UpdateArgs& args, int sh_degree, const Target& target) {
  switch (sh_degree) {
    case 0:
      return launch_degree<0>(args, target);
    case 1:
      return launch_degree<1>(args, target);
    case 2:
      return launch_degree<2>(args, target);
    default:
      return launch_degree<3>(args, target);
  }
}

void accumulate_statistics(const UpdateArgs& args, const Target& target) {
  launch("statistics", statistics_kernel, grid_of(args.splats), kThreads, target.stream, args);
}

}  // namespace splat::gpu
