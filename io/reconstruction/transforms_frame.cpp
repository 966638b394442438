#include "io/reconstruction/transforms_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/names.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/rotation.h"
#include "io/text.h"
#include "splat/model/camera_models.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::CameraModel;
using splat::Rigid3;

FrameKeys FrameKeys::of_one_level(std::initializer_list<const char*> keys) const {
  FrameKeys one = *this;
  const bool in_frame = std::any_of(keys.begin(), keys.end(), [&](const char* key) {
    const auto it = levels_.front()->find(key);
    return it != levels_.front()->end() && !it->is_null();
  });
  one.levels_ = {in_frame ? levels_.front() : levels_.back()};
  return one;
}

Error FrameKeys::error(const std::string& problem) const { return Error{where_ + ": " + problem}; }

const json* FrameKeys::find(const char* key) const {
  for (const json* level : levels_)
    if (const auto it = level->find(key); it != level->end() && !it->is_null()) return &*it;
  return nullptr;
}

Result<double> FrameKeys::number_of(const json& value, const char* key) const {
  double number = 0;
  if (value.is_number())
    number = value.get<double>();
  else if (!value.is_string() || !parse_number(trimmed(value.get_ref<const std::string&>()), number))
    return error("'" + std::string(key) + "' is not a number");
  if (!std::isfinite(number))
    return error("'" + std::string(key) + "' is " + (value.is_string() ? value.get<std::string>() : value.dump()) +
                 ", not a finite number");
  return number;
}

Result<std::optional<double>> FrameKeys::number(const char* key) const {
  const json* value = find(key);
  if (!value) return std::optional<double>();
  SPLAT_ASSIGN_OR_RETURN(const double number, number_of(*value, key));
  return std::optional(number);
}

Result<double> FrameKeys::number_or_zero(const char* key) const {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> value, number(key));
  return value.value_or(0);
}

Result<std::string> FrameKeys::text(const char* key) const {
  const json* value = find(key);
  if (!value) return std::string();
  if (!value->is_string()) return error("'" + std::string(key) + "' is not a text");
  return value->get<std::string>();
}

namespace {

struct Distortion {
  double k1, k2, k3, k4, p1, p2;
};
Result<Distortion> read_distortion(const FrameKeys& all) {
  const FrameKeys keys = all.of_one_level({"k1", "k2", "k3", "k4", "p1", "p2"});
  Distortion d{};
  SPLAT_ASSIGN_OR_RETURN(d.k1, keys.number_or_zero("k1"));
  SPLAT_ASSIGN_OR_RETURN(d.k2, keys.number_or_zero("k2"));
  SPLAT_ASSIGN_OR_RETURN(d.k3, keys.number_or_zero("k3"));
  SPLAT_ASSIGN_OR_RETURN(d.k4, keys.number_or_zero("k4"));
  SPLAT_ASSIGN_OR_RETURN(d.p1, keys.number_or_zero("p1"));
  SPLAT_ASSIGN_OR_RETURN(d.p2, keys.number_or_zero("p2"));
  return d;
}

enum class Projection { kPerspective, kFisheye, kPanorama };
Result<Projection> read_projection(const FrameKeys& all) {
  const FrameKeys keys = all.of_one_level({"camera_model", "is_fisheye"});
  for (const char* key : {"ftheta_p0", "latlong", "equirectangular"})
    if (const json* value = all.find(key); value && *value != false)
      return keys.error("the lens '" + std::string(key) +
                        "' is not supported; render the photos to a pinhole camera first");
  SPLAT_ASSIGN_OR_RETURN(const std::string model, keys.text("camera_model"));
  if (splat::is_panorama_name(model)) return Projection::kPanorama;
  if (model == "OPENCV_FISHEYE" || model == "FISHEYE") return Projection::kFisheye;
  for (const char* perspective :
       {"", "OPENCV", "PINHOLE", "SIMPLE_PINHOLE", "SIMPLE_RADIAL", "RADIAL", "FULL_OPENCV", "PERSPECTIVE"})
    if (model == perspective) {
      const json* flag = keys.find("is_fisheye");
      return flag && *flag == true ? Projection::kFisheye : Projection::kPerspective;
    }
  return keys.error("camera_model " + in_quotes(model) +
                    " is unknown; use PINHOLE, SIMPLE_PINHOLE, OPENCV, OPENCV_FISHEYE or EQUIRECTANGULAR");
}

// Model and distortion parameters, which mean what nerfstudio makes of them; the focal lengths and the principal point,
// or a panorama's size, are left 0.
Result<splat::SourceCamera> read_lens(const FrameKeys& keys, const Distortion& d) {
  SPLAT_ASSIGN_OR_RETURN(const Projection projection, read_projection(keys));
  splat::SourceCamera camera;
  if (projection == Projection::kPanorama) {
    camera.model = CameraModel::kEquirectangular;
    camera.params = {0, 0};
  } else if (projection == Projection::kFisheye && d.p1 == 0 && d.p2 == 0) {
    camera.model = CameraModel::kOpenCvFisheye;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.k3, d.k4};
  } else if (projection == Projection::kFisheye) {
    camera.model = CameraModel::kThinPrismFisheye;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.p1, d.p2, d.k3, d.k4, 0, 0};
  } else if (d.k4 != 0) {
    camera.model = splat::kOpenCvK4;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.p1, d.p2, d.k3, d.k4};
  } else if (d.k3 != 0) {
    camera.model = CameraModel::kFullOpenCv;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.p1, d.p2, d.k3, 0, 0, 0};
  } else if (d.k1 != 0 || d.k2 != 0 || d.p1 != 0 || d.p2 != 0) {
    camera.model = CameraModel::kOpenCv;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.p1, d.p2};
  } else {
    camera.model = CameraModel::kPinhole;
    camera.params = {0, 0, 0, 0};
  }
  return camera;
}

