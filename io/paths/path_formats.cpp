#include "io/paths/path_formats.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/bytes.h"
#include "io/image_file.h"
#include "io/json.h"
#include "io/paths/path_values.h"
#include "io/reconstruction/rotation.h"
#include "io/reconstruction/transforms_json.h"
#include "splat/model/box.h"
#include "splat/model/camera_models.h"
#include "splat/model/transform.h"
#include "splat/path/picture_rate.h"
#include "splat/path/ready_made.h"

namespace io {

using nlohmann::json;
using splat::CameraPose;
using splat::Error;
using splat::PathKey;
using splat::Result;

namespace {

constexpr double kSensorHeight = 24;  // mm, LichtFeld's
constexpr double kUsualFov = 50;      // degrees, of lists that do not say
constexpr double kDegrees = 180 / std::numbers::pi;

std::string where(const std::string& name, const char* what, size_t i) {
  return "'" + name + "': " + what + " " + std::to_string(i + 1);
}

double fov_y_of(double focal, double height) { return 2 * std::atan(height / (2 * focal)) * kDegrees; }

// The vertical angle of a picture of 16:9 whose wider side has this one.
double fov_of_short_side(double degrees) {
  return 2 * std::atan(std::tan(degrees / 2 / kDegrees) / kUsualAspect) * kDegrees;
}

// What three.js writes by columns, as text: its last column, and not its last row, has the position.
void turn_columns(std::array<double, 16>& m, bool text) {
  const bool by_rows = m[12] == 0 && m[13] == 0 && m[14] == 0, by_columns = m[3] == 0 && m[7] == 0 && m[11] == 0;
  if (!by_columns || (by_rows && !text)) return;
  for (size_t r = 0; r < 4; ++r)
    for (size_t c = 0; c < r; ++c) std::swap(m[4 * r + c], m[4 * c + r]);
}

// A matrix of 4 or 3 rows, camera to world in OpenGL's axes (x right, y up, z back).
Result<CameraPose> pose_of_opengl(const PathValues& values, const char* key, double fov_y_deg) {
  SPLAT_ASSIGN_OR_RETURN(auto m, values.matrix(key));
  turn_columns(m, values.find(key)->is_string());
  const auto rotation = nearest_rotation({m[0], -m[1], -m[2], m[4], -m[5], -m[6], m[8], -m[9], -m[10]});
  if (!rotation) return values.error(std::string("'") + key + "' is no rotation with a position");
  return CameraPose{{m[3], m[7], m[11]}, splat::quat_from_rotation(*rotation), fov_y_deg};
}

// The last picture of files with a pose for every one is shown as long as the others.
void show_last_picture(PathFile& file) {
  if (!file.path.keys.empty()) file.path.keys.back().hold = 1 / file.per_second;
}

}  // namespace

namespace {

Result<double> rate_of(const PathValues& values, const char* key) {
  SPLAT_ASSIGN_OR_RETURN(const double rate, values.number_or(key, kUsualRate));
  if (!(rate >= 0.01 && rate <= 1000)) return values.error(std::string("'") + key + "' is not from 0.01 to 1000");
  return splat::picture_rate(rate);
}

// Keys alone, as the viewer begins with: it has them evenly in `seconds`, unless they say how long each takes.
splat::Status add_keyframes(const PathValues& top, const json& keys, const std::string& name, PathFile& read) {
  constexpr double kUsualTransition = 2;  // s, the viewer's
  SPLAT_ASSIGN_OR_RETURN(const double usual_fov, top.number_or("default_fov", kUsualFov));
  SPLAT_ASSIGN_OR_RETURN(const bool cycle, top.flag("is_cycle"));
  const double ways = std::max<double>(1, double(keys.size()) - (cycle ? 0 : 1));
  SPLAT_ASSIGN_OR_RETURN(double step, top.number_or("default_transition_sec", kUsualTransition));
  if (!top.find("default_transition_sec") && top.find("seconds")) {
    SPLAT_ASSIGN_OR_RETURN(const double seconds, top.number("seconds"));
    step = seconds / ways;
  }
  double at = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const PathValues key(keys[i], where(name, "key", i));
    SPLAT_ASSIGN_OR_RETURN(const double fov, key.number_or("fov", usual_fov));
    SPLAT_ASSIGN_OR_RETURN(const CameraPose pose, pose_of_opengl(key, "matrix", fov));
    SPLAT_ASSIGN_OR_RETURN(const double own, key.number_or("override_transition_sec", step));
    if (i > 0) at += own;  // to it
    read.path.keys.push_back({at, pose});
  }
  if (cycle && keys.size() > 1) read.path.loop = splat::LoopMode::kLoop, read.path.closing_seconds = step;
  read.notes.push_back("'" + name + "' has keys and no 'camera_path': its pictures follow a curve through these");
  return {};
}

splat::Status add_pictures(const PathValues& top, const json& frames, const std::string& name, PathFile& read) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const PathValues frame(frames[i], where(name, "picture", i));
    SPLAT_ASSIGN_OR_RETURN(const double fov, frame.find("fov") ? frame.number("fov") : top.number("default_fov"));
    SPLAT_ASSIGN_OR_RETURN(const CameraPose pose, pose_of_opengl(frame, "camera_to_world", fov));
    read.path.keys.push_back({double(i) / read.per_second, pose});
  }
  SPLAT_ASSIGN_OR_RETURN(const bool cycle, top.flag("is_cycle"));
  if (cycle)
    read.path.loop = splat::LoopMode::kLoop, read.path.closing_seconds = 1 / read.per_second;
  else
    show_last_picture(read);
  return {};
}

}  // namespace

