// Projection, culling and colour, one splat a thread: the visible ones get records, and the number of tiles they reach.
// A block's splats share bounds, and where these lie outside the view none of them is read.
// Coefficients of the colour are read last, and by visible splats only.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"
#include "splat/backend/gpu/tile_counts.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = kBoundedSplats;

struct Drawn {
  SplatRecord record;
  TileRecord tiles;
  float radius;  // 0: not visible
};

template <int kDegree>
SPLAT_DEVICE Drawn draw_splat(const ProjectArgs& args, uint32_t splat) {
  Drawn out = {};
  const SplatRows rows = SplatRows::of(args.parameters, args.block_floats, splat);
  if (!(math::camera_from_world(args.view, rows.mean()).z >= args.view.near_plane)) return out;
  if (!(args.opacity_factor * rows.opacity() >= float(math::kAlphaMin))) return out;
  if (!math::is_drawn(args.dropout, splat)) return out;
  const uint32_t look = args.looks ? args.looks[splat] : 0;
  if (look & math::kNotDrawn) return out;
  const math::Footprint<float> f = math::footprint(args.view, args.antialias, args.opacity_factor, rows);
  if (!f.in_view) return out;
  math::Vec3<float> colour = math::unclamped_colour_of(args.view, kDegree, rows);
  if (look & math::kTinted) {
    const math::Tint tint = args.tints[math::tint_number(look)];
    colour = math::tinted({tint.red, tint.green, tint.blue}, tint.share, colour);
  }
  colour = math::clamp_colour(colour);
  if (!math::all_finite(colour)) return out;
  const math::Projection<float>& p = f.projection;
  const math::EllipseRows<float>& e = f.ellipse.rows;
  const math::WeightForm<float> form = math::weight_form(p.conic, f.opacity);
  out.record = {p.mean_px.x, p.mean_px.y, form.xx,  form.xy, form.yy,   form.log2_opacity,
                colour.x,    colour.y,    colour.z, e.t,     f.opacity, p.depth};
  out.tiles = {p.mean_px.x, p.mean_px.y, e};
  out.radius = math::three_sigma_radius(p.covariance);
  return out;
}

template <int kWave>
SPLAT_DEVICE float wave_max(float value) {
#pragma unroll
  for (int step = kWave / 2; step > 0; step /= 2) value = math::max(value, wave_shuffle_xor(value, step, kWave));
  return value;
}

// The bounds of the block's splats, from each thread's `own`.
template <int kWave>
SPLAT_DEVICE void store_bounds(const math::RowBounds<float>& own, math::RowBounds<float>& bounds) {
  constexpr int kValues = 7;
  SPLAT_LDS(float, most, kValues* kThreads / kWave);
  const float values[kValues] = {-own.low.x, -own.low.y, -own.low.z, own.high.x, own.high.y, own.high.z, own.log_scale};
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    const float value = wave_max<kWave>(values[i]);
    if (threadIdx.x % kWave == 0) most[kValues * int(threadIdx.x / kWave) + i] = value;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  float m[kValues];
  for (int i = 0; i < kValues; ++i) {
    m[i] = most[i];
    for (int w = 1; w < kThreads / kWave; ++w) m[i] = math::max(m[i], most[kValues * w + i]);
  }
  bounds = {{-m[0], -m[1], -m[2]}, {m[3], m[4], m[5]}, m[6]};
}

template <int kWave, int kDegree>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) project_kernel(ProjectArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
    const bool exists = splat < args.splats;
    math::RowBounds<float>& bounds = args.bounds[blockIdx.x];
    const bool reached = math::may_be_visible(args.sides, bounds), known = math::are_known(bounds);
    if (!known) {
      math::RowBounds<float> own = math::bounds_of_no_rows<float>();
      if (exists) {
        const SplatRows rows = SplatRows::of(args.parameters, args.block_floats, splat);
        math::include(rows.mean(), rows.vec3(kLogScaleRow), own);
      }
      __syncthreads();  // all have read the bounds
      store_bounds<kWave>(own, bounds);
    }
    Drawn drawn = {};
    if (exists && reached) drawn = draw_splat<kDegree>(args, splat);
    const bool visible = drawn.radius > 0;
    const uint32_t tiles = count_tiles<kWave>(drawn.tiles, args.tiles_x, args.tiles_y, visible);
    const uint32_t depth_bits = float_bits(drawn.record.depth);
    add_to_counters<kWave>(args.counters, tiles, depth_bits, visible);
    if (!exists) return;
    args.radii[splat] = drawn.radius;
    args.tile_counts[splat] = tiles;
    if (args.depth_keys) args.depth_keys[splat] = visible ? depth_bits : ~0u;
    if (!visible) return;
    args.records[splat] = drawn.record;
    args.tile_records[splat] = drawn.tiles;
    for (int k = 0; k < kMomentFloats; ++k) args.gradients[size_t(splat) * kGradientFloats + k] = 0;
  }
}

template <int kDegree>
void launch_degree(const ProjectArgs& args, const Target& target) {
  launch("project", target.wave == 64 ? project_kernel<64, kDegree> : project_kernel<32, kDegree>,
         dim3((args.splats + kThreads - 1) / kThreads), kThreads, target.stream, args);
}

}  // namespace

void project(const ProjectArgs& args, int sh_degree, const Target& target) {
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

}  // namespace splat::gpu
