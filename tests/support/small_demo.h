// The demo's photos and points, cut down to what a test or an emulator can train on.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "tests/support/test_paths.h"

namespace splat::test {

struct Demo {
  Dataset dataset;
  std::unique_ptr<ImageSource> photos;
};

// The photos at `longest_px` and every thirtieth point.
inline Demo open_demo(int longest_px) {
  io::DatasetOptions options;
  options.resolution = longest_px;
  auto loaded = io::load_dataset(test_paths::source() / "assets/demo", options);
  EXPECT_TRUE(loaded.ok());
  Demo demo{std::move(*loaded), nullptr};
  PointCloud few;
  for (size_t i = 0; i < demo.dataset.points.size(); i += 30)
    for (size_t c = 0; c < 3; ++c) {
      few.xyz.push_back(demo.dataset.points.xyz[3 * i + c]);
      few.rgb.push_back(demo.dataset.points.rgb[3 * i + c]);
    }
  demo.dataset.points = few;
  auto photos = io::open_images(demo.dataset, {size_t(1) << 30, 1, {}});
  EXPECT_TRUE(photos.ok());
  demo.photos = std::move(*photos);
  return demo;
}

}  // namespace splat::test
