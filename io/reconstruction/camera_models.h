// Names of the lens models, as COLMAP spells them (src/colmap/sensor/models.h), and the bounds on a camera read from a
// file. Parameter counts: splat/model/lens.h.
#pragma once

#include <string>
#include <string_view>

#include "splat/core/result.h"
#include "splat/model/camera.h"

namespace io {

struct CameraModelInfo {
  splat::CameraModel model;
  std::string_view name;  // "OPENCV"
};

const CameraModelInfo* find_camera_model(int id);                 // null: unknown
const CameraModelInfo* find_camera_model(std::string_view name);  // null: unknown
const CameraModelInfo& camera_model_info(splat::CameraModel model);
std::string known_camera_models();  // their names, comma-separated

// Size within (0, kMaxImageSide], parameter count right, all finite, focal lengths positive, no absurd value. The error
// is the problem alone, without file or position: the caller adds those.
splat::Status check_camera(const splat::SourceCamera& camera);

}  // namespace io
