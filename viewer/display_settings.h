// How the scene is drawn, by OpenGL and by the engine alike.
#pragma once

#include <array>
#include <cstdint>

#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"

namespace viewer {

enum class RenderMode : uint8_t { kSplats, kCentres, kEllipsoids, kDepth, kOpacity };

// How selected splats are marked: not at all, in one colour, or those that a clean-up proposes by its reasons
// (viewer/live/shown_states.h).
enum class SelectionTint : uint8_t { kNone, kPlain, kByReason };

// [0,1] behind splats of which no colour is known that they were trained with.
inline constexpr std::array<float, 3> kGreyBackdrop{0.16f, 0.165f, 0.175f};

struct DisplaySettings {
  RenderMode mode = RenderMode::kSplats;
  float splat_scale = 1;  // factor of all splat sizes
  int sh_degree = splat::kMaxShDegree;
  splat::ScreenFilter filter{};
  std::array<float, 3> background{0, 0, 0};  // [0,1]
  bool see_through = false;  // colours come premultiplied, with alpha, for a backdrop of the viewport's instead
  SelectionTint selection = SelectionTint::kNone;
  std::array<float, 3> selection_colour{1, 0.62f, 0.1f};  // [0,1], of selected splats without a reason
  friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

enum class MeshSurface : uint8_t { kTextured, kShaded, kWireframe };

}  // namespace viewer
