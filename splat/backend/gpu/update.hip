// From the sums over pixels to the gradients by the parameters, and one step of Adam on every parameter of the splats
// that are visible, or of all, one splat a thread. Colour first: its part of the chain reads the coefficients before
// they are stepped. Does what cpu/combine.cpp does as well: blend_backward left the sums complete.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/projected_gradient.h"

namespace splat::gpu {
namespace {

using math::Vec3;

constexpr int kThreads = 128;

// What to do with a gradient: hand it out, or step the parameter, by moments held as two floats or packed into one.
enum class Put { kOut, kStep, kStepPacked };

template <Put kPut>
struct Sink {
  const UpdateArgs& args;
  uint32_t rounding;              // of packed moments
  float* rows;                    // of the parameters
  float* moments;                 // [row][2] or, packed, [row]
  float* out;                     // like rows
  math::AdamPause<float> pause;   // before this step, where there was one
  const math::AdamValues* moved;  // likewise; null: there was none

  SPLAT_DEVICE void put(int row, float gradient, math::AdamGroup group) const {
    if constexpr (kPut == Put::kOut) {
      out[row * kBlockSplats] = gradient;
      return;
    }
    float parameter = rows[row * kBlockSplats];
    const float size = args.sizes.of[group], before = moved ? moved->of[group] : 0;
    if constexpr (kPut == Put::kStepPacked) {
      float& packed = moments[row * kBlockSplats];
      uint32_t words = math::word_bits(packed);
      math::packed_adam_step(parameter, words, gradient, args.adam, size, math::rounding_bits(rounding, uint32_t(row)),
                             moved ? &pause : nullptr, before);
      packed = math::float_of_bits(words);
    } else {
      float* m = moments + 2 * row * kBlockSplats;
      float first = m[0], second = m[kBlockSplats];
      if (moved) math::adam_pause(parameter, first, second, pause, before, args.adam);
      math::adam_step(parameter, first, second, gradient, args.adam, size);
      m[0] = first;
      m[kBlockSplats] = second;
    }
    rows[row * kBlockSplats] = parameter;
  }
  SPLAT_DEVICE void put(int row, const Vec3<float>& gradient, math::AdamGroup group) const {
    put(row, gradient.x, group);
    put(row + 1, gradient.y, group);
    put(row + 2, gradient.z, group);
  }
};

SPLAT_DEVICE void add_statistics(const UpdateArgs& args, uint32_t splat, bool finite,
                                 const math::SplatGradient<float>& g) {
  if (finite)
    args.mean2d_gradient_norm[splat] += math::screen_gradient_norm(g.v_mean_px, args.half_width, args.half_height);
  ++args.visible_count[splat];
  args.max_radius_px[splat] = math::max(args.max_radius_px[splat], args.radii[splat]);
}

template <Put kPut, int kDegree>
SPLAT_DEVICE void put_colour(const Sink<kPut>& sink, const float* basis, const Vec3<float>& v_colour) {
  const UpdateArgs& args = sink.args;
  constexpr int kCoefficients = (kDegree + 1) * (kDegree + 1);
#pragma unroll
  for (int k = 0; k < kCoefficients; ++k)
    sink.put(kShRow + 3 * k, basis[k] * v_colour, k == 0 ? math::kSh0Group : math::kShRestGroup);
  for (int k = kCoefficients; k < args.moment_coefficients; ++k)
    sink.put(kShRow + 3 * k, Vec3<float>{0, 0, 0}, math::kShRestGroup);
}

template <Put kPut>
SPLAT_DEVICE void put_geometry(const Sink<kPut>& sink, const math::GeometryGradient<float>& g) {
  sink.put(kMeanRow, g.v_mean, math::kMeanGroup);
  sink.put(kLogScaleRow, g.v_log_scale, math::kLogScaleGroup);
  sink.put(kQuatRow, g.v_quat.w, math::kQuatGroup);
  sink.put(kQuatRow + 1, Vec3<float>{g.v_quat.x, g.v_quat.y, g.v_quat.z}, math::kQuatGroup);
  sink.put(kOpacityRow, g.v_logit_opacity, math::kOpacityGroup);
}

// Notes the step, and what the splat has missed before.
template <Put kPut>
SPLAT_DEVICE void begin_step(uint32_t splat, Sink<kPut>& sink) {
  const UpdateArgs& args = sink.args;
  const uint32_t last_step = args.last_step[splat], missed = math::missed_steps(args.iteration, last_step);
  if (missed > 0) {
    sink.pause = math::adam_pause(float(missed), args.adam);
    sink.moved = args.pauses + row_of_pause(args.iteration, last_step);
  }
  args.last_step[splat] = args.iteration;
  args.bounds[splat / kBoundedSplats].log_scale = __builtin_nanf("");
}

template <Put kPut, int kDegree>
SPLAT_DEVICE void update_splat(const UpdateArgs& args) {
  constexpr bool kStep = kPut != Put::kOut;
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat < args.fixed || splat >= args.splats || args.counters->instances > args.capacity) return;
  const bool visible = args.radii[splat] > 0;
  if (kStep && !visible && !args.all_rows) return;
  const size_t at = splat / kBlockSplats * args.block_floats + splat % kBlockSplats;
  constexpr size_t kStreams = kPut == Put::kStepPacked ? 1 : 2;
  const size_t moments_at = splat / kBlockSplats * kStreams * args.block_floats + splat % kBlockSplats;
  Sink<kPut> sink{args,
                  math::splat_rounding(splat, args.rounding),
                  args.parameters + at,
                  kStep ? args.moments + moments_at : nullptr,
                  kStep ? nullptr : args.gradients_out + at,
                  {},
                  nullptr};
  if constexpr (kStep) begin_step(splat, sink);
  const SplatRows rows{sink.rows};
  math::ParameterGradient<float> v;
  math::no_parameter_gradient(v);
  if (visible) {
    math::SplatGradient<float> g;
    const bool finite = load_gradient(args, splat, g);
    if (args.visible_count) add_statistics(args, splat, finite, g);
    if (finite) math::parameter_gradient(args.view, args.antialias, args.opacity_factor, kDegree, rows, g, true, v);
    if (finite && args.planes) add_plane_gradient(args, splat, v.geometry);
  }
  if constexpr (kStep) math::add_regularizers(args.regularizers, rows, v.geometry);
  put_colour<kPut, kDegree>(sink, v.basis, v.v_colour);
  put_geometry(sink, v.geometry);
}

template <bool kStep, int kDegree>
__global__ void SPLAT_LAUNCH_BOUNDS_CUDA(kThreads, 4) update_kernel(UpdateArgs args) {
  update_splat<kStep ? Put::kStep : Put::kOut, kDegree>(args);
}
template <int kDegree>
__global__ void SPLAT_LAUNCH_BOUNDS_CUDA(kThreads, 4) packed_update_kernel(UpdateArgs args) {
  update_splat<Put::kStepPacked, kDegree>(args);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) pauses_kernel(PauseRows args) {
  const uint32_t row = threadIdx.x;
  if (row < args.count) args.pauses[(args.first + row) % AdamPauses::kKept] = args.rows[row];
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) statistics_kernel(UpdateArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || args.counters->instances > args.capacity) return;
  if (!(args.radii[splat] > 0)) return;
  math::SplatGradient<float> g;
  const bool finite = load_gradient(args, splat, g);
  add_statistics(args, splat, finite, g);
}

dim3 grid_of(uint32_t splats) { return dim3((splats + kThreads - 1) / kThreads); }

template <int kDegree>
void launch_degree(const UpdateArgs& args, const Target& target) {
  launch("update",
         !args.moments         ? update_kernel<false, kDegree>
         : args.moments_packed ? packed_update_kernel<kDegree>
                               : update_kernel<true, kDegree>,
         grid_of(args.splats), kThreads, target.stream, args);
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

void write_pauses(const PauseRows& args, const Target& target) {
  static_assert(PauseRows::kMost <= kThreads);
  launch("pauses", pauses_kernel, dim3(1), kThreads, target.stream, args);
}

void accumulate_statistics(const UpdateArgs& args, const Target& target) {
  launch("statistics", statistics_kernel, grid_of(args.splats), kThreads, target.stream, args);
}

}  // namespace splat::gpu
