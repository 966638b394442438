// Statistics of a model: bounds, histograms, and likely mistakes of the program that wrote it.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/input/known_up.h"
#include "io/splats/common/splat_file.h"
#include "splat/model/robust_extent.h"
#include "splat/model/splat_histograms.h"

namespace app {

struct SplatInfo {
  std::optional<splat::Extent> bounds;         // of every finite position; none: no position is finite
  std::optional<splat::Extent> robust_bounds;  // splat/model/robust_extent.h
  std::optional<KnownUp> up;                   // where it is known
  splat::Histogram opacity, size;              // splat_histograms.h
  std::vector<std::string> mistakes;           // one sentence each, with the cure
};

// Cost: a few passes over the model, and a sort of at most 200 000 rows. `path`: where the file was read, to look
// for cameras beside it.
SplatInfo describe_splats(const io::SplatFile& file, const std::filesystem::path& path);

// One line a bin: "  0.1 .. 0.2  ########        1 234".
std::vector<std::string> histogram_lines(const splat::Histogram& histogram);

}  // namespace app
