#include "io/reconstruction/transforms_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>

#include "io/bytes.h"
#include "io/json.h"
#include "io/names.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/origin.h"
#include "io/reconstruction/rotation.h"
#include "io/splats/ply/ply.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::CameraModel;
using splat::Rigid3;

namespace {

// Keys of one frame, falling back to the file's own.
class FrameKeys {
 public:
  FrameKeys(const json& file, const json& frame, std::string where)
      : file_(file), frame_(frame), where_(std::move(where)) {}

  Error error(const std::string& problem) const { return Error{where_ + ": " + problem}; }
  const json* find(const char* key) const {
    for (const json* object : {&frame_, &file_})
      if (const auto it = object->find(key); it != object->end() && !it->is_null()) return &*it;
    return nullptr;
  }
  Result<std::optional<double>> number(const char* key) const {
    const json* value = find(key);
    if (!value) return std::optional<double>();
    if (!value->is_number()) return error("'" + std::string(key) + "' is not a number");
    const double number = value->get<double>();
    if (!std::isfinite(number)) return error("'" + std::string(key) + "' is not a finite number");
    return std::optional(number);
  }
  Result<double> number_or_zero(const char* key) const {
    SPLAT_ASSIGN_OR_RETURN(const std::optional<double> value, number(key));
    return value.value_or(0);
  }
  Result<std::string> text(const char* key) const {
    const json* value = find(key);
    if (!value) return std::string();
    if (!value->is_string()) return error("'" + std::string(key) + "' is not a text");
    return value->get<std::string>();
  }