Result<int> read_side(const FrameKeys& keys, const char* key) {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> side, keys.number(key));
  if (!side) return 0;
  if (!(*side >= 1) || *side > kMaxImageSide || *side != std::floor(*side))
    return keys.error("'" + std::string(key) + "' is not an image size between 1 and " + std::to_string(kMaxImageSide));
  return int(*side);
}

// A field of view, radians, from camera_angle_x (radians) or x_fov (degrees).
Result<std::optional<double>> read_angle(const FrameKeys& keys, const char* radians_key, const char* degrees_key) {
  SPLAT_ASSIGN_OR_RETURN(std::optional<double> angle, keys.number(radians_key));
  if (!angle) {
    SPLAT_ASSIGN_OR_RETURN(angle, keys.number(degrees_key));
    if (angle) *angle *= std::numbers::pi / 180;
  }
  constexpr double kNarrowest = 1e-6;  // radians; narrower or nearer to a half turn, the focal length is absurd
  if (angle && !(*angle > kNarrowest && *angle < std::numbers::pi - kNarrowest))
    return keys.error("the field of view '" + std::string(radians_key) + "' is not between 0 and 180 degrees");
  return angle;
}

constexpr std::array kMatrixKeys{"K", "intrinsics", "intrinsic_matrix", "camera_matrix"};

// fx, fy, cx, cy of a matrix [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], in rows or as nine numbers.
Result<std::optional<std::array<double, 4>>> read_matrix(const FrameKeys& keys) {
  for (const char* key : kMatrixKeys) {
    const json* matrix = keys.find(key);
    if (!matrix) continue;
    const Error unusable =
        keys.error("'" + std::string(key) + "' is not a 3x3 matrix [[fx, 0, cx], [0, fy, cy], " + "[0, 0, 1]]");
    if (!matrix->is_array() || (matrix->size() != 9 && matrix->size() != 3 && matrix->size() != 4)) return unusable;
    std::array<double, 9> m{};
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) {
        const json* row = matrix->size() == 9 ? matrix : &(*matrix)[r];
        const size_t at = matrix->size() == 9 ? 3 * r + c : c;
        if (!row->is_array() || row->size() <= at) return unusable;
        SPLAT_ASSIGN_OR_RETURN(m[3 * r + c], keys.number_of((*row)[at], key));
      }
    const double skew = std::abs(m[1]) / std::max(std::abs(m[0]), 1e-300);
    constexpr double kMostSkew = 1e-3;  // of a focal length
    if (skew > kMostSkew || m[3] != 0 || m[6] != 0 || m[7] != 0 || m[8] != 1) return unusable;
    return std::optional(std::array{m[0], m[4], m[2], m[5]});
  }
  return std::optional<std::array<double, 4>>();
}

