#include "studio/documents/scene_memory_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/host/small_file.h"
#include "io/atomic_file.h"
#include "io/box_file.h"
#include "io/paths/path_file.h"
#include "splat/core/fnv1a.h"
#include "studio/documents/measure.h"

namespace studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uintmax_t kMostBytes = 16 << 20;       // a larger file is none of ours
constexpr size_t kContentBytes = 64 << 10;       // of a file's beginning and end, that its content is known by
constexpr double kRotationTolerance = 1e-3;      // of a stored rotation's columns
constexpr double kLeastFov = 1, kMostFov = 170;  // degrees

constexpr const char* kFile = "scenes.json";

fs::path file_in(const fs::path& config) { return config / kFile; }

std::string key_of(const fs::path& scene) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(scene, code);
  return (code ? scene : canonical).string();
}

// ---- numbers out of a file that anybody may have changed

std::optional<std::vector<double>> numbers(const json& value, size_t count) {
  if (!value.is_array() || value.size() != count) return std::nullopt;
  std::vector<double> read;
  for (const json& one : value) {
    if (!one.is_number() || !std::isfinite(one.get<double>())) return std::nullopt;
    read.push_back(one.get<double>());
  }
  return read;
}

std::optional<Mat3> rotation_from(const json& value) {
  const auto read = numbers(value, 9);
  if (!read) return std::nullopt;
  Mat3 rotation;
  for (size_t i = 0; i < 9; ++i) rotation.m[i / 3][i % 3] = (*read)[i];
  const Mat3 nearest = viewer::orthonormalized(rotation);
  for (size_t i = 0; i < 9; ++i)
    if (!(std::abs(nearest.m[i / 3][i % 3] - (*read)[i]) < kRotationTolerance)) return std::nullopt;
  return rotation;
}

double number(const json& value, const char* name) {
  return value.contains(name) && value[name].is_number() ? value[name].get<double>() : std::nan("");
}

std::optional<CameraState> camera_from(const json& value) {
  if (!value.is_object() || !value.contains("position") || !value.contains("world_from_cam")) return std::nullopt;
  const auto position = numbers(value["position"], 3);
  const auto rotation = rotation_from(value["world_from_cam"]);
  CameraState camera;
  camera.fov_y_deg = number(value, "fov_y_deg");
  camera.focus_distance = number(value, "focus_distance");
  const bool good = camera.fov_y_deg >= kLeastFov && camera.fov_y_deg <= kMostFov && camera.focus_distance > 0 &&
                    std::isfinite(camera.focus_distance);
  if (!position || !rotation || !good) return std::nullopt;
  camera.position = {(*position)[0], (*position)[1], (*position)[2]};
  camera.world_from_cam = *rotation;
  camera.orthographic = value.value("orthographic", json()) == json(true);
  return camera;
}

SceneMemory memory_from(const json& entry) {
  SceneMemory memory;
  if (entry.contains("up"))
    if (const auto up = numbers(entry["up"], 3)) {
      const Vec3 read{(*up)[0], (*up)[1], (*up)[2]};
      if (std::abs(viewer::length(read) - 1) < kRotationTolerance) memory.up = read;
    }
  const double scale = number(entry, "metres_per_unit");
  if (scale >= Measure::kLeastScale && scale <= Measure::kLargestScale) memory.metres_per_unit = scale;
  if (entry.contains("crop_box")) memory.crop_box = io::box_from_json(entry["crop_box"]);
  if (entry.contains("camera_path"))
    if (auto path = io::parse_path_file(entry["camera_path"].dump(), kFile)) memory.path = std::move(path->path);
  if (entry.contains("bookmarks") && entry["bookmarks"].is_array())
    for (size_t i = 0; i < std::min(entry["bookmarks"].size(), memory.bookmarks.size()); ++i)
      memory.bookmarks[i] = camera_from(entry["bookmarks"][i]);
  return memory;
}

// ---- and into it

