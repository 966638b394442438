#include "io/scene_json.h"

#include <cmath>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/text.h"

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

Result<BesideSplats> read_facts(const fs::path& file) {
  std::error_code code;
  BesideSplats facts;
  SceneFrame& frame = facts.frame;
  if (!fs::exists(file, code) || fs::is_directory(file, code)) return facts;
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json object, parse_json(text, file.string()));
  const std::string name = "'" + file.string() + "'";
  const Error wrong{name + R"( is not as it should be: {"origin": [x, y, z], "epsg": 25832})"};
  if (!object.is_object()) return wrong;
  // Other programs have files of this name too.
  if (!object.contains("origin") && !object.contains("epsg") && !object.contains("metres_per_unit") &&
      !object.contains("low_pass"))
    return facts;
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
    if (object.contains("low_pass")) object["low_pass"].get_to(facts.low_pass);
  } catch (const json::exception&) {
    return wrong;
  }
  for (const double value : frame.origin)
    if (!(std::abs(value) <= kFarthest)) return Error{name + ": its origin is not a place"};
  if (frame.epsg < 0 || frame.epsg > kLargestEpsg) return Error{name + ": its EPSG code is none"};
  const double metres = frame.metres_per_unit;
  if (metres != 0 && !(metres >= 1 / kLargestUnit && metres <= kLargestUnit))
    return Error{name + ": its metres_per_unit is no length"};
  if (!(facts.low_pass >= 0 && facts.low_pass <= splat::kMostLowPass))
    return Error{name + ": its low_pass is not a number of px^2 from 0 to 100"};
  return facts;
}

splat::Status write_facts(const fs::path& file, const BesideSplats& facts) {
  const SceneFrame& frame = facts.frame;
  json object{{"version", kSceneVersion}, {"origin", frame.origin}};
  if (frame.metres_per_unit != 0) object["metres_per_unit"] = frame.metres_per_unit;
  if (frame.epsg != 0) object["epsg"] = frame.epsg;
  if (facts.low_pass != splat::kUsualLowPass) object["low_pass"] = json::parse(shortest_text(facts.low_pass));
  return write_file_atomically(file, object.dump(2) + "\n");
}

}  // namespace

Result<SceneFrame> read_scene_json(const fs::path& folder) {
  SPLAT_ASSIGN_OR_RETURN(const BesideSplats facts, read_facts(folder / "scene.json"));
  return facts.frame;
}

splat::Status write_scene_json(const fs::path& folder, const SceneFrame& frame) {
  return write_facts(folder / "scene.json", {frame});
}

fs::path scene_json_of(const fs::path& splats) {
  fs::path file = splats;
  return file += ".scene.json";
}

Result<BesideSplats> read_scene_json_of(const fs::path& splats) { return read_facts(scene_json_of(splats)); }

splat::Status write_scene_json_of(const fs::path& splats, const BesideSplats& facts) {
  std::error_code code;
  if (!facts.frame.empty() || facts.low_pass != splat::kUsualLowPass) return write_facts(scene_json_of(splats), facts);
  fs::remove(scene_json_of(splats), code);  // of another file that had this name
  return {};
}

}  // namespace io
