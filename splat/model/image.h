// Pictures in memory.
#pragma once

#include <array>
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

// What a rendered view is compared with. A mask says what is not known of the scene, alpha what is known to be empty.
struct TrainingImage {
  int width = 0, height = 0;                 // px
  std::vector<uint8_t> rgb;                  // [3,H,W] planar, value/255; over `background` where alpha lets it through
  std::vector<uint8_t> mask;                 // [H,W] 255: counts in the loss, 0: does not; empty: every pixel counts
  std::vector<uint16_t> depth{};             // [H,W] of the photo's depth map, 0: not known; empty: it has none
  std::vector<uint8_t> alpha{};              // [H,W] 255: opaque, 0: nothing is there; empty: every pixel is opaque
  std::array<float, 3> background{0, 0, 0};  // [0,1]

  bool counts(size_t pixel) const { return mask.empty() || mask[pixel] != 0; }
  // Something of the scene, mostly.
  bool shows(size_t pixel) const { return counts(pixel) && (alpha.empty() || alpha[pixel] >= 128); }
};

// Where the photos of a dataset come from: memory or a decode-ahead queue on disk. One consumer thread.
class ImageSource {
 public:
  virtual ~ImageSource() = default;
  // The photo of dataset view `view`, undistorted and at training size. Valid until the next call of get(); who changes
  // it meanwhile (to mask pixels) puts that right before.
  virtual Result<TrainingImage*> get(int view) = 0;
  // The views that will be asked for next, in this order: lets a streaming source decode ahead.
  virtual void prefetch(std::span<const int> upcoming) = 0;
};

}  // namespace splat
