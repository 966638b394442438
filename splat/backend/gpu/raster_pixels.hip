// Pictures and their gradients between the planes that blending uses and the caller's arrays, one pixel a thread, and
// the gradient by the background.
#include "splat/backend/gpu/raster_kernels.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;

SPLAT_DEVICE size_t this_pixel() { return size_t(blockIdx.x) * kThreads + threadIdx.x; }

SPLAT_DEVICE size_t colour_at(const RasterPixelArgs& args, size_t pixel, int c) {
  return args.channels_first ? size_t(c) * args.size.pixels() + pixel : pixel * size_t(args.channels) + size_t(c);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_pictures_kernel(RasterPictureArgs args) {
  const size_t pixel = this_pixel(), plane = args.size.pixels();
  if (pixel >= plane) return;
  const float transmittance = args.transmittance[pixel];
  for (int c = 0; c < args.channels; ++c) {
    float& stored = args.image[size_t(c) * plane + pixel];
    float value = stored;
    if (args.background) stored = value = math::fma(transmittance, args.background[c], value);
    if (args.colour) args.colour[colour_at(args, pixel, c)] = value;
  }
  if (args.alpha) args.alpha[pixel] = 1 - transmittance;
  if (!args.out_depth) return;
  const float sum = args.image[size_t(args.channels) * plane + pixel];
  args.out_depth[pixel] = args.expected ? math::expected_depth(sum, 1 - transmittance) : sum;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_gradients_kernel(RasterGradientArgs args) {
  const size_t pixel = this_pixel(), plane = args.size.pixels();
  if (pixel >= plane) return;
  for (int c = 0; c < args.all_channels; ++c)
    args.v_image[size_t(c) * plane + pixel] =
        args.v_colour && c < args.channels ? args.v_colour[colour_at(args, pixel, c)] : 0.0f;
  float v_transmittance = args.v_alpha ? -args.v_alpha[pixel] : 0.0f;
  if (args.v_depth && args.depth != DepthChannel::kNone) {
    const size_t at = size_t(args.channels) * plane + pixel;
    float v_sum = args.v_depth[pixel];
    if (args.expected) {
      const math::ExpectedDepthGradient<float> v =
          math::expected_depth_vjp(args.image[at], 1 - args.transmittance[pixel], v_sum);
      v_sum = v.v_sum;
      v_transmittance -= v.v_alpha;
    }
    args.v_image[at] = v_sum;
  }
  if (args.v_transmittance) args.v_transmittance[pixel] = v_transmittance;
}

// A channel a row of the grid.
template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_background_kernel(RasterBackgroundArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(float, sums, kThreads / kWave);
    const float* const v = args.v_image + size_t(blockIdx.y) * args.pixels;
    float total = 0;
    for (size_t pixel = this_pixel(); pixel < args.pixels; pixel += size_t(kBackgroundBlocks) * kThreads)
      total = math::fma(args.transmittance[pixel], v[pixel], total);
    total = wave_sum<kWave>(total);
    if (threadIdx.x % kWave == 0) sums[threadIdx.x / kWave] = total;
    __syncthreads();
    if (threadIdx.x != 0) return;
    float all = 0;
    for (int w = 0; w < kThreads / kWave; ++w) all += sums[w];
    args.block_sums[size_t(blockIdx.y) * kBackgroundBlocks + blockIdx.x] = all;
  }
}
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_background_total_kernel(RasterBackgroundArgs args) {
  if (int(threadIdx.x) >= args.channels) return;
  double total = 0;
  for (int block = 0; block < kBackgroundBlocks; ++block)
    total += double(args.block_sums[size_t(threadIdx.x) * kBackgroundBlocks + size_t(block)]);
  args.v_background[threadIdx.x] = float(total);
}

dim3 grid_of(const ImageSize& size) { return dim3(unsigned((size.pixels() + kThreads - 1) / kThreads)); }

}  // namespace

void raster_write_pictures(const RasterPictureArgs& args, const Target& target) {
  launch("raster_pictures", raster_pictures_kernel, grid_of(args.size), kThreads, target.stream, args);
}
void raster_read_gradients(const RasterGradientArgs& args, const Target& target) {
  launch("raster_gradients", raster_gradients_kernel, grid_of(args.size), kThreads, target.stream, args);
}
void raster_background(const RasterBackgroundArgs& args, const Target& target) {
  if (args.channels == 0) return;
  launch("raster_background", target.wave == 64 ? raster_background_kernel<64> : raster_background_kernel<32>,
         dim3(kBackgroundBlocks, unsigned(args.channels)), kThreads, target.stream, args);
  launch("raster_background_total", raster_background_total_kernel, dim3(1), kThreads, target.stream, args);
}

}  // namespace splat::gpu