// The numbers of two keys in `level`, else elements first and first + 1 of read_matrix() there; where one alone is
// given, the other one may be at any level.
using Pair = std::array<std::optional<double>, 2>;
Result<Pair> read_pair(const FrameKeys& all, const FrameKeys& level, const std::array<const char*, 2>& names,
                       size_t first) {
  Pair pair;
  for (size_t i = 0; i < 2; ++i) {
    SPLAT_ASSIGN_OR_RETURN(pair[i], level.number(names[i]));
  }
  if (!pair[0] && !pair[1]) {
    SPLAT_ASSIGN_OR_RETURN(const auto matrix, read_matrix(level));
    if (matrix) pair = {(*matrix)[first], (*matrix)[first + 1]};
  }
  for (size_t i = 0; i < 2; ++i)
    if (!pair[i] && pair[1 - i]) {
      SPLAT_ASSIGN_OR_RETURN(pair[i], all.number(names[i]));
    }
  return pair;
}

Status read_focal_lengths(const FrameKeys& all, ReconstructionImage& image) {
  const FrameKeys keys = all.of_one_level({"fl_x", "fl_y", "camera_angle_x", "camera_angle_y", "x_fov", "y_fov",
                                           kMatrixKeys[0], kMatrixKeys[1], kMatrixKeys[2], kMatrixKeys[3]});
  SPLAT_ASSIGN_OR_RETURN(const auto lengths, read_pair(all, keys, {"fl_x", "fl_y"}, 0));
  const auto& [fx, fy] = lengths;
  for (const auto& focal : {fx, fy})
    if (focal && !(*focal > 0)) return keys.error("a focal length is not positive");
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> angle_x, read_angle(keys, "camera_angle_x", "x_fov"));
  if (fx || fy) {
    image.camera.params[0] = fx ? *fx : *fy;
    image.camera.params[1] = fy ? *fy : *fx;
    image.stated_angle_x = angle_x;
    return {};
  }
  image.pending.angle_x = angle_x;
  SPLAT_ASSIGN_OR_RETURN(image.pending.angle_y, read_angle(keys, "camera_angle_y", "y_fov"));
  if (!image.pending.angle_x && !image.pending.angle_y)
    return keys.error("there is neither a focal length 'fl_x' nor an angle 'camera_angle_x' nor a matrix 'K'");
  return {};
}

Status read_principal_point(const FrameKeys& all, ReconstructionImage& image) {
  const FrameKeys keys = all.of_one_level({"cx", "cy", kMatrixKeys[0], kMatrixKeys[1], kMatrixKeys[2], kMatrixKeys[3]});
  SPLAT_ASSIGN_OR_RETURN(const auto point, read_pair(all, keys, {"cx", "cy"}, 2));
  const auto& [cx, cy] = point;
  image.camera.params[2] = cx.value_or(0);
  image.camera.params[3] = cy.value_or(0);
  image.pending.principal_x = !cx;
  image.pending.principal_y = !cy;
  return {};
}

Status read_camera(const FrameKeys& keys, ReconstructionImage& image) {
  SPLAT_ASSIGN_OR_RETURN(const Distortion distortion, read_distortion(keys));
  SPLAT_ASSIGN_OR_RETURN(image.camera, read_lens(keys, distortion));
  // nerfstudio writes a focal length and a centre of panoramas, too; they repeat the size.
  if (image.camera.model != CameraModel::kEquirectangular) {
    SPLAT_TRY(read_focal_lengths(keys, image));
    SPLAT_TRY(read_principal_point(keys, image));
  }
  SPLAT_ASSIGN_OR_RETURN(image.camera.width, read_side(keys, "w"));
  SPLAT_ASSIGN_OR_RETURN(image.camera.height, read_side(keys, "h"));
  ReconstructionImage trial = image;  // as if the photo had one pixel: its size is not known yet where none is given
  complete_camera(trial, 1, 1);
  if (const Status status = check_camera(trial.camera); !status) return keys.error(status.error().message);
  if (image.camera.width > 0 && image.camera.height > 0) image = std::move(trial);
  return {};
}

