// Small pictures of the scenes that were opened lately, kept in hipsplat/scenes of the XDG cache folder: one is made
// anew when its scene has changed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "splat/core/result.h"
#include "splat/model/image.h"
#include "studio/names.h"

namespace studio {

inline constexpr int kRecentSide = 192;  // px

std::filesystem::path cache_folder();  // $XDG_CACHE_HOME/hipsplat, else ~/.cache/hipsplat; empty: there is neither

// Out of `cache` (empty: nothing is kept), else made and kept there. The demo's is a photo at its full size, 640 px,
// and is not kept. None: there is no such scene, it cannot be read, or it is so large that looking at it would take
// long.
std::optional<splat::Image8> recent_picture(const std::filesystem::path& cache, const std::filesystem::path& scene,
                                            int threads);

}  // namespace studio
