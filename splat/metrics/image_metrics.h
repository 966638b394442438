// PSNR and SSIM of a rendered view against its photo, as the training summary and --evaluate both report them.
// The render is clamped to [0,1] and rounded to 8 bits first, as if written to a PNG. PSNR over all channel values;
// SSIM with the 11x11 window of sigma 1.5 padded with zeros, per channel, mean over pixels. Pixels outside the photo's
// mask do not count. Identical pictures: PSNR is 100 dB. Cost: O(22 H W) per channel for SSIM.
#pragma once

#include "splat/core/parallel.h"
#include "splat/model/image.h"

namespace splat {

inline constexpr double kMaxPsnr = 100;  // dB

// At most kMaxPsnr; values in [0,1].
double psnr_of(double mean_squared_error);

struct ImageMetrics {
  double psnr = 0;  // dB
  double ssim = 0;
};

// Same size required. pool: spreads rows over threads; the result does not depend on it.
ImageMetrics image_metrics(const ImageF& render, const TrainingImage& photo, ThreadPool* pool = nullptr);

// The same PSNR without SSIM, which costs most of it: O(3 H W).
double image_psnr(const ImageF& render, const TrainingImage& photo);

}  // namespace splat
