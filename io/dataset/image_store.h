// The photos of a dataset as training sees them: planar 8 bit, undistorted, resized, masks applied.
// Where all fit the memory limit they are decoded in parallel before open_images() returns, and no iteration ever
// waits; else a bounded number is kept, and threads decode ahead of the consumer along the order given to prefetch().
// Both give the same pixels. A panorama is decoded once for all of its faces that are needed soon. A photo of which no
// pixel counts teaches nothing and cannot be judged: its view is taken out of the dataset, held out
// or not, with a warning; so is a photo that cannot be decoded, or whose mask or depth map cannot. (A stream decodes
// every photo once more before it starts, to know: no run ends in the middle for a broken photo.) What is transparent
// is marked.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace io {

struct ImageStoreOptions {
  size_t memory_limit_bytes = 0;                            // 0: half of the machine's memory
  int threads = 0;                                          // 0: every core
  std::function<void(size_t done, size_t total)> progress;  // called now and then, from any thread, one at a time
  const std::atomic<bool>* cancelled = nullptr;             // once true: no photo is begun any more, and an error
  std::array<float, 3> background{0, 0, 0};                 // that transparent photos are laid over, [0,1]
};

splat::Result<std::unique_ptr<splat::ImageSource>> open_images(splat::Dataset& dataset,
                                                               const ImageStoreOptions& options);

// What open_images() will hold at training size with every photo in memory.
size_t image_bytes(const splat::Dataset& dataset);

}  // namespace io
