#include "io/reconstruction/camera_models.h"

#include <array>
#include <cmath>
#include <string>

#include "io/reconstruction/reconstruction.h"
#include "splat/model/lens.h"

namespace io {

using splat::CameraModel;
using splat::Error;
using splat::Status;

namespace {

// Far outside of any lens, and well inside of what a float holds.
constexpr double kShortestFocal = 1e-9, kLongestFocal = 1e12;  // px
constexpr double kFarthestCentre = 1e12;                       // px

constexpr std::array<CameraModelInfo, 11> kModels{{
    {CameraModel::kSimplePinhole, "SIMPLE_PINHOLE"},
    {CameraModel::kPinhole, "PINHOLE"},
    {CameraModel::kSimpleRadial, "SIMPLE_RADIAL"},
    {CameraModel::kRadial, "RADIAL"},
    {CameraModel::kOpenCv, "OPENCV"},
    {CameraModel::kOpenCvFisheye, "OPENCV_FISHEYE"},
    {CameraModel::kFullOpenCv, "FULL_OPENCV"},
    {CameraModel::kFov, "FOV"},
    {CameraModel::kSimpleRadialFisheye, "SIMPLE_RADIAL_FISHEYE"},
    {CameraModel::kRadialFisheye, "RADIAL_FISHEYE"},
    {CameraModel::kThinPrismFisheye, "THIN_PRISM_FISHEYE"},
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
  const auto [focal_lengths, all] = splat::parameter_counts(camera.model);
  if (camera.width < 1 || camera.height < 1 || camera.width > kMaxImageSide || camera.height > kMaxImageSide)
    return Error{"the camera's image size " + std::to_string(camera.width) + "x" + std::to_string(camera.height) +
                 " is not between 1x1 and " + std::to_string(kMaxImageSide) + "x" + std::to_string(kMaxImageSide)};
  if (camera.params.size() != all)
    return Error{"a " + std::string(camera_model_info(camera.model).name) + " camera has " + std::to_string(all) +
                 " parameters, this one has " + std::to_string(camera.params.size())};
  for (const double value : camera.params)
    if (!std::isfinite(value)) return Error{"a camera parameter is not a finite number"};
  for (size_t i = 0; i < focal_lengths; ++i) {
    const double focal = camera.params[i];
    if (!(focal > 0)) return Error{"the camera's focal length is not positive"};
    if (focal < kShortestFocal || focal > kLongestFocal) return Error{"the camera's focal length is absurd"};
  }
  for (size_t i = focal_lengths; i < focal_lengths + 2; ++i)
    if (std::abs(camera.params[i]) > kFarthestCentre) return Error{"the camera's principal point is absurdly far away"};
  return {};
}

}  // namespace io
