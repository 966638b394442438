// L1 and SSIM and their gradient by the image, in two passes over 16x16 blocks of one channel each: windowed moments ->
// SSIM and its partials; windowed partials -> gradient. Windows are separable and go through LDS, first along x.
// SSIM needs the second moments e11 and e22 only as their sum, so one map of their mean does for both.
#include "splat/backend/gpu/kernels.h"
#include "splat/math/background.h"
#include "splat/math/l1.h"
#include "splat/math/ssim.h"

namespace splat::gpu {
namespace {

constexpr int kSide = 16, kThreads = kSide * kSide, kRadius = math::kSsimWindow / 2;
constexpr int kPadded = kSide + 2 * kRadius;  // with the pixels that the window reaches
constexpr int kLoaded = kPadded * kPadded, kWindowedX = kPadded * kSide;
constexpr int kMaps = 4;  // mu1 mu2 (e11+e22)/2 e12

struct PixelPair {
  float drawn, rendered, target;  // rendered: as drawn, seen through the photo's colour
  bool counts;                    // inside the image and not masked; elsewhere rendered = target
  bool shows;                     // of these, where the photo is not quite transparent
};

SPLAT_DEVICE PixelPair load_pixels(const LossArgs& args, int x, int y) {
  PixelPair p = {0, 0, 0, false, false};
  if (x < 0 || y < 0 || x >= args.size.width || y >= args.size.height) return p;
  const size_t at = size_t(y) * size_t(args.size.width) + size_t(x), plane = args.size.pixels();
  const float alpha = args.alpha == nullptr ? 255.0f : float(args.alpha[at]);
  p.target = math::over_other_background(float(args.target[blockIdx.z * plane + at]), alpha,
                                         args.background_change[blockIdx.z]) *
             float(1.0 / 255.0);
  p.counts = args.mask == nullptr || args.mask[at] != 0;
  p.shows = p.counts && alpha > 0;
  p.drawn = args.image[blockIdx.z * plane + at];
  p.rendered = p.counts ? math::photo_colour(args.colour[blockIdx.z], p.drawn) : p.target;
  return p;
}

// Half of the symmetric window, from the centre outwards.
template <class Load>
SPLAT_DEVICE float window_sum(const LossArgs& args, const Load& load) {
  float total = args.window[kRadius] * load(0);
#pragma unroll
  for (int k = 1; k <= kRadius; ++k) total = math::fma(args.window[kRadius + k], load(-k) + load(k), total);
  return total;
}

struct Place {
  int x, y;     // px
  bool inside;  // the image
  size_t at;    // of the pixel in a plane
};
SPLAT_DEVICE Place place_of_thread(const ImageSize& size) {
  Place p;
  p.x = int(blockIdx.x) * kSide + int(threadIdx.x) % kSide;
  p.y = int(blockIdx.y) * kSide + int(threadIdx.x) / kSide;
  p.inside = p.x < size.width && p.y < size.height;
  p.at = size_t(p.y) * size_t(size.width) + size_t(p.x);
  return p;
}

// The block's sum, in thread 0, always in the same order; `sums` is LDS of one value a wave.
template <int kWave, class Sums>
SPLAT_DEVICE float block_sum(float value, Sums& sums) {
  const float wave_total = wave_sum<kWave>(value);
  if (threadIdx.x % kWave == 0) sums[threadIdx.x / kWave] = wave_total;
  __syncthreads();
  float total = 0;
  if (threadIdx.x == 0)
    for (int w = 0; w < kThreads / kWave; ++w) total += sums[w];
  return total;
}

SPLAT_DEVICE size_t block_number() { return (size_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) ssim_kernel(LossArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(float, rendered, kLoaded);
    SPLAT_LDS(float, target, kLoaded);
    SPLAT_LDS(float, windowed, kMaps* kWindowedX);
    SPLAT_LDS(float, sums, kThreads / kWave);
    const int left = int(blockIdx.x) * kSide - kRadius, top = int(blockIdx.y) * kSide - kRadius;
    for (int i = int(threadIdx.x); i < kLoaded; i += kThreads) {
      const PixelPair p = load_pixels(args, left + i % kPadded, top + i / kPadded);
      rendered[i] = p.rendered;
      target[i] = p.target;
    }
    __syncthreads();
    for (int i = int(threadIdx.x); i < kWindowedX; i += kThreads) {
      const int centre = i / kSide * kPadded + i % kSide + kRadius;
      windowed[i] = window_sum(args, [&](int k) { return float(rendered[centre + k]); });
      windowed[kWindowedX + i] = window_sum(args, [&](int k) { return float(target[centre + k]); });
      windowed[2 * kWindowedX + i] = window_sum(args, [&](int k) {
        const float a = rendered[centre + k], b = target[centre + k];
        return 0.5f * (a * a + b * b);
      });
      windowed[3 * kWindowedX + i] =
          window_sum(args, [&](int k) { return float(rendered[centre + k]) * float(target[centre + k]); });
    }
    __syncthreads();
    const int centre = int(threadIdx.x) + kRadius * kSide;
    float moments[kMaps];
#pragma unroll
    for (int map = 0; map < kMaps; ++map)
      moments[map] = window_sum(args, [&](int k) { return float(windowed[map * kWindowedX + centre + k * kSide]); });
    const math::SsimPartials<float> p =
        math::ssim_with_partials(math::SsimMoments<float>{moments[0], moments[1], moments[2], moments[2], moments[3]});
    const Place place = place_of_thread(args.size);
    const bool counts = place.inside && (args.mask == nullptr || args.mask[place.at] != 0);
    const float scale = counts ? args.ssim_scale : 0;
    const size_t plane = args.size.pixels();
    if (place.inside) {
      args.partials[(0 + blockIdx.z) * plane + place.at] = scale * p.by_mu1;
      args.partials[(3 + blockIdx.z) * plane + place.at] = scale * p.by_e11;
      args.partials[(6 + blockIdx.z) * plane + place.at] = scale * p.by_e12;
    }
    const float total = block_sum<kWave>(counts ? p.value : 0.0f, sums);
    if (threadIdx.x == 0) args.block_ssim[block_number()] = total;
  }
}

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) loss_gradient_kernel(LossArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(float, partial, kLoaded);
    SPLAT_LDS(float, windowed, kWindowedX);
    SPLAT_LDS(float, sums, kThreads / kWave);
    SPLAT_LDS(float, gain_sums, kThreads / kWave);
    SPLAT_LDS(float, bias_sums, kThreads / kWave);
    const int left = int(blockIdx.x) * kSide - kRadius, top = int(blockIdx.y) * kSide - kRadius;
    const size_t plane = args.size.pixels();
    float by[3];
#pragma unroll
    for (int map = 0; map < 3; ++map) {
      const float* source = args.partials + (3 * size_t(map) + blockIdx.z) * plane;
      for (int i = int(threadIdx.x); i < kLoaded; i += kThreads) {
        const int x = left + i % kPadded, y = top + i / kPadded;
        const bool inside = x >= 0 && y >= 0 && x < args.size.width && y < args.size.height;
        partial[i] = inside ? source[size_t(y) * size_t(args.size.width) + size_t(x)] : 0.0f;
      }
      __syncthreads();
      for (int i = int(threadIdx.x); i < kWindowedX; i += kThreads) {
        const int centre = i / kSide * kPadded + i % kSide + kRadius;
        windowed[i] = window_sum(args, [&](int k) { return float(partial[centre + k]); });
      }
      __syncthreads();
      const int centre = int(threadIdx.x) + kRadius * kSide;
      by[map] = window_sum(args, [&](int k) { return float(windowed[centre + k * kSide]); });
    }
    const Place place = place_of_thread(args.size);
    float difference = 0;
    math::ChannelColour<float> by_colour = {0, 0};
    if (place.inside) {
      const PixelPair p = load_pixels(args, place.x, place.y);
      difference = p.rendered - p.target;
      const float v =
          math::ssim_pixel_vjp(p.rendered, p.target, by[0], by[1], by[2]) + math::l1_vjp(difference, args.l1_scale);
      const auto gradient = math::photo_colour_vjp(args.colour[blockIdx.z], p.drawn, v);
      args.v_image[blockIdx.z * plane + place.at] = p.counts ? gradient.by_value : 0.0f;
      if (p.shows) by_colour = {gradient.by_gain, gradient.by_bias};
    }
    const float total = block_sum<kWave>(math::abs(difference), sums);
    const float by_gain = block_sum<kWave>(by_colour.gain, gain_sums),
                by_bias = block_sum<kWave>(by_colour.bias, bias_sums);
    if (threadIdx.x == 0) {
      args.block_l1[block_number()] = total;
      args.block_v_colour[block_number()] = {by_gain, by_bias};
    }
  }
}

