// L1 and SSIM of a strip of rows of one channel, and their gradient by the image. Rows stream through two rings of 11:
// horizontal windows of the images -> vertical windows, SSIM and its partials -> horizontal windows of the partials ->
// vertical windows, gradient. Nothing of the size of the image is stored, and the rings stay in the second-level cache.
// SSIM needs the second moments e11 and e22 only as their sum, so one map of their mean does for both.
#include "splat/backend/cpu/kernels.h"
#include "splat/core/simd.h"
#include "splat/math/background.h"
#include "splat/math/l1.h"
#include "splat/math/ssim.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

constexpr int kRadius = math::kSsimWindow / 2, kRing = math::kSsimWindow;
constexpr int kPad = 16;                 // zeros on either side of a row that is windowed horizontally, floats
constexpr int kMaps = 4, kPartials = 3;  // mu1 mu2 (e11+e22)/2 e12; by_mu1 by_e11 by_e12

// The last kRing rows of some maps. The rows of one vector of pixels lie side by side, each row twice, kRing slots
// apart: any kRing successive rows are one stretch of memory.
struct RowRing {
  float* data;  // [maps][vectors][2 * kRing][kLanes]
  int vectors;

  static size_t floats(int maps, int stride) { return size_t(maps) * stride * 2 * kRing; }
  SPLAT_INLINE float* at(int map, int x) const { return data + (size_t(map) * vectors * kLanes + x) * 2 * kRing; }
  static SPLAT_INLINE int slot(int y) { return (y + kRing * kRing) % kRing * kLanes; }  // y >= -kRing * kRing
};

struct Strip {
  const LossArgs& args;
  int channel, width, height, stride;
  math::ChannelColour<FloatV> colour;
  float* sources;   // [kMaps] padded rows
  float* partials;  // [kPartials] padded rows
  RowRing maps, windowed_partials;

  int padded() const { return stride + 2 * kPad; }
  float* padded_row(float* rows, int i) const { return rows + i * padded() + kPad; }
};

struct PixelPair {
  FloatV drawn, rendered, target;  // rendered: as drawn, seen through the photo's colour
  MaskV counts;                    // inside the image and not masked; elsewhere rendered = target
  MaskV shows;                     // of these, where the photo is not quite transparent
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
  const MaskV inside = first_lanes(s.width - x < 0 ? 0 : s.width - x < kLanes ? s.width - x : kLanes);
  p.target = load_row_bytes(target, x, s.width);
  p.counts = inside;
  if (s.args.mask) p.counts = p.counts & (load_row_bytes(s.args.mask + row, x, s.width) > FloatV(0));
  p.shows = p.counts;
  if (s.args.alpha) {
    const FloatV alpha = load_row_bytes(s.args.alpha + row, x, s.width), change(s.args.background_change[s.channel]);
    p.target = zero_unless(inside, math::over_other_background(p.target, alpha, change));
    p.shows = p.shows & (alpha > FloatV(0));
  }
  p.target = p.target * FloatV(1.0 / 255.0);
  p.drawn = load(s.args.image + s.channel * s.args.size.plane() + size_t(y) * s.stride + x);
  p.rendered = select(p.counts, math::photo_colour(s.colour, p.drawn), p.target);
  return p;
}

// Half of the symmetric window, from the centre outwards. Held by value, so that it stays in registers.
struct Window {
  FloatV weight[kRadius + 1];

  SPLAT_INLINE explicit Window(const LossArgs& args) {
    for (int k = 0; k <= kRadius; ++k) weight[k] = FloatV(args.window[kRadius + k]);
  }
  // Around a pixel of a padded row.
  SPLAT_INLINE FloatV along_x(const float* p) const {
    FloatV total = weight[0] * load(p);
    for (int k = 1; k <= kRadius; ++k) total = fma(weight[k], load_unaligned(p - k) + load_unaligned(p + k), total);
    return total;
  }
  // Around a vector of pixels of a ring.
  SPLAT_INLINE FloatV along_y(const float* first_row) const {
    const float* p = first_row + kRadius * kLanes;
    FloatV total = weight[0] * load(p);
    for (int k = 1; k <= kRadius; ++k) total = fma(weight[k], load(p - k * kLanes) + load(p + k * kLanes), total);
    return total;
  }
};

// Windows padded rows along x into row y of a ring.
SPLAT_INLINE void push_row(const Strip& s, const Window& window, float* rows, int count, const RowRing& ring, int y) {
  const int slot = RowRing::slot(y);
  for (int map = 0; map < count; ++map) {
    const float* row = s.padded_row(rows, map);
    float* out = ring.at(map, 0) + slot;
    for (int x = 0; x < s.stride; x += kLanes, out += 2 * kRing * kLanes) {
      const FloatV v = window.along_x(row + x);
      store(v, out);
      store(v, out + kRing * kLanes);
    }
  }
}
SPLAT_INLINE void push_zeros(const Strip& s, int count, const RowRing& ring, int y) {
  const int slot = RowRing::slot(y);
  float* out = ring.at(0, 0) + slot;
  for (int x = 0; x < count * s.stride; x += kLanes, out += 2 * kRing * kLanes) {
    store(FloatV(0), out);
    store(FloatV(0), out + kRing * kLanes);
  }
}

