// Where the scene is in the window, for what is drawn over it.
#pragma once

#include <imgui/imgui.h>

#include <optional>

#include "studio/names.h"
#include "viewer/camera/camera_state.h"

namespace studio {

struct ScenePlace {
  float x = 0, y = 0, width = 0, height = 0;  // in the window, ImGui units
  float pixels_per_unit = 1;

  ImVec2 at(const Pixel& pixel) const {
    return {x + float(pixel.x) / pixels_per_unit, y + float(pixel.y) / pixels_per_unit};
  }
  // Where a point of the world is on the screen; none: it is behind the camera.
  std::optional<ImVec2> at(const splat::View& view, const Vec3& point) const {
    const auto pixel = pixel_of(view, point);
    return pixel ? std::optional(at(*pixel)) : std::nullopt;
  }
};

}  // namespace studio
