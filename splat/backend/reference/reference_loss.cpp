#include "splat/backend/reference/reference_loss.h"

#include <cmath>

#include "splat/core/check.h"
#include "splat/math/background.h"
#include "splat/math/l1.h"
#include "splat/math/ssim.h"

namespace splat::reference {
namespace {

using Plane = std::vector<double>;  // [H,W]

struct Size {
  int width, height;
  size_t pixels() const { return size_t(width) * size_t(height); }
};

// One pass of the window along x or y, zeros beyond the border.
Plane blur_along(const Plane& in, Size size, bool along_x) {
  double window[math::kSsimWindow];
  math::ssim_window(window);
  Plane out(in.size(), 0.0);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int k = 0; k < math::kSsimWindow; ++k) {
        const int shift = k - math::kSsimWindow / 2;
        const int xs = along_x ? x + shift : x, ys = along_x ? y : y + shift;
        if (xs < 0 || ys < 0 || xs >= size.width || ys >= size.height) continue;
        out[size_t(y) * size_t(size.width) + size_t(x)] += window[k] * in[size_t(ys) * size_t(size.width) + size_t(xs)];
      }
  return out;
}
Plane blur(const Plane& in, Size size) { return blur_along(blur_along(in, size, true), size, false); }

Plane product(const Plane& a, const Plane& b) {
  Plane out(a.size());
  for (size_t i = 0; i < a.size(); ++i) out[i] = a[i] * b[i];
  return out;
}

struct ChannelLoss {
  double l1_sum = 0, ssim_sum = 0;  // over counted pixels
  Plane v_l1, v_ssim;               // gradients of the sums by x, before masking
};

ChannelLoss channel_loss(const Plane& x, const Plane& y, const std::vector<bool>& counts, Size size) {
  const Plane mu1 = blur(x, size), mu2 = blur(y, size);
  const Plane e11 = blur(product(x, x), size), e22 = blur(product(y, y), size), e12 = blur(product(x, y), size);
  ChannelLoss out;
  out.v_l1.assign(size.pixels(), 0.0);
  Plane by_mu1(size.pixels(), 0.0), by_e11(size.pixels(), 0.0), by_e12(size.pixels(), 0.0);
  for (size_t i = 0; i < size.pixels(); ++i) {
    if (!counts[i]) continue;
    const auto partials = math::ssim_with_partials(math::SsimMoments<double>{mu1[i], mu2[i], e11[i], e22[i], e12[i]});
    out.l1_sum += std::abs(x[i] - y[i]);
    out.v_l1[i] = math::l1_vjp(x[i] - y[i], 1.0);
    out.ssim_sum += partials.value;
    by_mu1[i] = partials.by_mu1, by_e11[i] = partials.by_e11, by_e12[i] = partials.by_e12;
  }
  by_mu1 = blur(by_mu1, size), by_e11 = blur(by_e11, size), by_e12 = blur(by_e12, size);
  out.v_ssim.resize(size.pixels());
  for (size_t i = 0; i < size.pixels(); ++i)
    out.v_ssim[i] = math::ssim_pixel_vjp(x[i], y[i], by_mu1[i], by_e11[i], by_e12[i]);
  return out;
}

}  // namespace

ImageLoss image_loss(const Picture& picture, const TrainingImage& target, const LossSettings& settings,
                     const std::array<float, 3>& background) {
  const Size size{picture.width, picture.height};
  SPLAT_CHECK_EQ(target.width, size.width);
  SPLAT_CHECK_EQ(target.height, size.height);
  std::vector<bool> counts(size.pixels(), true);
  size_t counted = 0;
  for (size_t i = 0; i < size.pixels(); ++i) {
    if (!target.mask.empty()) counts[i] = target.mask[i] != 0;
    counted += counts[i];
  }
  ImageLoss out;
  out.v_image.assign(size.pixels(), {0, 0, 0});
  out.value.ssim = 1;
  if (counted == 0) return out;

  const double mean = 1.0 / (3.0 * double(counted)), weight = settings.ssim_weight;
  const auto alpha = [&](size_t i) { return target.alpha.empty() ? 255.0 : double(target.alpha[i]); };
  double l1 = 0, ssim = 0;
  for (int channel = 0; channel < 3; ++channel) {
    double math::Vec3<double>::*const component = channel == 0   ? &math::Vec3<double>::x
                                                  : channel == 1 ? &math::Vec3<double>::y
                                                                 : &math::Vec3<double>::z;
    const auto& photo_colour = settings.colour[size_t(channel)];
    const double change = math::photo_colour(photo_colour, double(background[size_t(channel)])) -
                          double(target.background[size_t(channel)]);
    Plane x(size.pixels()), y(size.pixels());
    for (size_t i = 0; i < size.pixels(); ++i) {
      const double over_its_own = target.rgb[size_t(channel) * size.pixels() + i];
      y[i] = math::over_other_background(over_its_own, alpha(i), change) / 255.0;
      x[i] = counts[i] ? math::photo_colour(photo_colour, picture.colour[i].*component) : y[i];
    }
    const ChannelLoss loss = channel_loss(x, y, counts, size);
    l1 += loss.l1_sum * mean;
    ssim += loss.ssim_sum * mean;
    math::ChannelColour<double>& v_colour = out.value.v_colour[size_t(channel)];
    for (size_t i = 0; i < size.pixels(); ++i) {
      if (!counts[i]) continue;
      const double v = mean * ((1 - weight) * loss.v_l1[i] - weight * loss.v_ssim[i]);
      const auto gradient = math::photo_colour_vjp(photo_colour, picture.colour[i].*component, v);
      out.v_image[i].*component = gradient.by_value;
      if (alpha(i) == 0) continue;
      v_colour.gain += gradient.by_gain;
      v_colour.bias += gradient.by_bias;
    }
  }
  out.value.total = (1 - weight) * l1 + weight * (1 - ssim);
  out.value.l1 = l1;
  out.value.ssim = ssim;
  return out;
}

}  // namespace splat::reference
