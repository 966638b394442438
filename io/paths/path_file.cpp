#include "io/paths/path_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/paths/path_formats.h"
#include "io/paths/path_values.h"
#include "io/text.h"
#include "splat/math/quat_curve.h"
#include "splat/model/box.h"

namespace io {

using nlohmann::json;
using splat::CameraPath;
using splat::CameraPose;
using splat::Error;
using splat::LoopMode;
using splat::PathKey;
using splat::Result;

namespace {

constexpr const char* kOurMark = "hipsplat camera path";
constexpr int kVersion = 1;
constexpr size_t kMostBytes = size_t(1) << 28;

Result<PathKey> read_key(const PathValues& values) {
  PathKey key;
  SPLAT_ASSIGN_OR_RETURN(key.seconds, values.number("seconds"));
  SPLAT_ASSIGN_OR_RETURN(key.pose.position, values.numbers<3>("position"));
  SPLAT_ASSIGN_OR_RETURN(const auto q, values.numbers<4>("rotation"));
  const splat::math::Quat<double> turn{q[0], q[1], q[2], q[3]};
  if (!(splat::math::dot(turn, turn) > 1e-12)) return values.error("'rotation' is no rotation");
  key.pose.world_from_cam = splat::unit_quat(turn);
  SPLAT_ASSIGN_OR_RETURN(key.pose.fov_y_deg, values.number("fov_y"));
  SPLAT_ASSIGN_OR_RETURN(key.pose.stretch, values.number_or("stretch", 1));
  if (values.find("shift")) {
    SPLAT_ASSIGN_OR_RETURN(key.pose.shift, values.numbers<2>("shift"));
  }
  SPLAT_ASSIGN_OR_RETURN(key.ease, values.flag("ease"));
  SPLAT_ASSIGN_OR_RETURN(key.hold, values.number_or("hold", 0));
  return key;
}

Result<PathFile> read_ours(const json& file, const std::string& name) {
  const PathValues top(file, "'" + name + "'");
  if (file.value("version", json()) != json(kVersion)) return top.error("it is of a version that is not known here");
  PathFile read;
  CameraPath& path = read.path;
  const json loop = file.value("loop", json("none"));
  bool known = false;
  for (const LoopMode mode : {LoopMode::kNone, LoopMode::kLoop, LoopMode::kPingPong})
    if (loop == json(name_of(mode))) path.loop = mode, known = true;
  if (!known) return top.error("'loop' is none, loop or ping-pong");
  SPLAT_ASSIGN_OR_RETURN(path.closing_seconds, top.number_or("closing_seconds", 0));
  SPLAT_ASSIGN_OR_RETURN(path.constant_speed, top.flag("constant_speed"));
  SPLAT_ASSIGN_OR_RETURN(path.dolly_zoom, top.flag("dolly_zoom"));
  if (top.find("target")) {
    SPLAT_ASSIGN_OR_RETURN(path.target, top.numbers<3>("target"));
  }
  const json* keys = top.find("keys");
  if (!keys || !keys->is_array()) return top.error("'keys' is missing or no list");
  for (const json& key : *keys) {
    SPLAT_ASSIGN_OR_RETURN(const PathKey one,
                           read_key({key, "'" + name + "': key " + std::to_string(path.keys.size() + 1)}));
    path.keys.push_back(one);
  }
  return read;
}

bool has_list(const json& file, const char* name) { return file.contains(name) && file[name].is_array(); }

// nerfstudio's keys.
bool has_matrices(const json& file) {
  return has_list(file, "keyframes") && !file["keyframes"].empty() && file["keyframes"][0].is_object() &&
         file["keyframes"][0].contains("matrix");
}

Error no_path(const std::string& name) {
  return {"'" + name +
          "' is no camera path: a path.json, nerfstudio's camera_path.json, a timeline of LichtFeld Studio, "
          "SuperSplat's settings.json or a transforms.json is; cameras of photos become one by --path photos "
          "--cameras DATASET"};
}

// Poses alone, as ns-export lists them, or INRIA's cameras.json.
Result<PathFile> read_list(const json& list, const std::string& name) {
  const json& first = list[0];
  for (const char* matrix : {"transform", "transform_matrix", "camera_to_world", "c2w", "matrix"})
    if (first.is_object() && first.contains(matrix)) return read_camera_list(list, name);
  const bool cameras = first.is_object() && first.contains("position") && first.contains("rotation");
  if (!cameras) return no_path(name);
  return Error{"'" + name + "' lists cameras of photos, in no order of time: --path photos --cameras '" + name +
               "' flies along them, and --cameras '" + name + "' alone draws what each sees"};
}

Result<PathFile> read_any(const json& file, std::string_view text, const std::string& name) {
  if (file.is_object()) {
    if (file.value("format", json()) == json(kOurMark)) return read_ours(file, name);
    if (has_list(file, "keyframes") && file.contains("clip_duration")) return read_lichtfeld_path(file, name);
    if (has_list(file, "camera_path") || has_matrices(file)) return read_nerfstudio_path(file, name);
    if (has_list(file, "animTracks")) return read_supersplat_path(file, name);
    if (has_list(file, "frames")) return read_transforms_path(text, name);
  }
  if (file.is_array() && !file.empty()) return read_list(file, name);
  return no_path(name);
}

json matrix_of(const CameraPose& pose) {
  const auto r = splat::math::rotation_from_quat(pose.world_from_cam);
  json matrix = json::array();
  for (size_t row = 0; row < 3; ++row)
    for (const double value : {r.m[row][0], -r.m[row][1], -r.m[row][2], pose.position[row]}) matrix.push_back(value);
  for (const double value : {0., 0., 0., 1.}) matrix.push_back(value);
  return matrix;
}

}  // namespace

Result<PathFile> parse_path_file(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view clean, as_utf8(text, name));
  SPLAT_ASSIGN_OR_RETURN(const json file, parse_json(clean, name));
  SPLAT_ASSIGN_OR_RETURN(PathFile read, read_any(file, clean, name));
  if (const splat::Status status = check_path(read.path); !status)
    return Error{"'" + name + "': " + status.error().message};
  return read;
}

