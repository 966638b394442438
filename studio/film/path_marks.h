// A camera path in the scene: its line, a frustum for each key, one for the present time, and which key lies where.
#pragma once

#include <cstdint>
#include <optional>

#include "splat/path/camera_path.h"
#include "studio/film/path_editor.h"
#include "viewer/layers/lines_layer.h"

namespace studio {

splat::CameraPose pose_of(const CameraState& camera);  // as it would be in perspective
CameraState camera_at(const splat::CameraPose& pose, double focus_distance);

class PathMarks final : public LinesLayer {
 public:
  struct Look {
    uint64_t revision = 0;  // of the path
    std::optional<size_t> chosen;
    std::optional<double> time;  // s, of a camera that is drawn; none: it is looked from there
    double size = 0;             // of a frustum, world units
    double shape = 16. / 9;      // width over height of the pictures
    Rgba line{}, key{}, current{};
    friend bool operator==(const Look&, const Look&) = default;
  };
  void set(const PathEditor& editor, const Look& look);  // the same again costs nothing

 private:
  std::optional<Look> look_;
};

// The key whose camera is nearest to a pixel of the view, within `reach` px; none: there is none.
std::optional<size_t> key_at(const PathEditor& editor, const splat::View& view, double x, double y, double reach);

}  // namespace studio
