#include "splat/backend/cpu/loss_pass.h"

#include <algorithm>

#include "splat/backend/loss_mean.h"
#include "splat/math/ssim.h"

namespace splat::cpu {

LossValue LossPass::run(Frame& frame, const std::array<float, 3>& background, const TrainingImage& target,
                        const LossSettings& settings, const Kernels& kernels, ThreadPool& pool) {
  const ImageSize& size = frame.size;
  const size_t pixels = size_t(size.width) * size.height;
  const size_t counted =
      target.mask.empty() ? pixels
                          : size_t(std::count_if(target.mask.begin(), target.mask.end(), [](uint8_t m) { return m; }));
  LossArgs args;
  args.size = size;
  args.image = frame.image.data();
  args.target = target.rgb.data();
  args.mask = target.mask.empty() ? nullptr : target.mask.data();
  args.alpha = target.alpha.empty() ? nullptr : target.alpha.data();
  const std::array<double, 3> change = background_change(target.background, settings, background);
  std::copy(change.begin(), change.end(), args.background_change);
  math::ssim_window(args.window);
  const LossScales scales = loss_scales(settings.ssim_weight, counted);
  args.l1_scale = scales.l1;
  args.ssim_scale = scales.ssim;
  args.v_image = frame.v_image.data();
  row_l1_.resize(size_t(3) * size.height);
  row_ssim_.resize(size_t(3) * size.height);
  args.row_l1 = row_l1_.data();
  args.row_ssim = row_ssim_.data();
  row_v_colour_.resize(size_t(3) * size.height);
  args.row_v_colour = row_v_colour_.data();
  for (int c = 0; c < 3; ++c) args.colour[c] = {float(settings.colour[c].gain), float(settings.colour[c].bias)};

  // Strips only share out the work: every row is computed alike, whichever strip it is in.
  constexpr int kRowsWorthAStrip = 64;
  const int strips = std::clamp(size.height / kRowsWorthAStrip, 1, pool.threads());
  const size_t scratch = kernels.loss_scratch_floats(size);
  scratch_.resize(scratch * pool.threads());
  pool.for_each(size_t(3) * strips, [&](size_t task, int thread) {
    const int strip = int(task / 3), channel = int(task % 3);
    kernels.loss(args, channel, size.height * strip / strips, size.height * (strip + 1) / strips,
                 scratch_.data() + scratch * thread);
  });
  double l1_sum = 0, ssim_sum = 0;
  for (size_t i = 0; i < row_l1_.size(); ++i) {
    l1_sum += row_l1_[i];
    ssim_sum += row_ssim_[i];
  }
  LossValue value = mean_loss(l1_sum, ssim_sum, settings.ssim_weight, counted);
  for (size_t i = 0; i < row_v_colour_.size(); ++i) {
    math::ChannelColour<double>& v = value.v_colour[i / size_t(size.height)];
    v.gain += row_v_colour_[i].gain;
    v.bias += row_v_colour_[i].bias;
  }
  return value;
}

}  // namespace splat::cpu