// nerfstudio/viewer/render_panel.py: a matrix and a vertical angle for every picture, or for keys alone.
Result<PathFile> read_nerfstudio_path(const json& file, const std::string& name) {
  const PathValues top(file, "'" + name + "'");
  PathFile read;
  read.format = PathFormat::kNerfstudio;
  SPLAT_ASSIGN_OR_RETURN(read.per_second, rate_of(top, "fps"));
  for (const auto& [key, side] : {std::pair{"render_width", &read.width}, std::pair{"render_height", &read.height}}) {
    SPLAT_ASSIGN_OR_RETURN(const double px, top.number_or(key, 0));
    if (!(px >= 0 && px <= kMaxImageSide)) return top.error(std::string("'") + key + "' is no size of a picture");
    *side = int(px);
  }
  const json* frames = top.find("camera_path");
  if (frames && !frames->is_array()) return top.error("'camera_path' is no list");
  const json* keys = top.find("keyframes");
  const bool keys_alone = (!frames || frames->empty()) && keys && keys->is_array() && !keys->empty();
  SPLAT_TRY(keys_alone ? add_keyframes(top, *keys, name, read) : add_pictures(top, *frames, name, read));
  const json* type = top.find("camera_type");
  read.all_around = type && *type == "equirectangular";
  if (type && *type != "perspective" && !read.all_around)
    read.notes.push_back("'" + name + "' is for another kind of camera; its positions are used with a perspective one");
  return read;
}

// A matrix a picture, in their order: what ns-export lists of a model's cameras, and scripts write likewise.
Result<PathFile> read_camera_list(const json& list, const std::string& name) {
  PathFile read;
  read.format = PathFormat::kNerfstudio;
  read.per_second = kUsualRate;
  bool said = true;
  for (size_t i = 0; i < list.size(); ++i) {
    const PathValues camera(list[i], where(name, "camera", i));
    const char* key = "transform";
    for (const char* other : {"transform_matrix", "camera_to_world", "c2w", "matrix"})
      if (camera.find(other)) key = other;
    SPLAT_ASSIGN_OR_RETURN(const double fov, camera.number_or("fov", kUsualFov));
    SPLAT_ASSIGN_OR_RETURN(const CameraPose pose, pose_of_opengl(camera, key, fov));
    said &= camera.find("fov") != nullptr;
    read.path.keys.push_back({double(i) / kUsualRate, pose});
  }
  show_last_picture(read);
  read.notes.push_back("'" + name + "' says no speed: its pictures are taken as 30 a second; --seconds changes that");
  if (!said) read.notes.push_back("'" + name + "' says no field of view: it is taken as 50 degrees");
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
  SPLAT_ASSIGN_OR_RETURN(read.per_second, rate_of(track, "frameRate"));
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
  read.angle = AngleOf::kLongerSide;
  return read;
}