json to_json(const CameraState& camera) {
  json rotation = json::array();
  for (const auto& row : camera.world_from_cam.m)
    for (const double value : row) rotation.push_back(value);
  return {{"position", viewer::array3(camera.position)},
          {"world_from_cam", rotation},
          {"fov_y_deg", camera.fov_y_deg},
          {"focus_distance", camera.focus_distance},
          {"orthographic", camera.orthographic}};
}

json to_json(const SceneMemory& memory) {
  json entry = json::object();
  if (memory.up) entry["up"] = viewer::array3(*memory.up);
  if (memory.metres_per_unit) entry["metres_per_unit"] = *memory.metres_per_unit;
  if (memory.crop_box) entry["crop_box"] = io::to_json(*memory.crop_box);
  if (!memory.path.keys.empty()) entry["camera_path"] = json::parse(io::path_json(memory.path));
  json bookmarks = json::array();
  for (const auto& bookmark : memory.bookmarks) bookmarks.push_back(bookmark ? to_json(*bookmark) : json());
  entry["bookmarks"] = bookmarks;
  return entry;
}

// The scenes of the file, newest first.
json read_scenes(const fs::path& config) {
  const auto text = config.empty() ? std::nullopt : read_small_file(file_in(config), kMostBytes);
  const json file = text ? json::parse(*text, nullptr, false) : json();
  if (!file.is_object() || !file.contains("scenes") || !file["scenes"].is_array()) return json::array();
  json scenes = json::array();
  for (const json& entry : file["scenes"])
    if (entry.is_object()) scenes.push_back(entry);
  return scenes;
}

bool has_text(const json& entry, const char* name, const std::string& text) {
  return !text.empty() && entry.contains(name) && entry[name].is_string() && entry[name].get<std::string>() == text;
}

}  // namespace

// Size and FNV-1a of the beginning and the end.
std::string content_of(const fs::path& scene) {
  std::error_code code;
  if (!fs::is_regular_file(scene, code)) return {};
  const uintmax_t size = fs::file_size(scene, code);
  std::ifstream file(scene, std::ios::binary);
  if (code || !file) return {};
  splat::Fnv1a hash;
  std::string bytes(kContentBytes, '\0');
  for (const uintmax_t from : {uintmax_t(0), size > kContentBytes ? size - kContentBytes : size}) {
    file.clear();
    file.seekg(std::streamoff(from));
    file.read(bytes.data(), std::streamsize(bytes.size()));
    hash.add({bytes.data(), size_t(file.gcount())});
  }
  return fmt::format("{}-{:016x}", size, hash.value());
}

SceneMemory remembered_scene(const fs::path& config, const fs::path& scene) {
  const json scenes = read_scenes(config);
  if (scenes.empty()) return {};
  const std::string path = key_of(scene), content = content_of(scene);
  for (const json& entry : scenes)
    if (has_text(entry, "path", path)) return memory_from(entry);
  for (const json& entry : scenes)
    if (has_text(entry, "content", content)) return memory_from(entry);
  return {};
}

splat::Status remember_scene(const fs::path& config, const fs::path& scene, const SceneMemory& memory) {
  if (config.empty()) return {};
  const std::string path = key_of(scene);
  json scenes = json::array();
  if (!memory.empty()) {
    json entry = to_json(memory);
    entry["path"] = path;
    entry["content"] = content_of(scene);
    scenes.push_back(std::move(entry));
  }
  for (json& entry : read_scenes(config))
    if (!has_text(entry, "path", path) && scenes.size() < kMostScenes) scenes.push_back(std::move(entry));
  std::error_code code;
  fs::create_directories(config, code);  // an error shows when the file is written
  json file{{"scenes", std::move(scenes)}};
  std::string text;
  for (;;) {  // the oldest go where all of them were more than is read again
    text = file.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    if (text.size() <= kMostBytes || file["scenes"].size() <= 1) break;
    file["scenes"].erase(file["scenes"].size() - 1);
  }
  return io::write_file_atomically(file_in(config), text);
}

}  // namespace studio