 private:
  const json& file_;
  const json& frame_;
  std::string where_;
};

struct Distortion {
  double k1, k2, k3, k4, p1, p2;
};
Result<Distortion> read_distortion(const FrameKeys& keys) {
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
Result<Projection> read_projection(const FrameKeys& keys) {
  for (const char* key : {"ftheta_p0", "latlong", "equirectangular"})
    if (const json* value = keys.find(key); value && *value != false)
      return keys.error("the lens '" + std::string(key) +
                        "' is not supported; render the photos to a pinhole camera first");
  SPLAT_ASSIGN_OR_RETURN(const std::string model, keys.text("camera_model"));
  if (model == "EQUIRECTANGULAR") return Projection::kPanorama;
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

// Model and distortion parameters; the focal lengths and the principal point, or a panorama's size, are left 0.
Result<splat::SourceCamera> read_lens(const FrameKeys& keys) {
  SPLAT_ASSIGN_OR_RETURN(const Distortion d, read_distortion(keys));
  SPLAT_ASSIGN_OR_RETURN(const Projection projection, read_projection(keys));
  splat::SourceCamera camera;
  if (projection == Projection::kPanorama) {
    camera.model = CameraModel::kEquirectangular;
    camera.params = {0, 0};
  } else if (projection == Projection::kFisheye) {
    if (d.p1 != 0 || d.p2 != 0) return keys.error("a fisheye lens has no tangential distortion p1, p2: set them to 0");
    camera.model = CameraModel::kOpenCvFisheye;
    camera.params = {0, 0, 0, 0, d.k1, d.k2, d.k3, d.k4};
  } else if (d.k4 != 0) {
    return keys.error("k4 of a lens that is no fisheye has no agreed meaning; set it to 0 or undistort the photos");
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

Status read_focal_lengths(const FrameKeys& keys, ReconstructionImage& image) {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> fx, keys.number("fl_x"));
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> fy, keys.number("fl_y"));
  for (const auto& focal : {fx, fy})
    if (focal && !(*focal > 0)) return keys.error("a focal length is not positive");
  if (fx || fy) {
    image.camera.params[0] = fx ? *fx : *fy;
    image.camera.params[1] = fy ? *fy : *fx;
    return {};
  }
  SPLAT_ASSIGN_OR_RETURN(image.pending.angle_x, read_angle(keys, "camera_angle_x", "x_fov"));
  SPLAT_ASSIGN_OR_RETURN(image.pending.angle_y, read_angle(keys, "camera_angle_y", "y_fov"));
  if (!image.pending.angle_x) return keys.error("there is neither a focal length 'fl_x' nor an angle 'camera_angle_x'");
  return {};
}

Status read_principal_point(const FrameKeys& keys, ReconstructionImage& image) {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> cx, keys.number("cx"));
  SPLAT_ASSIGN_OR_RETURN(const std::optional<double> cy, keys.number("cy"));
  image.camera.params[2] = cx.value_or(0);
  image.camera.params[3] = cy.value_or(0);
  image.pending.principal_x = !cx;
  image.pending.principal_y = !cy;
  return {};
}

Status read_camera(const FrameKeys& keys, ReconstructionImage& image) {
  SPLAT_ASSIGN_OR_RETURN(image.camera, read_lens(keys));
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
      if (!row[c].is_number() || !(std::abs(row[c].get<double>()) <= kMaxCoordinate))
        return keys.error("'transform_matrix' holds something else than finite numbers");
      const double value = row[c].get<double>();
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
  SPLAT_ASSIGN_OR_RETURN(const std::string depth_path, keys.text("depth_file_path"));
  if (!depth_path.empty()) image.depth_hint = (folder / with_slashes(depth_path)).lexically_normal();
  SPLAT_TRY(read_camera(keys, image));
  SPLAT_ASSIGN_OR_RETURN(image.cam_from_world, read_pose(keys));
  return image;
}

// Names that the file itself keeps for testing.
Result<std::optional<std::set<std::string>>> read_test_names(const json& file, const std::string& name) {
  for (const char* key : {"test_filenames", "val_filenames"}) {
    const auto list = file.find(key);
    if (list == file.end()) continue;
    std::set<std::string> names;
    if (!list->is_array()) return Error{"'" + name + "': '" + key + "' is not a list of names"};
    for (const json& entry : *list) {
      if (!entry.is_string()) return Error{"'" + name + "': '" + key + "' is not a list of names"};
      names.insert(name_of(with_slashes(entry.get<std::string>())));
    }
    return std::optional(names);
  }
  return std::optional<std::set<std::string>>();
}

// Gives equal cameras equal numbers, sorts by name, refuses names that appear twice.
Status finish(Reconstruction& result, const std::string& name) {
  using Key = std::tuple<int, int, int, std::vector<double>, bool, bool, std::optional<double>, std::optional<double>>;
  std::map<Key, int> index_of_camera;
  for (ReconstructionImage& image : result.images) {
    const splat::SourceCamera& camera = image.camera;
    const ReconstructionImage::Pending& pending = image.pending;
    const Key key{int(camera.model),   camera.width,        camera.height,   camera.params,
                  pending.principal_x, pending.principal_y, pending.angle_x, pending.angle_y};
    image.camera_index = index_of_camera.emplace(key, int(index_of_camera.size())).first->second;
  }
  result.cameras = int(index_of_camera.size());
  const auto by_name = [](const ReconstructionImage& a, const ReconstructionImage& b) { return a.name < b.name; };
  std::sort(result.images.begin(), result.images.end(), by_name);
  for (size_t i = 1; i < result.images.size(); ++i)
    if (result.images[i].name == result.images[i - 1].name)
      return Error{"'" + name + "' lists the photo " + in_quotes(result.images[i].name) + " twice"};
  return {};
}

// The photo itself: as written, with an extension added, or moved along with the .json file.
void resolve_photo(ReconstructionImage& image, const fs::path& folder) {
  if (is_file(image.file_hint)) return;
  for (const char* extension : {".png", ".jpg", ".jpeg", ".webp", ".PNG", ".JPG", ".JPEG"}) {
    const fs::path path = fs::path(image.file_hint).concat(extension);
    if (!is_file(path)) continue;
    image.file_hint = path;
    image.name += extension;
    return;
  }
  const fs::path file = image.file_hint.filename();
  for (const fs::path& path : {folder / "images" / file, folder / file})
    if (is_file(path)) {
      image.file_hint = path;
      return;
    }
}

Result<TransformsText> read_one(const fs::path& file) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  SPLAT_ASSIGN_OR_RETURN(TransformsText result, parse_transforms_json(text, file.string(), file.parent_path()));
  for (ReconstructionImage& image : result.reconstruction.images) resolve_photo(image, file.parent_path());
  return result;
}

Status add_test_split(const fs::path& train_file, Reconstruction& result) {
  for (ReconstructionImage& image : result.images) image.held_out = false;
  for (const char* name : {"transforms_test.json", "transforms_val.json"}) {
    const fs::path file = train_file.parent_path() / name;
    if (!is_file(file)) continue;
    SPLAT_ASSIGN_OR_RETURN(TransformsText test, read_one(file));
    for (ReconstructionImage& image : test.reconstruction.images) {
      image.held_out = true;
      result.images.push_back(std::move(image));
    }
    result.notes.push_back("the " + std::to_string(test.reconstruction.images.size()) + " views of '" + name +
                           "' are the data's own test split: --eval holds them out, else they are trained on");
    return {};
  }
  return {};
}

Status add_points(const fs::path& ply_file, Reconstruction& result) {
  result.points_file = ply_file;
  if (!is_file(ply_file)) {
    result.notes.push_back("the point cloud '" + ply_file.string() + "' that transforms.json names is not there");
    return {};
  }
  SPLAT_ASSIGN_OR_RETURN(result.points, read_point_cloud_ply(ply_file));
  return {};
}

// Points are as exact as their file, which has floats in most cases.
void move_to_local_origin(Reconstruction& result) {
  std::vector<splat::Rigid3> poses;
  for (const ReconstructionImage& image : result.images) poses.push_back(image.cam_from_world);
  result.origin = local_origin(poses);
  for (ReconstructionImage& image : result.images)
    image.cam_from_world = relative_to(image.cam_from_world, result.origin);
  for (size_t i = 0; i < result.points.xyz.size(); ++i)
    result.points.xyz[i] = float(double(result.points.xyz[i]) - result.origin[i % 3]);
}

}  // namespace

