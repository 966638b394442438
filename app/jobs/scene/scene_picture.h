// Small pictures of scenes: for file managers (hipsplat thumbnail) and for the list of recent scenes.
#pragma once

#include <array>
#include <filesystem>

#include "app/jobs/input/splat_input.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace app {

// Splats as the window shows them when it opens them, `side` px wide and high, drawn on the processor. An error where
// no splat has a finite position.
splat::Result<splat::Image8> picture_of_splats(const SplatInput& input, int side, int threads);

// The photo as training sees it, its longest side at most this many px (0: as it is), RGB.
splat::Result<splat::Image8> read_photo(const splat::DatasetView& view, const std::array<float, 3>& background,
                                        int longest_side);

// A picture of what a path names: splats as above, a dataset's first photo with a longest side of `side` px.
splat::Result<splat::Image8> picture_of_scene(const std::filesystem::path& path, int side, int threads);

}  // namespace app
