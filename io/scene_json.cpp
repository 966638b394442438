#include "io/scene_json.h"

#include <cmath>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Error;
using splat::Result;

namespace {

constexpr int kSceneVersion = 1;
constexpr int kLargestEpsg = 1'000'000;
constexpr double kFarthest = 1e12;
constexpr double kLargestUnit = 1e9;  // metres, or its inverse

Result<SceneFrame> read_frame(const fs::path& file) {
  std::error_code code;
  SceneFrame frame;
  if (!fs::exists(file, code) || fs::is_directory(file, code)) return frame;
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json object, parse_json(text, file.string()));
  const std::string name = "'" + file.string() + "'";
  const Error wrong{name + R"( is not as it should be: {"origin": [x, y, z], "epsg": 25832})"};
  if (!object.is_object()) return wrong;
  // Other programs have files of this name too.
  if (!object.contains("origin") && !object.contains("epsg") && !object.contains("metres_per_unit")) return frame;
  try {
    if (object.contains("version") && whole_number<int64_t>(object["version"]) > kSceneVersion)
      return Error{name + " is of a later version than is known here"};
    if (object.contains("origin")) {
      if (object["origin"].size() != frame.origin.size()) return Error{name + ": its origin is not three numbers"};
      object["origin"].get_to(frame.origin);
    }
    if (object.contains("epsg")) frame.epsg = whole_number<int>(object["epsg"]);
    if (object.contains("metres_per_unit")) {
      object["metres_per_unit"].get_to(frame.metres_per_unit);
      if (frame.metres_per_unit == 0) return Error{name + ": its metres_per_unit is no length"};
    }
  } catch (const json::exception&) {
    return wrong;
  }
  for (const double value : frame.origin)
    if (!(std::abs(value) <= kFarthest)) return Error{name + ": its origin is not a place"};
  if (frame.epsg < 0 || frame.epsg > kLargestEpsg) return Error{name + ": its EPSG code is none"};
  const double metres = frame.metres_per_unit;
  if (metres != 0 && !(metres >= 1 / kLargestUnit && metres <= kLargestUnit))
    return Error{name + ": its metres_per_unit is no length"};
  return frame;
}

splat::Status write_frame(const fs::path& file, const SceneFrame& frame) {
  json object{{"version", kSceneVersion}, {"origin", frame.origin}};
  if (frame.metres_per_unit != 0) object["metres_per_unit"] = frame.metres_per_unit;
  if (frame.epsg != 0) object["epsg"] = frame.epsg;
  return write_file_atomically(file, object.dump(2) + "\n");
}

}  // namespace

Result<SceneFrame> read_scene_json(const fs::path& folder) { return read_frame(folder / "scene.json"); }

splat::Status write_scene_json(const fs::path& folder, const SceneFrame& frame) {
  return write_frame(folder / "scene.json", frame);
}

fs::path scene_json_of(const fs::path& splats) {
  fs::path file = splats;
  return file += ".scene.json";
}

Result<SceneFrame> read_scene_json_of(const fs::path& splats) { return read_frame(scene_json_of(splats)); }

splat::Status write_scene_json_of(const fs::path& splats, const SceneFrame& frame) {
  std::error_code code;
  if (!frame.empty()) return write_frame(scene_json_of(splats), frame);
  fs::remove(scene_json_of(splats), code);  // of another file that had this name
  return {};
}

}  // namespace io
