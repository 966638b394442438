#include "io/reconstruction/camera_models.h"

#include <array>
#include <cmath>
#include <string>

#include "io/reconstruction/reconstruction.h"

namespace io {

using splat::CameraModel;
using splat::Error;
using splat::Status;

namespace {
constexpr std::array<CameraModelInfo, 11> kModels{{
    {CameraModel::kSimplePinhole, "SIMPLE_PINHOLE", 3, 1},
    {CameraModel::kPinhole, "PINHOLE", 4, 2},
    {CameraModel::kSimpleRadial, "SIMPLE_RADIAL", 4, 1},
    {CameraModel::kRadial, "RADIAL", 5, 1},
    {CameraModel::kOpenCv, "OPENCV", 8, 2},
    {CameraModel::kOpenCvFisheye, "OPENCV_FISHEYE", 8, 2},
    {CameraModel::kFullOpenCv, "FULL_OPENCV", 12, 2},
    {CameraModel::kFov, "FOV", 5, 2},
    {CameraModel::kSimpleRadialFisheye, "SIMPLE_RADIAL_FISHEYE", 4, 1},
    {CameraModel::kRadialFisheye, "RADIAL_FISHEYE", 5, 1},
    {CameraModel::kThinPrismFisheye, "THIN_PRISM_FISHEYE", 12, 2},
}};
}  // namespace

const CameraModelInfo* find_camera_model(int id) {
  return id >= 0 && id < int(kModels.size()) ? &kModels[size_t(id)] : nullptr;
}

const CameraModelInfo* find_camera_model(std::string_view name) {
  for (const CameraModelInfo& info : kModels)
    if (info.name == name) return &info;
  return nullptr;
}

const CameraModelInfo& camera_model_info(CameraModel model) { return kModels.at(size_t(model)); }

std::string known_camera_models() {
  std::string names;
  for (const CameraModelInfo& info : kModels) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

Status check_camera(const splat::SourceCamera& camera) {
  const CameraModelInfo& info = camera_model_info(camera.model);
  if (camera.width < 1 || camera.height < 1 || camera.width > kMaxImageSide || camera.height > kMaxImageSide)
    return Error{"the camera's image size " + std::to_string(camera.width) + "x" + std::to_string(camera.height) +
                 " is not between 1x1 and " + std::to_string(kMaxImageSide) + "x" + std::to_string(kMaxImageSide)};
  if (camera.params.size() != size_t(info.parameters))
    return Error{"a " + std::string(info.name) + " camera has " + std::to_string(info.parameters) +
                 " parameters, this one has " + std::to_string(camera.params.size())};
  for (const double value : camera.params)
    if (!std::isfinite(value)) return Error{"a camera parameter is not a finite number"};
  for (int i = 0; i < info.focal_lengths; ++i)
    if (!(camera.params[size_t(i)] > 0)) return Error{"the camera's focal length is not positive"};
  return {};
}

}  // namespace io