// Row y of both images and their products, windowed along x.
void push_images(const Strip& s, int y) {
  if (y < 0 || y >= s.height) return push_zeros(s, kMaps, s.maps, y);
  for (int x = 0; x < s.stride; x += kLanes) {
    const PixelPair p = load_pixels(s, x, y);
    store(p.rendered, s.padded_row(s.sources, 0) + x);
    store(p.target, s.padded_row(s.sources, 1) + x);
    store(FloatV(0.5) * (p.rendered * p.rendered + p.target * p.target), s.padded_row(s.sources, 2) + x);
    store(p.rendered * p.target, s.padded_row(s.sources, 3) + x);
  }
  push_row(s, Window(s.args), s.sources, kMaps, s.maps, y);
}

// SSIM of row y and its partials, windowed along x; returns the sum of SSIM over the pixels that count.
float push_partials(const Strip& s, int y) {
  if (y < 0 || y >= s.height) return push_zeros(s, kPartials, s.windowed_partials, y), 0.0f;
  const Window window(s.args);
  const int first = RowRing::slot(y - kRadius);
  FloatV total(0);
  for (int x = 0; x < s.stride; x += kLanes) {
    const FloatV mean_e = window.along_y(s.maps.at(2, x) + first);
    const math::SsimPartials<FloatV> p = math::ssim_with_partials(
        math::SsimMoments<FloatV>{window.along_y(s.maps.at(0, x) + first), window.along_y(s.maps.at(1, x) + first),
                                  mean_e, mean_e, window.along_y(s.maps.at(3, x) + first)});
    const MaskV counts = load_pixels(s, x, y).counts;
    total += zero_unless(counts, p.value);
    const FloatV scale = zero_unless(counts, FloatV(s.args.ssim_scale));
    store(scale * p.by_mu1, s.padded_row(s.partials, 0) + x);
    store(scale * p.by_e11, s.padded_row(s.partials, 1) + x);
    store(scale * p.by_e12, s.padded_row(s.partials, 2) + x);
  }
  push_row(s, window, s.partials, kPartials, s.windowed_partials, y);
  return sum(total);
}

// Writes the gradient of row y and its sums by the photo's colour; returns the sum of |difference|.
float write_gradient(const Strip& s, int y, math::ChannelColour<double>& v_colour) {
  const Window window(s.args);
  const int first = RowRing::slot(y - kRadius);
  const FloatV l1_scale(s.args.l1_scale);
  float* out = s.args.v_image + s.channel * s.args.size.plane() + size_t(y) * s.stride;
  FloatV total(0), by_gain(0), by_bias(0);
  for (int x = 0; x < s.stride; x += kLanes) {
    const PixelPair p = load_pixels(s, x, y);
    const FloatV difference = p.rendered - p.target;
    total += abs(difference);
    const FloatV by_ssim = math::ssim_pixel_vjp(
        p.rendered, p.target, window.along_y(s.windowed_partials.at(0, x) + first),
        window.along_y(s.windowed_partials.at(1, x) + first), window.along_y(s.windowed_partials.at(2, x) + first));
    const FloatV v = by_ssim + math::l1_vjp(difference, l1_scale);
    const auto gradient = math::photo_colour_vjp(s.colour, p.drawn, v);
    store(zero_unless(p.counts, gradient.by_value), out + x);
    by_gain += zero_unless(p.shows, gradient.by_gain);
    by_bias += zero_unless(p.shows, gradient.by_bias);
  }
  v_colour = {sum(by_gain), sum(by_bias)};
  return sum(total);
}

}  // namespace

size_t loss_scratch_floats(const ImageSize& size) {
  const int stride = size.stride();
  return (kMaps + kPartials) * size_t(stride + 2 * kPad) + RowRing::floats(kMaps + kPartials, stride);
}

void loss(const LossArgs& args, int channel, int first_row, int end_row, float* scratch) {
  const int stride = args.size.stride(), vectors = stride / kLanes;
  const math::ChannelColour<FloatV> colour{FloatV(args.colour[channel].gain), FloatV(args.colour[channel].bias)};
  Strip s{args,    channel, args.size.width,    args.size.height,  stride, colour,
          scratch, {},      {nullptr, vectors}, {nullptr, vectors}};
  s.partials = s.sources + kMaps * s.padded();
  s.maps.data = s.partials + kPartials * s.padded();
  s.windowed_partials.data = s.maps.data + RowRing::floats(kMaps, stride);
  for (int x = 0; x < (kMaps + kPartials) * s.padded(); x += kLanes) store(FloatV(0), scratch + x);
  const size_t sums = size_t(channel) * s.height;
  for (int y = first_row - 2 * kRadius; y < end_row + 2 * kRadius; ++y) {
    push_images(s, y);
    const int centre = y - kRadius, done = centre - kRadius;
    if (centre >= first_row - kRadius) {
      const float total = push_partials(s, centre);
      if (centre >= first_row && centre < end_row) args.row_ssim[sums + centre] = total;
    }
    if (done >= first_row) args.row_l1[sums + done] = write_gradient(s, done, args.row_v_colour[sums + done]);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
