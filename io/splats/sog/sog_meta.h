// meta.json of a SOG, both versions as one: what each byte of each picture stands for.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace io {

inline constexpr double kSogLargest = 1e6;           // of any value of a table
inline constexpr double kSogLargestLogMean = 88.72;  // e^88.72 still is a float

using ByteTable = std::array<float, 256>;  // byte -> value; NaN: the file gives it no meaning

struct SogMeta {
  int version = 2;
  size_t count = 0;  // as claimed
  std::string generator;
  bool antialiased = false, flat = false;
  std::vector<std::string> unread{};  // members that have no meaning here: "extras"

  std::array<double, 3> mean_low{}, mean_high{};  // of sign(x) ln(1 + |x|)
  std::array<ByteTable, 3> log_scale{};
  std::array<ByteTable, 3> dc{};
  ByteTable logit_opacity{};

  int sh_degree = 0;           // 0: no higher bands; -1 in version 1: it follows from the width of the centroids
  size_t palette_entries = 0;  // 0: as many as the picture holds
  ByteTable sh{};

  // Pictures, by file name.
  std::string means_low, means_high, scales, quats, sh0, centroids, labels;
};

// Errors name what is missing or makes no sense.
splat::Result<SogMeta> parse_sog_meta(std::string_view text, const std::string& name);

// lod-meta.json of a streamed SOG (PlayCanvas): a tree whose leaves name rows of files for each level of detail.
struct SogRows {
  size_t file = 0;
  uint64_t offset = 0, count = 0;
};
struct SogLevel {
  size_t levels = 0;
  std::vector<std::string> unread{};  // members: "environment"
  std::vector<std::string> files;     // meta.json of each
  std::vector<SogRows> rows;          // of the finest level that each leaf has; at least one
};
splat::Result<SogLevel> parse_lod_meta(std::string_view text, const std::string& name);

}  // namespace io
