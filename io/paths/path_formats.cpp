#include "io/paths/path_formats.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/json.h"
#include "io/paths/path_values.h"
#include "io/reconstruction/rotation.h"
#include "io/reconstruction/transforms_json.h"
#include "splat/model/box.h"
#include "splat/model/camera_models.h"
#include "splat/model/transform.h"
#include "splat/path/ready_made.h"

namespace io {

using nlohmann::json;
using splat::CameraPose;
using splat::Error;
using splat::PathKey;
using splat::Result;

namespace {

constexpr double kUsualRate = 30;         // pictures a second, of files that do not say
constexpr double kUsualAspect = 16. / 9;  // of those that give the angle of the longer side
constexpr double kSensorHeight = 24;      // mm, LichtFeld's
constexpr double kDegrees = 180 / std::numbers::pi;

std::string where(const std::string& name, const char* what, size_t i) {
  return "'" + name + "': " + what + " " + std::to_string(i + 1);
}

double fov_y_of(double focal, double height) { return 2 * std::atan(height / (2 * focal)) * kDegrees; }

// The other angle of a picture whose wider side has this one.
double fov_of_short_side(double degrees) {
  return 2 * std::atan(std::tan(degrees / 2 / kDegrees) / kUsualAspect) * kDegrees;
}

// A 4x4 matrix, row-major, camera to world in OpenGL's axes (x right, y up, z back).
Result<CameraPose> pose_of_opengl(const PathValues& values, const char* key, double fov_y_deg) {
  SPLAT_ASSIGN_OR_RETURN(const auto m, values.numbers<12>(key));
  const auto rotation = nearest_rotation({m[0], -m[1], -m[2], m[4], -m[5], -m[6], m[8], -m[9], -m[10]});
  if (!rotation) return values.error(std::string("'") + key + "' is no rotation with a position");
  return CameraPose{{m[3], m[7], m[11]}, splat::quat_from_rotation(*rotation), fov_y_deg};
}

// The last picture of files with a pose for every one is shown as long as the others.
void show_last_picture(PathFile& file) {
  if (!file.path.keys.empty()) file.path.keys.back().hold = 1 / file.per_second;
}

}  // namespace

// nerfstudio/viewer/render_panel.py: a matrix and a vertical angle for every picture.
Result<PathFile> read_nerfstudio_path(const json& file, const std::string& name) {
  const PathValues top(file, "'" + name + "'");
  PathFile read;
  read.format = PathFormat::kNerfstudio;
  SPLAT_ASSIGN_OR_RETURN(read.per_second, top.number_or("fps", kUsualRate));
  if (!(read.per_second >= 0.01 && read.per_second <= 1000)) return top.error("'fps' is not from 0.01 to 1000");
  for (const auto& [key, side] : {std::pair{"render_width", &read.width}, std::pair{"render_height", &read.height}}) {
    SPLAT_ASSIGN_OR_RETURN(const double px, top.number_or(key, 0));
    if (!(px >= 0 && px <= kMaxImageSide)) return top.error(std::string("'") + key + "' is no size of a picture");
    *side = int(px);
  }
  const json& frames = file["camera_path"];
  for (size_t i = 0; i < frames.size(); ++i) {
    const PathValues frame(frames[i], where(name, "picture", i));
    SPLAT_ASSIGN_OR_RETURN(const double fov, frame.number("fov"));
    SPLAT_ASSIGN_OR_RETURN(const CameraPose pose, pose_of_opengl(frame, "camera_to_world", fov));
    read.path.keys.push_back({double(i) / read.per_second, pose});
  }
  SPLAT_ASSIGN_OR_RETURN(const bool cycle, top.flag("is_cycle"));
  if (cycle)
    read.path.loop = splat::LoopMode::kLoop, read.path.closing_seconds = 1 / read.per_second;
  else
    show_last_picture(read);
  if (const json* type = top.find("camera_type"); type && *type != "perspective")
    read.notes.push_back("'" + name + "' is for another kind of camera; its positions are used with a perspective one");
  return read;
}

// Its world is that of the data with y and z turned round, a camera looks along -z with y up; a full-frame sensor.
Result<PathFile> read_lichtfeld_path(const json& file, const std::string& name) {
  PathFile read;
  read.format = PathFormat::kLichtFeld;
  const json& keys = file["keyframes"];
  bool ease_next = false;
  for (size_t i = 0; i < keys.size(); ++i) {
    const PathValues values(keys[i], where(name, "key", i));
    PathKey key;
    SPLAT_ASSIGN_OR_RETURN(key.seconds, values.number("time"));
    SPLAT_ASSIGN_OR_RETURN(const auto p, values.numbers<3>("position"));
    SPLAT_ASSIGN_OR_RETURN(const auto q, values.numbers<4>("rotation"));
    SPLAT_ASSIGN_OR_RETURN(const double focal, values.number("focal_length_mm"));
    SPLAT_ASSIGN_OR_RETURN(const double easing, values.number_or("easing", 0));
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (!(length > 1e-6)) return values.error("'rotation' is no rotation");
    if (!(focal > 0)) return values.error("'focal_length_mm' is not above 0");
    // A half turn about x on both sides of a rotation: y and z of its axis change their sign.
    key.pose = {{p[0], -p[1], -p[2]},
                splat::unit_quat({q[0] / length, q[1] / length, -q[2] / length, -q[3] / length}),
                fov_y_of(focal, kSensorHeight)};
    key.ease = ease_next || easing == 1 || easing == 3;  // 1 in, 2 out, 3 both
    ease_next = easing == 2 || easing == 3;
    read.path.keys.push_back(key);
  }
  std::stable_sort(read.path.keys.begin(), read.path.keys.end(),
                   [](const PathKey& a, const PathKey& b) { return a.seconds < b.seconds; });
  return read;
}

namespace {

const json* track_of(const json& file) {
  const json& tracks = file["animTracks"];
  const json camera = file.value("camera", json());
  const json chosen = camera.is_object() ? camera.value("animTrack", json()) : json();
  for (const json& track : tracks)
    if (track.is_object() && track.contains("name") && track["name"] == chosen) return &track;
  return tracks.empty() ? nullptr : &tracks[0];
}

Result<double> supersplat_fov(const json& file, const std::string& name) {
  constexpr double kUsual = 60;
  const json camera = file.value("camera", json::object());
  return PathValues(camera, "'" + name + "': camera").number_or("fov", kUsual);
}

}  // namespace

// Positions and targets in a world where a PLY is turned half round z; the angle is that of the longer side.
Result<PathFile> read_supersplat_path(const json& file, const std::string& name) {
  PathFile read;
  read.format = PathFormat::kSuperSplat;
  const json* found = track_of(file);
  if (!found) return Error{"'" + name + "' has no camera animation"};
  const PathValues track(*found, "'" + name + "': the animation");
  SPLAT_ASSIGN_OR_RETURN(read.per_second, track.number_or("frameRate", kUsualRate));
  if (!(read.per_second >= 0.01 && read.per_second <= 1000)) return track.error("'frameRate' is not from 0.01 to 1000");
  SPLAT_ASSIGN_OR_RETURN(const double usual_fov, supersplat_fov(file, name));
  const json none;
  const json* keyframes = track.find("keyframes");
  const PathValues keys(keyframes ? *keyframes : none, "'" + name + "': keyframes");
  const json* times = keys.find("times");
  const json* listed = keys.find("values");
  if (!times || !times->is_array() || !listed) return keys.error("'times' or 'values' are missing");
  for (size_t i = 0; i < times->size(); ++i) {
    const PathValues values(*listed, where(name, "key", i));
    SPLAT_ASSIGN_OR_RETURN(const auto frame, keys.numbers<1>("times", i));
    SPLAT_ASSIGN_OR_RETURN(const auto p, values.numbers<3>("position", 3 * i));
    SPLAT_ASSIGN_OR_RETURN(const auto t, values.numbers<3>("target", 3 * i));
    double fov = usual_fov;
    if (values.find("fov")) {
      SPLAT_ASSIGN_OR_RETURN(const auto given, values.numbers<1>("fov", i));
      fov = given[0];
    }
    const std::array<double, 3> at{-p[0], -p[1], p[2]}, target{-t[0], -t[1], t[2]};
    read.path.keys.push_back(
        {frame[0] / read.per_second, {at, splat::looking_at(at, target, {0, -1, 0}), fov_of_short_side(fov)}});
  }
  const json* mode = track.find("loopMode");
  if (mode && *mode == "pingpong") read.path.loop = splat::LoopMode::kPingPong;
  if (mode && *mode == "repeat" && !read.path.keys.empty()) {
    const double last = read.path.keys.back().seconds;
    SPLAT_ASSIGN_OR_RETURN(const double duration, track.number_or("duration", last));
    read.path.loop = splat::LoopMode::kLoop;
    read.path.closing_seconds = duration > last ? duration - last : 1;
  }
  read.notes.push_back("'" + name + "' gives the angle of the longer side, which was taken for a picture of 16:9");
  return read;
}

// A picture after the other, in the order of their names.
Result<PathFile> read_transforms_path(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(TransformsText parsed, parse_transforms_json(text, name, {}));
  PathFile read;
  read.format = PathFormat::kTransforms;
  read.per_second = kUsualRate;
  for (ReconstructionImage& image : parsed.reconstruction.images) {
    complete_camera(image, 1920, 1080);  // where the file does not say
    const size_t focals = splat::camera_model_info(image.camera.model).focal_lengths();
    if (focals == 0) return Error{"'" + name + "' holds panoramas, which are no path of a camera"};
    splat::View view;
    view.cam_from_world = image.cam_from_world;
    view.camera.height = image.camera.height, view.camera.width = image.camera.width;
    view.camera.fx = view.camera.fy = float(image.camera.params[focals - 1]);
    read.path.keys.push_back({double(read.path.keys.size()) / kUsualRate, splat::pose_of(view)});
    read.width = image.camera.width, read.height = image.camera.height;
  }
  show_last_picture(read);
  read.notes.push_back("'" + name + "' says no speed: its pictures are taken as 30 a second; --seconds changes that");
  return read;
}

}  // namespace io
