// Pictures in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/result.h"

namespace splat {

// 8-bit picture, interleaved rows from the top.
struct Image8 {
  int width = 0, height = 0, channels = 0;  // channels 1 grey, 2 grey+alpha, 3 RGB, 4 RGBA (alpha not premultiplied)
  std::vector<uint8_t> pixels;              // [H,W,channels]
};

// Linear-in-value float picture as rendered, planar.
struct ImageF {
  int width = 0, height = 0;  // px
  std::vector<float> rgb;     // [3,H,W] nominally [0,1], not clamped
};

// What a rendered view is compared with.
struct TrainingImage {
  int width = 0, height = 0;      // px
  std::vector<uint8_t> rgb;       // [3,H,W] planar, value/255
  std::vector<uint8_t> mask;      // [H,W] 255: counts in the loss, 0: does not; empty: every pixel counts
  std::vector<uint16_t> depth{};  // [H,W] of the photo's depth map, 0: not known; empty: it has none
};

// Where the photos of a dataset come from: memory or a decode-ahead queue on disk. One consumer thread.
class ImageSource {
 public:
  virtual ~ImageSource() = default;
  // The photo of dataset view `view`, undistorted and at training size. Valid until the next call of get().
  virtual Result<const TrainingImage*> get(int view) = 0;
  // The views that will be asked for next, in this order: lets a streaming source decode ahead.
  virtual void prefetch(std::span<const int> upcoming) = 0;
};

}  // namespace splat
