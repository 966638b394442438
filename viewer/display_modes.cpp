#include "viewer/display_modes.h"

#include <array>

namespace viewer {
namespace {

constexpr std::array<DisplayModeEntry, 5> kModes{{
    {RenderMode::kSplats, "splats", "The scene as it is", 0, 0, ModelKind::kPlain},
    {RenderMode::kCentres, "centres", "A dot for each splat", 1, 0, ModelKind::kDots},
    {RenderMode::kEllipsoids, "ellipsoids", "The body of each splat: a ring by OpenGL, solid by the engine", 2, 0,
     ModelKind::kSolid},
    {RenderMode::kDepth, "depth", "Near bright, far dark", 3, 1, ModelKind::kPositions},
    {RenderMode::kOpacity, "opacity", "Accumulated opacity: white where the background is hidden", 0, 2,
     ModelKind::kPlain},
}};

constexpr bool in_order() {
  for (size_t i = 0; i < kModes.size(); ++i)
    if (size_t(kModes[i].mode) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const DisplayModeEntry> display_modes() { return kModes; }
const DisplayModeEntry& display_mode(RenderMode mode) { return kModes[size_t(mode)]; }

}  // namespace viewer
