// COLMAP's camera models: every fact about one of them stands in its row of one table. A new model is an entry of
// CameraModel, its row, its formula in splat/math/camera_models.h where it has one of its own, and a case of the lens
// tests. Ids, names and parameters as in COLMAP (src/colmap/sensor/models.h).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "splat/model/lens.h"

namespace splat {

// None of COLMAP's: nerfstudio's perspective lens with a k4.
inline constexpr CameraModel kOpenCvK4{18};

struct CameraModelInfo {
  CameraModel model;            // its value is COLMAP's id
  std::string_view name;        // as COLMAP spells it: "OPENCV"
  std::string_view parameters;  // in COLMAP's order: focal lengths, principal point, lens: "fx, fy, cx, cy, k1"
  Lens::Distortion (*distortion)(const double* lens_parameters);  // null: no lens, but a panorama of all directions
  const char* (*problem)(const SourceCamera& camera) = nullptr;   // what is wrong with its parameters; null: nothing

  bool is_panorama() const { return distortion == nullptr; }
  size_t parameter_count() const;
  size_t focal_lengths() const;  // 1: f, 2: fx and fy, 0: a panorama; the principal point follows
};

std::span<const CameraModelInfo> camera_models();  // COLMAP's, by id
const CameraModelInfo& camera_model_info(CameraModel model);
const CameraModelInfo* find_camera_model(int id);                 // null: none of COLMAP's
const CameraModelInfo* find_camera_model(std::string_view name);  // likewise
bool is_panorama_name(std::string_view name);  // EQUIRECTANGULAR, and SPHERICAL and SPHERE of other programs
std::string known_camera_models();             // their names, comma-separated

}  // namespace splat