Result<PathFile> read_path_file(const std::filesystem::path& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code))
    return Error{"'" + file.string() + "' is a folder, and no camera path: --path photos --cameras '" + file.string() +
                 "' flies along the photos of a dataset"};
  if (std::filesystem::file_size(file, code) > kMostBytes && !code)
    return Error{"'" + file.string() + "' is too large for a camera path"};
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  return parse_path_file(text, file.string());
}

CameraPath path_for(const PathFile& file, double shape) {
  constexpr double kHalfDegrees = 360 / std::numbers::pi;
  CameraPath path = file.path;
  if (file.angle == AngleOf::kHeight) return path;
  const double longer = file.angle == AngleOf::kWidth ? shape : std::max(shape, 1.0);
  for (PathKey& key : path.keys) {
    const double tangent = std::tan(key.pose.fov_y_deg / kHalfDegrees) * kUsualAspect / longer;
    key.pose.fov_y_deg = std::clamp(std::atan(tangent) * kHalfDegrees, splat::kLeastFov, splat::kMostFov);
  }
  return path;
}

std::string path_json(const CameraPath& path) {
  json file{{"format", kOurMark}, {"version", kVersion}, {"loop", name_of(path.loop)}};
  if (path.closing_seconds > 0) file["closing_seconds"] = path.closing_seconds;
  file["constant_speed"] = path.constant_speed;
  if (path.target) file["target"] = *path.target;
  if (path.dolly_zoom) file["dolly_zoom"] = true;
  for (const PathKey& key : path.keys) {
    const auto& q = key.pose.world_from_cam;
    json one{{"seconds", key.seconds},
             {"position", key.pose.position},
             {"rotation", {q.w, q.x, q.y, q.z}},
             {"fov_y", key.pose.fov_y_deg}};
    if (key.pose.stretch != 1) one["stretch"] = key.pose.stretch;
    if (key.pose.shift != std::array{0., 0.}) one["shift"] = key.pose.shift;
    if (key.ease) one["ease"] = true;
    if (key.hold > 0) one["hold"] = key.hold;
    file["keys"].push_back(std::move(one));
  }
  return file.dump(1) + "\n";
}

splat::Status write_path_file(const std::filesystem::path& file, const CameraPath& path) {
  return write_file_atomically(file, path_json(path));
}

std::string nerfstudio_path_json(const CameraPath& path, const Pictures& pictures) {
  const splat::PathCurve curve(path);
  const double aspect = double(pictures.width) / pictures.height;
  json file{{"camera_type", "perspective"},
            {"render_width", pictures.width},
            {"render_height", pictures.height},
            {"fps", pictures.per_second},
            {"is_cycle", path.loop == LoopMode::kLoop},
            {"smoothness_value", 0},
            {"default_fov", path.keys[0].pose.fov_y_deg},
            {"crop", nullptr}};
  for (const PathKey& key : path.keys)
    file["keyframes"].push_back({{"matrix", matrix_of(key.pose)}, {"fov", key.pose.fov_y_deg}, {"aspect", aspect}});
  const std::vector<CameraPose> poses = curve.sampled(pictures.per_second);
  for (const CameraPose& pose : poses)
    file["camera_path"].push_back({{"camera_to_world", matrix_of(pose)}, {"fov", pose.fov_y_deg}, {"aspect", aspect}});
  file["seconds"] = double(poses.size()) / pictures.per_second;
  return file.dump() + "\n";
}

splat::Status write_nerfstudio_path(const std::filesystem::path& file, const CameraPath& path,
                                    const Pictures& pictures) {
  return write_file_atomically(file, nerfstudio_path_json(path, pictures));
}

}  // namespace io
