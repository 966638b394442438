// Pairs of pictures for FLIP, made from nothing: what NVIDIA's flip-evaluator says of them stands in flip_test.cpp, and
// tests/io/independent/flip_test.py asks it again.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "splat/core/random.h"
#include "tests/support/pictures.h"

namespace splat::test {

struct PicturePair {
  std::string name;
  Image8 photo, render;  // RGB
  double flip;           // flip-evaluator 1.7: evaluate(photo, render, "LDR"), its mean
};

inline std::vector<PicturePair> flip_pairs() {
  constexpr int kWidth = 160, kHeight = 90;
  const Image8 waves = wavy_picture(kWidth, kHeight, 3);
  Image8 noisy = waves, dark = waves, stripes = flat_picture(kWidth, kHeight, 3, 90);
  random::Sequence numbers(5, random::kTest);
  for (uint8_t& value : noisy.pixels) value = uint8_t(std::min<int>(255, value + int(numbers.below(60))));
  for (uint8_t& value : dark.pixels) value = uint8_t(value * 3 / 4);
  for (size_t i = 0; i < stripes.pixels.size(); ++i)
    if (i / 3 % 12 < 2) stripes.pixels[i] = 200;
  return {{"noise", waves, noisy, 0.447295},
          {"darker", waves, dark, 0.578694},
          {"shifted", waves, wavy_picture(kWidth, kHeight, 3, 1), 0.614527},
          {"stripes", flat_picture(kWidth, kHeight, 3, 90), stripes, 0.332633},
          {"black and white", flat_picture(31, 17, 3, 0), flat_picture(31, 17, 3, 255), 0.967384},
          {"smaller than the filters", wavy_picture(7, 5, 3), wavy_picture(7, 5, 3, 2), 0.750439}};
}

inline ImageF as_render(const Image8& image) {
  ImageF out{image.width, image.height, {}};
  for (size_t c = 0; c < 3; ++c)
    for (size_t p = c; p < image.pixels.size(); p += 3) out.rgb.push_back(float(image.pixels[p]) / 255);
  return out;
}

inline TrainingImage as_photo(const Image8& image) {
  TrainingImage out{image.width, image.height, {}, {}};
  for (size_t c = 0; c < 3; ++c)
    for (size_t p = c; p < image.pixels.size(); p += 3) out.rgb.push_back(image.pixels[p]);
  return out;
}

}  // namespace splat::test
