// L1 and SSIM of a strip of rows of one channel, and their gradient by the image. Rows stream through two rings of 11:
// horizontal windows of the images -> vertical windows, SSIM and its partials -> horizontal windows of the partials ->
// vertical windows, gradient. Nothing of the size of the image is stored, and the rings stay in the second-level cache.
// SSIM needs the second moments e11 and e22 only as their sum, so one map of their mean does for both.
#include "splat/backend/cpu/kernels.h"
#include "splat/core/simd.h"
#include "splat/math/ssim.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

constexpr int kRadius = math::kSsimWindow / 2, kRing = math::kSsimWindow;
constexpr int kPad = 16;                 // zeros on either side of a row that is windowed horizontally, floats
constexpr int kMaps = 4, kPartials = 3;  // mu1 mu2 (e11+e22)/2 e12; by_mu1 by_e11 by_e12

struct Strip {
  const LossArgs& args;
  int channel, width, height, stride;
  float* sources;              // [kMaps] padded rows
  float* partials;             // [kPartials] padded rows
  float* forward_ring;         // [kRing][kMaps][stride]
  float* backward_ring;        // [kRing][kPartials][stride]
  float* zeros;                // [kMaps][stride]
  FloatV window[kRadius + 1];  // from the centre outwards

  int padded() const { return stride + 2 * kPad; }
  float* padded_row(float* rows, int i) const { return rows + i * padded() + kPad; }
  const float* ring_row(const float* ring, int maps, int y) const {
    return y < 0 || y >= height ? zeros : ring + size_t(y % kRing) * maps * stride;
  }
};

struct PixelPair {
  FloatV rendered, target;
  MaskV counts;  // inside the image and not masked; elsewhere rendered = target
};

// Reads bytes [x, x + kLanes) of a row, which may end before.
SPLAT_INLINE FloatV load_row_bytes(const uint8_t* row, int x, int width) {
  if (x + kLanes <= width) return load_bytes(row + x);
  uint8_t tail[kLanes] = {};
  for (int i = 0; x + i < width; ++i) tail[i] = row[x + i];
  return load_bytes(tail);
}

SPLAT_INLINE PixelPair load_pixels(const Strip& s, int x, int y) {
  const size_t row = size_t(y) * s.width;
  const uint8_t* target = s.args.target + size_t(s.channel) * s.width * s.height + row;
  PixelPair p;
  p.counts = first_lanes(s.width - x < 0 ? 0 : s.width - x < kLanes ? s.width - x : kLanes);
  p.target = load_row_bytes(target, x, s.width) * FloatV(1.0 / 255.0);
  if (s.args.mask) p.counts = p.counts & (load_row_bytes(s.args.mask + row, x, s.width) > FloatV(0));
  const FloatV rendered = load(s.args.image + s.channel * s.args.size.plane() + size_t(y) * s.stride + x);
  p.rendered = select(p.counts, rendered, p.target);
  return p;
}

// The window along x of the padded row, at x.
SPLAT_INLINE FloatV window_along_x(const Strip& s, const float* row, int x) {
  FloatV total = s.window[0] * load(row + x);
  for (int k = 1; k <= kRadius; ++k)
    total = fma(s.window[k], load_unaligned(row + x - k) + load_unaligned(row + x + k), total);
  return total;
}
// The window along y of the rows given, at x.
SPLAT_INLINE FloatV window_along_y(const Strip& s, const float* const (&rows)[kRing], int x) {
  FloatV total = s.window[0] * load(rows[kRadius] + x);
  for (int k = 1; k <= kRadius; ++k)
    total = fma(s.window[k], load(rows[kRadius - k] + x) + load(rows[kRadius + k] + x), total);
  return total;
}

void window_sources(const Strip& s, int y) {
  for (int x = 0; x < s.stride; x += kLanes) {
    const PixelPair p = load_pixels(s, x, y);
    store(p.rendered, s.padded_row(s.sources, 0) + x);
    store(p.target, s.padded_row(s.sources, 1) + x);
    store(FloatV(0.5) * (p.rendered * p.rendered + p.target * p.target), s.padded_row(s.sources, 2) + x);
    store(p.rendered * p.target, s.padded_row(s.sources, 3) + x);
  }
  float* out = s.forward_ring + size_t(y % kRing) * kMaps * s.stride;
  for (int map = 0; map < kMaps; ++map)
    for (int x = 0; x < s.stride; x += kLanes)
      store(window_along_x(s, s.padded_row(s.sources, map), x), out + map * s.stride + x);
}

