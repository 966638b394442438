// The adjoint of blending: the same walk again, front to back. Each wave sums a splat's nine moments over its region,
// first over columns, for which six suffice, by folds that end with each moment in a lane of its own, and adds them to
// the splat's 64-byte record with one atomic instruction of nine lanes.
#include "splat/backend/gpu/replay.h"
#include "splat/core/gpu_lanes.h"

namespace splat::gpu {
namespace {

template <class Kind>
inline constexpr bool kHasFourth = false;
template <int kWave>
inline constexpr bool kHasFourth<FourChannelReplay<kWave>> = true;

// By the fourth channel of the splat, where there is one.
template <int kWave>
SPLAT_DEVICE void add_fourth(const Replay<kWave>&, int, float, float&) {}
template <int kWave>
SPLAT_DEVICE void add_fourth(const FourChannelReplay<kWave>& replay, int p, float weight, float& v_fourth) {
  v_fourth = math::fma(weight, replay.v_fourth[p], v_fourth);
}

SPLAT_DEVICE constexpr int gradient_floats(const BlendArgs&) { return kGradientFloats; }
SPLAT_DEVICE int gradient_floats(const RasterBlendArgs& args) { return args.gradient_floats; }

// The lane's moments of one splat; false when it contributes to none of its pixels.
template <int kWave, class Kind>
SPLAT_DEVICE bool replay_splat(const SplatRecord& r, float dx, float y, Kind& replay,
                               math::ColumnMoments<float>& moments, float& v_fourth) {
  bool contributes = false;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const float dy = y + float(p * (kWave / kRegionSize)) - r.mean_y;
    math::Vec3<float> v_colour;
    const math::BlendGradient<float> g = replay_pixel<kWave>(r, {dx, dy}, p, replay, v_colour);
    if (p == 0)
      moments = math::column_moments(dy, g.w, g.weight, v_colour);
    else
      math::add_moments(moments, dy, g.w, g.weight, v_colour);
    add_fourth<kWave>(replay, p, g.weight, v_fourth);
    contributes |= g.weight > 0;
  }
  return contributes;
}

// Sums over the wave: in each lane of one of the nine, or ten, moment_of_lane() says of which.
template <int kWave, bool kFour>
SPLAT_DEVICE float sum_moments(const math::ColumnMoments<float>& m, float v_fourth, float dx) {
  const float w_wy = fold_halves<8>(m.w, m.wy), wyy_red = fold_halves<8>(m.wyy, m.v_colour.x);
  float colours = fold_halves<8>(m.v_colour.y, m.v_colour.z);
  if constexpr (kFour)
    colours = fold_halves<16>(colours, add_halves<8>(v_fourth));
  else
    colours = add_halves<16>(colours);
  float column = fold_halves<16>(w_wy, wyy_red);
  if constexpr (kWave == 64) column = fold_halves<32>(column, colours);
  const float by_x = column * dx, by_xx = by_x * dx;
  const float even = fold_halves<4>(column, by_x);
  const float odd = kWave == 64 ? add_halves<4>(by_xx) : fold_halves<4>(by_xx, colours);
  return add_halves<2>(fold_halves<1>(even, odd));
}
constexpr int kNone = -1;
// The sums of math::SplatMoments in its order, and the fourth channel's.
template <int kWave, bool kFour>
SPLAT_DEVICE int moment_of_lane(int lane) {
  constexpr int kGreenLane = kWave == 64 ? 32 : 5;
  if constexpr (kFour)
    if (lane == kGreenLane + 16) return 9;
  switch (lane) {
    case 0:  // w
      return 0;
    case 4:  // wx
      return 1;
    case 8:  // wy
      return 2;
    case 1:  // wxx
      return 3;
    case 12:  // wxy
      return 4;
    case 16:  // wyy
      return 5;
    case 24:  // red
      return 6;
    case kGreenLane:
      return 7;
    case kGreenLane + 8:  // blue
      return 8;
    default:
      return kNone;
  }
}

template <int kWave, template <int> class Kind>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) blend_backward_kernel(typename Kind<kWave>::Args args) {
  if constexpr (wave_size_is<kWave>()) {
    constexpr bool kFour = kHasFourth<Kind<kWave>>;
    SPLAT_LDS(SplatRecord, batch, kBatch);
    SPLAT_LDS(uint32_t, batch_splats, kBatch);
    SPLAT_LDS(uint32_t, finished, kWavesPerTile);
    const int lane = int(threadIdx.x % kWave), wave = int(threadIdx.x / kWave);
    const Region region = Region::of_wave<kWave>(args.size);
    const float x = float(region.x<kWave>()) + 0.5f, y = float(region.y<kWave>(0)) + 0.5f;
    const int moment = moment_of_lane<kWave, kFour>(lane);
    const int slot = moment < kColourSlot ? moment : moment - kColourSlot + args.colour_slot;
    float* const gradients = args.gradients + (moment == kNone ? 0 : slot);
    Kind<kWave> replay;
    start_replay<kWave>(args, region, replay);
    bool live = wave_any(any_live<kWave>(replay));
    const uint32_t end = args.end[blockIdx.x];
    for (uint32_t at = args.first[blockIdx.x]; at < end; at += kBatch) {
      if (lane == 0) finished[wave] = !live;
      __syncthreads();
      if (finished[0] & finished[1] & finished[2] & finished[3]) break;
      const int n = int(end - at < kBatch ? end - at : kBatch);
      if (int(threadIdx.x) < n) {
        const uint32_t splat = args.splats[at + threadIdx.x];
        batch_splats[threadIdx.x] = splat;
        batch[threadIdx.x] = args.records[splat];
      }
      __syncthreads();
      for (int group = 0; live && group < n; group += kWave) {
        const bool reached = group + lane < n && region.reached_by(batch[group + lane]);
        for (auto splats = LaneMask<kWave>(wave_ballot(reached)); splats; splats &= splats - 1) {
          const int i = group + first_lane(splats);
          const SplatRecord r = batch[i];
          const float dx = x - r.mean_x;
          math::ColumnMoments<float> moments;
          float v_fourth = 0;
          if (!wave_any(replay_splat<kWave>(r, dx, y, replay, moments, v_fourth))) continue;
          const float sum = sum_moments<kWave, kFour>(moments, v_fourth, dx);
          if (moment != kNone) add_float(gradients + size_t(batch_splats[i]) * gradient_floats(args), sum);
        }
        live = wave_any(any_live<kWave>(replay));
      }
    }
  }
}

template <template <int> class Kind>
void launch_kind(const typename Kind<64>::Args& args, const Target& target) {
  launch("blend_backward", target.wave == 64 ? blend_backward_kernel<64, Kind> : blend_backward_kernel<32, Kind>,
         dim3(unsigned(args.size.tiles())), unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace

void blend_backward(const BlendArgs& args, const Target& target) {
  if (args.distortion.sums)
    launch_kind<PlaneReplay>(args, target);
  else
    launch_kind<Replay>(args, target);
}
void raster_blend_backward(const RasterBlendArgs& args, const Target& target) {
  if (args.four)
    launch_kind<FourChannelReplay>(args, target);
  else
    launch_kind<RasterReplay>(args, target);
}

}  // namespace splat::gpu