namespace {

// "r_9" before "r_10": numbers in names count by their value.
bool comes_before(const std::string& a, const std::string& b) {
  const auto digit = [](const std::string& text, size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a, i) || !digit(b, j)) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    size_t of_a = i, of_b = j;
    while (digit(a, of_a)) ++of_a;
    while (digit(b, of_b)) ++of_b;
    while (i + 1 < of_a && a[i] == '0') ++i;
    while (j + 1 < of_b && b[j] == '0') ++j;
    if (of_a - i != of_b - j) return of_a - i < of_b - j;
    if (const int order = a.compare(i, of_a - i, b, j, of_b - j); order != 0) return order < 0;
    i = of_a, j = of_b;
  }
  return a.size() - i < b.size() - j;
}

// A camera whose size the file does not say has that of its photo, else of the others, else what its own numbers give:
// twice the principal point, or the shape that two angles have with square pixels. With an angle across alone it is the
// film's: false.
bool find_size(ReconstructionImage& image, const std::filesystem::path& file, int& width, int& height) {
  splat::SourceCamera& camera = image.camera;
  const ReconstructionImage::Pending& pending = image.pending;
  resolve_photo(image, file);
  if ((camera.width == 0 || camera.height == 0) && is_file(image.file_hint))
    if (const auto photo = read_image_size(image.file_hint)) complete_camera(image, photo->width, photo->height);
  if (camera.width == 0 && width > 0) complete_camera(image, width, height);
  const size_t focals = splat::camera_model_info(camera.model).focal_lengths();
  if (camera.width > 0 || focals == 0) return true;
  const bool centre = !pending.principal_x && !pending.principal_y;
  if (centre) {
    width = int(std::clamp(std::round(2 * camera.params[focals]), 16., double(kMaxImageSide)));
    height = int(std::clamp(std::round(2 * camera.params[focals + 1]), 16., double(kMaxImageSide)));
  } else if (pending.angle_x && pending.angle_y) {
    const double shape = std::tan(*pending.angle_x / 2) / std::tan(*pending.angle_y / 2);
    height = 1080, width = int(std::clamp(std::round(height * shape / 2) * 2, 16., double(kMaxImageSide)));
  }
  complete_camera(image, width > 0 ? width : 1920, width > 0 ? height : 1080);
  return width > 0;
}

splat::PinholeCamera pinhole_of(const splat::SourceCamera& camera, size_t focals) {
  return {camera.width,
          camera.height,
          float(camera.params[0]),
          float(camera.params[focals - 1]),
          float(camera.params[focals]),
          float(camera.params[focals + 1])};
}

}  // namespace

// A picture after the other, in the order of their names.
Result<PathFile> read_transforms_path(std::string_view text, const std::string& name) {
  const std::filesystem::path file = name;
  SPLAT_ASSIGN_OR_RETURN(TransformsText parsed, parse_transforms_json(text, name, file.parent_path()));
  std::vector<ReconstructionImage>& images = parsed.reconstruction.images;
  std::stable_sort(images.begin(), images.end(),
                   [](const auto& a, const auto& b) { return comes_before(a.name, b.name); });
  PathFile read;
  read.format = PathFormat::kTransforms;
  read.per_second = kUsualRate;
  int width = 0, height = 0;
  bool sized = true, several = false, bent = false;
  for (ReconstructionImage& image : images) {
    const bool across_alone = image.pending.angle_x && !image.pending.angle_y;
    const bool known = find_size(image, file, width, height);
    const splat::CameraModelInfo& model = splat::camera_model_info(image.camera.model);
    const size_t focals = model.focal_lengths();
    if (focals == 0) return Error{"'" + name + "' holds panoramas, which are no path of a camera"};
    if (!known && across_alone) read.angle = AngleOf::kWidth;
    sized &= known || across_alone;
    if (known && width == 0) width = image.camera.width, height = image.camera.height;
    several |= known && (image.camera.width != width || image.camera.height != height);
    bent |= image.camera.params.size() > focals + 2;
    read.path.keys.push_back({double(read.path.keys.size()) / kUsualRate,
                              splat::pose_of({pinhole_of(image.camera, focals), image.cam_from_world})});
  }
  read.width = width, read.height = height;
  show_last_picture(read);
  read.notes.push_back("'" + name + "' says no speed: its pictures are taken as 30 a second; --seconds changes that");
  if (!sized) read.notes.push_back("'" + name + "' says no size, and no photos lie beside it: 1920x1080 is taken");
  if (several)
    read.notes.push_back("'" + name + "' has pictures of several sizes: all of the film have the first one's");
  if (bent) read.notes.push_back("'" + name + "' has lenses that bend lines: the film is drawn without that");
  return read;
}

}  // namespace io