Result<TransformsText> parse_transforms_json(std::string_view text, const std::string& name, const fs::path& folder) {
  SPLAT_ASSIGN_OR_RETURN(const json file, parse_json(text, name));
  if (!file.is_object()) return Error{"'" + name + "' is not a transforms.json: it holds no object"};
  const auto frames = file.find("frames");
  if (frames == file.end() || !frames->is_array())
    return Error{"'" + name + "' is not a transforms.json: it has no list 'frames'"};
  if (frames->empty()) return Error{"'" + name + "': the list 'frames' is empty"};
  SPLAT_ASSIGN_OR_RETURN(const auto test_names, read_test_names(file, name));

  TransformsText result;
  result.reconstruction.format = "transforms.json";
  result.reconstruction.source = folder / fs::path(name).filename();
  for (size_t i = 0; i < frames->size(); ++i) {
    const json& frame = (*frames)[i];
    std::string where = "'" + name + "', frame " + std::to_string(i);
    if (!frame.is_object()) return Error{where + " is not an object"};
    if (const auto path = frame.find("file_path"); path != frame.end() && path->is_string())
      where += " (" + in_quotes(path->get_ref<const std::string&>()) + ")";
    SPLAT_ASSIGN_OR_RETURN(ReconstructionImage image, read_frame(FrameKeys(file, frame, where), folder));
    if (test_names) image.held_out = test_names->contains(image.name);
    result.reconstruction.images.push_back(std::move(image));
  }
  if (const auto ply = file.find("ply_file_path"); ply != file.end() && ply->is_string())
    result.ply_file = (folder / with_slashes(ply->get<std::string>())).lexically_normal();
  SPLAT_TRY(finish(result.reconstruction, name));
  return result;
}

std::optional<fs::path> find_transforms_json(const fs::path& root) {
  if (is_file(root) && root.extension() == ".json") return root;
  for (const char* name : {"transforms.json", "transforms_train.json"})
    if (is_file(root / name)) return root / name;
  return std::nullopt;
}

Result<Reconstruction> read_transforms_json(const fs::path& file) {
  SPLAT_ASSIGN_OR_RETURN(TransformsText text, read_one(file));
  Reconstruction& result = text.reconstruction;
  result.source = file;
  if (file.filename() == "transforms_train.json") SPLAT_TRY(add_test_split(file, result));
  if (text.ply_file) SPLAT_TRY(add_points(*text.ply_file, result));
  SPLAT_TRY(finish(result, file.string()));
  move_to_local_origin(result);
  return std::move(result);
}

}  // namespace io
