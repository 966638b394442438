// What a splat file holds, whatever its format.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/gaussians.h"

namespace io {

struct SplatFile {
  splat::Gaussians gaussians;
  std::string format;                            // "PLY (binary, little-endian)"
  bool antialiased = false;                      // trained with the 2D low-pass's opacity compensation: render so too
  std::string producer;                          // empty: the file does not say
  std::optional<std::array<double, 3>> view_up;  // where the file names its vertical axis; navigation only
  size_t invalid_rows = 0;  // rows with a NaN, an infinite mean, colour or rotation, or a zero quaternion; kept
  std::vector<std::string> warnings;  // one sentence each
};

// What a writer may say about the model beside its numbers.
struct SplatFileInfo {
  bool antialiased = false;
  int iteration = -1;                            // < 0: not said
  std::optional<std::array<double, 3>> view_up;  // navigation only
};

// What a writer did. Files hold finite values only: a row with a NaN or an infinity that has no finite equal is left
// out; infinite opacities and scales of -infinity become finite values that render the same.
struct SplatWriteReport {
  size_t written = 0;   // rows
  size_t dropped = 0;   // rows left out
  size_t adjusted = 0;  // rows with a value made finite
};

}  // namespace io
