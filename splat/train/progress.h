// What a training run reports while it goes on: plain values, safe to copy to another thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/densify/strategy.h"

namespace splat {

// One iteration.
struct StepReport {
  int iteration = 0;  // 1 for the first
  int view = 0;       // index in the dataset
  int divisor = 1;    // of the photo's sides (resolution.h)
  LossValue loss;
  double loss_ema = 0;    // 0.4 of each new loss
  int sh_degree = 0;      // trained in this iteration
  size_t splats = 0;      // after it
  DensifyReport densify;  // done before it, on the statistics up to the iteration before
};

// A point of the curves in report.html and metrics.json. PSNR and SSIM are there where an evaluation took place.
struct HistoryEntry {
  int iteration = 0;
  double loss = 0;  // the moving average
  uint64_t splats = 0;
  bool evaluated = false;
  double psnr = 0;  // dB, mean over the held-out views
  double ssim = 0;
};

}  // namespace splat
