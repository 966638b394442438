#include "io/reconstruction/check_camera.h"

#include <cmath>
#include <string>

#include "io/names.h"
#include "io/reconstruction/reconstruction.h"
#include "splat/model/camera_models.h"

namespace io {

namespace {

// Far outside of any lens, and well inside of what a float holds.
constexpr double kShortestFocal = 1e-9, kLongestFocal = 1e12;  // px
constexpr double kFarthestCentre = 1e12;                       // px

}  // namespace

Status check_camera(const splat::SourceCamera& camera) {
  const splat::CameraModelInfo& info = camera_model_info(camera.model);
  if (camera.width < 1 || camera.height < 1 || camera.width > kMaxImageSide || camera.height > kMaxImageSide)
    return Error{"the camera's image size " + std::to_string(camera.width) + "x" + std::to_string(camera.height) +
                 " is not between 1x1 and " + std::to_string(kMaxImageSide) + "x" + std::to_string(kMaxImageSide)};
  if (camera.params.size() != info.parameter_count())
    return Error{"a " + std::string(info.name) + " camera has " + std::to_string(info.parameter_count()) +
                 " parameters (" + std::string(info.parameters) + "), this one has " +
                 std::to_string(camera.params.size())};
  for (const double value : camera.params)
    if (!std::isfinite(value)) return Error{"a camera parameter is not a finite number"};
  const size_t focal_lengths = info.focal_lengths();
  for (size_t i = 0; i < focal_lengths; ++i) {
    const double focal = camera.params[i];
    if (!(focal > 0)) return Error{"the camera's focal length is not positive"};
    if (focal < kShortestFocal || focal > kLongestFocal) return Error{"the camera's focal length is absurd"};
  }
  for (size_t i = focal_lengths; i < focal_lengths + 2 && !info.is_panorama(); ++i)
    if (std::abs(camera.params[i]) > kFarthestCentre) return Error{"the camera's principal point is absurdly far away"};
  if (const char* problem = info.problem ? info.problem(camera) : nullptr) return Error{problem};
  return {};
}

}  // namespace io
