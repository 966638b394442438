#include "io/reconstruction/colmap_records.h"

#include <algorithm>
#include <cmath>

#include "io/names.h"
#include "io/reconstruction/reconstruction.h"
#include "io/text.h"
#include "splat/math/quat.h"

namespace io::colmap {

using splat::Rigid3;

namespace {

// A position that float arithmetic survives; catches NaN and infinity too.
bool usable(const std::array<double, 3>& xyz) {
  return std::all_of(xyz.begin(), xyz.end(), [](double v) { return std::abs(v) <= kMaxCoordinate; });
}

Result<Rigid3> pose_from(const std::array<double, 4>& q, const std::array<double, 3>& translation) {
  double norm2 = 0;
  for (const double value : q) {
    if (!std::isfinite(value)) return Error{"the rotation is not a finite quaternion"};
    norm2 += value * value;
  }
  constexpr double kShortest = 1e-6;  // written with six decimals, a unit quaternion is far longer
  if (!(norm2 > kShortest * kShortest) || !std::isfinite(norm2))
    return Error{"the rotation quaternion has no length, so it is no rotation"};
  if (!usable(translation)) return Error{"the translation is not finite or absurdly large"};
  const auto rotation = splat::math::rotation_from_quat(splat::math::Quat<double>{q[0], q[1], q[2], q[3]});
  Rigid3 pose;
  for (size_t r = 0; r < 3; ++r) std::copy_n(rotation.m[r], 3, pose.rotation.begin() + ptrdiff_t(3 * r));
  pose.translation = translation;
  return pose;
}

}  // namespace

std::string label_of(const ImageFields& fields) {
  const std::string_view name = trimmed(fields.name);
  return name.empty() ? std::to_string(fields.id) : std::string(name);
}

void leave_out_camera(uint32_t id, const Error& why, Notes& notes) {
  notes.left_out.add("camera", std::to_string(id), why.message);
  notes.unusable_cameras.emplace(id, why.message);
}

Error nothing_left(const std::string& kind, const std::string& none_there, const Notes& notes) {
  return Error{notes.left_out.count(kind) > 0 ? notes.left_out.first_reason(kind) : none_there};
}

Status ImageCollector::add(const ImageFields& fields) {
  Image image;
  image.id = fields.id;
  image.camera_id = fields.camera_id;
  image.name = trimmed(fields.name);
  std::replace(image.name.begin(), image.name.end(), '\\', '/');
  if (image.name.empty()) return Error{"image " + std::to_string(image.id) + " has no name"};
  const std::string label = "image " + std::to_string(image.id) + " (" + in_quotes(image.name) + "): ";
  const Result<Rigid3> pose = pose_from(fields.quaternion, fields.translation);
  if (!pose) return Error{label + pose.error().message};
  image.cam_from_world = *pose;
  if (const auto unusable = notes_.unusable_cameras.find(image.camera_id); unusable != notes_.unusable_cameras.end())
    return Error{label + "its camera cannot be used: " + unusable->second};
  if (!cameras_.contains(image.camera_id))
    return Error{label + "its camera " + std::to_string(image.camera_id) + " is not among the " +
                 std::to_string(cameras_.size()) + " cameras of the model"};
  if (!ids_.insert(image.id).second) return Error{label + "the image id appears twice"};
  if (!names_.insert(image.name).second) return Error{label + "the image name appears twice"};
  images.push_back(std::move(image));
  return {};
}

Status add_point(splat::PointCloud& points, const std::array<double, 3>& xyz, const std::array<double, 3>& rgb,
                 const std::array<double, 3>& origin) {
  if (!usable(xyz)) return Error{"the point's position is not finite or absurdly large"};
  for (const double colour : rgb)
    if (!(colour >= 0 && colour <= 255)) return Error{"the point's colours are not from 0 to 255"};
  for (size_t k = 0; k < 3; ++k) points.xyz.push_back(float(xyz[k] - origin[k]));
  for (const double colour : rgb) points.rgb.push_back(uint8_t(std::lround(colour)));
  return {};
}

}  // namespace io::colmap