// One block: the sums of all blocks, in double.
template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) total_kernel(LossArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(double, sums, kLossSums* kThreads / kWave);
    const size_t blocks =
        size_t((args.size.width + kSide - 1) / kSide) * size_t((args.size.height + kSide - 1) / kSide);
    double totals[kLossSums] = {};
#pragma unroll
    for (size_t channel = 0; channel < 3; ++channel)
      for (size_t i = threadIdx.x; i < blocks; i += kThreads) {
        const size_t block = channel * blocks + i;
        totals[0] += args.block_l1[block];
        totals[1] += args.block_ssim[block];
        totals[2 + 2 * channel] += args.block_v_colour[block].gain;
        totals[3 + 2 * channel] += args.block_v_colour[block].bias;
      }
#pragma unroll
    for (int i = 0; i < kLossSums; ++i) {
      const double total = wave_sum<kWave>(totals[i]);
      if (threadIdx.x % kWave == 0) sums[kLossSums * int(threadIdx.x / kWave) + i] = total;
    }
    __syncthreads();
    if (threadIdx.x >= kLossSums) return;
    double total = 0;
    for (int w = 0; w < kThreads / kWave; ++w) total += sums[kLossSums * w + int(threadIdx.x)];
    args.sums[threadIdx.x] = total;
  }
}

dim3 loss_grid(const ImageSize& size) {
  return dim3(unsigned((size.width + kSide - 1) / kSide), unsigned((size.height + kSide - 1) / kSide), 3);
}

}  // namespace

size_t loss_blocks(const ImageSize& size) {
  const dim3 grid = loss_grid(size);
  return size_t(grid.x) * grid.y * grid.z;
}

void loss(const LossArgs& args, const Target& target) {
  const bool wide = target.wave == 64;
  const dim3 grid = loss_grid(args.size);
  launch("ssim", wide ? ssim_kernel<64> : ssim_kernel<32>, grid, kThreads, target.stream, args);
  launch("loss_gradient", wide ? loss_gradient_kernel<64> : loss_gradient_kernel<32>, grid, kThreads, target.stream,
         args);
  launch("loss_total", wide ? total_kernel<64> : total_kernel<32>, dim3(1), kThreads, target.stream, args);
}

}  // namespace splat::gpu