// SSIM of row y; returns its sum over the pixels that count.
float window_partials(const Strip& s, int y) {
  const float* rows[kMaps][kRing];
  for (int k = 0; k < kRing; ++k)
    for (int map = 0; map < kMaps; ++map)
      rows[map][k] = s.ring_row(s.forward_ring, kMaps, y + k - kRadius) + map * s.stride;
  FloatV total(0);
  for (int x = 0; x < s.stride; x += kLanes) {
    const FloatV mean_e = window_along_y(s, rows[2], x);
    const math::SsimPartials<FloatV> p = math::ssim_with_partials(math::SsimMoments<FloatV>{
        window_along_y(s, rows[0], x), window_along_y(s, rows[1], x), mean_e, mean_e, window_along_y(s, rows[3], x)});
    const MaskV counts = load_pixels(s, x, y).counts;
    total += zero_unless(counts, p.value);
    const FloatV scale = zero_unless(counts, FloatV(s.args.ssim_scale));
    store(scale * p.by_mu1, s.padded_row(s.partials, 0) + x);
    store(scale * p.by_e11, s.padded_row(s.partials, 1) + x);
    store(scale * p.by_e12, s.padded_row(s.partials, 2) + x);
  }
  float* out = s.backward_ring + size_t(y % kRing) * kPartials * s.stride;
  for (int map = 0; map < kPartials; ++map)
    for (int x = 0; x < s.stride; x += kLanes)
      store(window_along_x(s, s.padded_row(s.partials, map), x), out + map * s.stride + x);
  return sum(total);
}

// Writes the gradient of row y; returns the sum of |difference|.
float write_gradient(const Strip& s, int y) {
  const float* rows[kPartials][kRing];
  for (int k = 0; k < kRing; ++k)
    for (int map = 0; map < kPartials; ++map)
      rows[map][k] = s.ring_row(s.backward_ring, kPartials, y + k - kRadius) + map * s.stride;
  float* out = s.args.v_image + s.channel * s.args.size.plane() + size_t(y) * s.stride;
  FloatV total(0);
  for (int x = 0; x < s.stride; x += kLanes) {
    const PixelPair p = load_pixels(s, x, y);
    const FloatV difference = p.rendered - p.target;
    total += abs(difference);
    FloatV v = window_along_y(s, rows[0], x);
    v = fma(FloatV(2) * p.rendered, window_along_y(s, rows[1], x), v);
    v = fma(p.target, window_along_y(s, rows[2], x), v);
    const FloatV l1_scale(s.args.l1_scale);
    v += select(difference > FloatV(0), l1_scale, FloatV(0)) - select(difference < FloatV(0), l1_scale, FloatV(0));
    store(zero_unless(p.counts, v), out + x);
  }
  return sum(total);
}

void clear(float* p, size_t n) {
  for (size_t i = 0; i < n; i += kLanes) store(FloatV(0), p + i);
}

}  // namespace

size_t loss_scratch_floats(const ImageSize& size) {
  const size_t stride = size.stride();
  return (kMaps + kPartials) * (stride + 2 * kPad) + (kRing * (kMaps + kPartials) + kMaps) * stride;
}

void loss(const LossArgs& args, int channel, int first_row, int end_row, float* scratch) {
  Strip s{args, channel, args.size.width, args.size.height, args.size.stride(), scratch, {}, {}, {}, {}, {}};
  s.partials = s.sources + kMaps * s.padded();
  s.forward_ring = s.partials + kPartials * s.padded();
  s.backward_ring = s.forward_ring + size_t(kRing) * kMaps * s.stride;
  s.zeros = s.backward_ring + size_t(kRing) * kPartials * s.stride;
  clear(s.sources, size_t(kMaps + kPartials) * s.padded());
  clear(s.zeros, size_t(kMaps) * s.stride);
  for (int k = 0; k <= kRadius; ++k) s.window[k] = FloatV(args.window[kRadius + k]);
  const size_t sums = size_t(channel) * s.height;
  for (int y = first_row - 2 * kRadius; y < end_row + 2 * kRadius; ++y) {
    if (y >= 0 && y < s.height) window_sources(s, y);
    const int centre = y - kRadius;
    if (centre >= 0 && centre < s.height && centre >= first_row - kRadius && centre < end_row + kRadius) {
      const float total = window_partials(s, centre);
      if (centre >= first_row && centre < end_row) args.row_ssim[sums + centre] = total;
    }
    const int done = y - 2 * kRadius;
    if (done >= first_row && done < end_row) args.row_l1[sums + done] = write_gradient(s, done);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
