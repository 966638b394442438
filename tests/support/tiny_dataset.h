// A dataset small enough to train on in a test: a ring of cameras around a cloud of coloured splats, photographed by
// the reference backend. Its points are the splats' centres and some around them. The last view's photo has a mask.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"

namespace splat::test {

class MemoryImages : public ImageSource {
 public:
  std::vector<TrainingImage> photos;
  std::vector<int> announced;  // by the last prefetch()
  std::vector<int> asked;      // by all get()s
  int broken_view = -1;        // get() fails for it

  Result<TrainingImage*> get(int view) override {
    asked.push_back(view);
    if (view == broken_view) return Error{"the photo is broken"};
    return &photos[size_t(view)];
  }
  void prefetch(std::span<const int> upcoming) override { announced.assign(upcoming.begin(), upcoming.end()); }
};

struct TinyOptions {
  uint64_t seed = 1;
  int views = 10;  // every 5th is held out
  int splats = 40;
  int points_per_splat = 3;
  int width = 40, height = 32;  // px
};

struct TinyDataset {
  Dataset dataset;
  MemoryImages images;
  Gaussians truth;
};

TinyDataset make_tiny_dataset(const TinyOptions& options = {});

}  // namespace splat::test