// Camera-to-world in OpenGL axes (x right, y up, z back) -> cam_from_world (x right, y down, z forward).
Result<Rigid3> read_pose(const FrameKeys& keys) {
  const json* matrix = keys.find("transform_matrix");
  if (!matrix || !matrix->is_array() || matrix->size() < 3 || matrix->size() > 4)
    return keys.error("'transform_matrix' is missing or not a 4x4 matrix");
  std::array<double, 9> rotation{};
  std::array<double, 3> centre{};
  for (size_t r = 0; r < matrix->size(); ++r) {
    const json& row = (*matrix)[r];
    if (!row.is_array() || row.size() != 4) return keys.error("'transform_matrix' is not a 4x4 matrix");
    for (size_t c = 0; c < 4; ++c) {
      SPLAT_ASSIGN_OR_RETURN(const double value, keys.number_of(row[c], "transform_matrix"));
      if (std::abs(value) > kMaxCoordinate) return keys.error("'transform_matrix' holds an absurdly large number");
      if (r == 3 && std::abs(value - (c == 3)) > 1e-3)
        return keys.error("the last row of 'transform_matrix' is not 0 0 0 1");
      if (r < 3 && c < 3) rotation[3 * r + c] = value;
      if (r < 3 && c == 3) centre[r] = value;
    }
  }
  const auto nearest = nearest_rotation(rotation);
  if (!nearest) return keys.error("'transform_matrix' is no rotation: it is singular, mirrored or sheared");
  Rigid3 pose;
  for (size_t r = 0; r < 3; ++r) {
    const double sign = r == 0 ? 1 : -1;  // the camera's y and z axes turn round
    pose.translation[r] = 0;
    for (size_t c = 0; c < 3; ++c) {
      pose.rotation[3 * r + c] = sign * (*nearest)[3 * c + r];
      pose.translation[r] -= pose.rotation[3 * r + c] * centre[c];
    }
  }
  return pose;
}

}  // namespace

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

// "./train/r_0" -> "train/r_0"
std::string name_of(const std::string& file_path) {
  const fs::path path = fs::path(file_path).lexically_normal();
  return (path.is_absolute() ? path.relative_path() : path).generic_string();
}

Result<ReconstructionImage> read_frame(const FrameKeys& keys, const fs::path& folder) {
  ReconstructionImage image;
  SPLAT_ASSIGN_OR_RETURN(std::string file_path, keys.text("file_path"));
  file_path = with_slashes(std::move(file_path));
  if (file_path.find('\0') != std::string::npos) return keys.error("'file_path' holds a zero byte");
  image.name = name_of(file_path);
  if (image.name.empty() || image.name == ".") return keys.error("'file_path' is missing or empty");
  image.file_hint = (folder / file_path).lexically_normal();
  SPLAT_ASSIGN_OR_RETURN(const std::string mask_path, keys.text("mask_path"));
  if (!mask_path.empty()) image.mask_hint = (folder / with_slashes(mask_path)).lexically_normal();
  SPLAT_ASSIGN_OR_RETURN(std::string depth_path, keys.text("depth_file_path"));
  if (depth_path.empty()) {
    SPLAT_ASSIGN_OR_RETURN(depth_path, keys.text("depth_path"));  // instant-ngp, NeRFCapture
  }
  if (!depth_path.empty()) image.depth_hint = (folder / with_slashes(depth_path)).lexically_normal();
  SPLAT_TRY(read_camera(keys, image));
  SPLAT_ASSIGN_OR_RETURN(const double radius, keys.number_or_zero("fisheye_crop_radius"));
  image.crop_radius_px = std::max(radius, 0.0);
  SPLAT_ASSIGN_OR_RETURN(image.cam_from_world, read_pose(keys));
  const json* bad = keys.find("is_bad");
  image.left_out = bad && *bad == true;
  return image;
}

}  // namespace io
