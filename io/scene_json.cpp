#include "io/scene_json.h"

#include <cmath>

#include "io/atomic_file.h"
#include "io/beside_splats.h"
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

bool equal(const BesideSplats& one, const BesideSplats& other) {
  return one.frame == other.frame && one.low_pass == other.low_pass;
}

bool says_something(const BesideSplats& facts) {
  static const BesideSplats nothing;
  return !equal(facts, nothing);
}

struct Facts : BesideSplats {
  bool ours = false;  // not another program's, which have files of this name too
  std::string of;     // a stamp
};

Result<Facts> read_facts(const fs::path& file) {
  std::error_code code;
  Facts facts;
  SceneFrame& frame = facts.frame;
  if (!fs::exists(file, code) || fs::is_directory(file, code)) return facts;
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json object, parse_json(text, file.string()));
  const std::string name = "'" + file.string() + "'";
  const Error wrong{name + R"( is not as it should be: {"origin": [x, y, z], "epsg": 25832})"};
  if (!object.is_object()) return wrong;
  if (!object.contains("origin") && !object.contains("epsg") && !object.contains("metres_per_unit") &&
      !object.contains("low_pass"))
    return facts;
  facts.ours = true;
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
    if (object.contains("of")) object["of"].get_to(facts.of);
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

splat::Status write_facts(const fs::path& file, const BesideSplats& facts, const std::string& of = "") {
  const SceneFrame& frame = facts.frame;
  json object{{"version", kSceneVersion}, {"origin", frame.origin}};
  if (frame.metres_per_unit != 0) object["metres_per_unit"] = frame.metres_per_unit;
  if (frame.epsg != 0) object["epsg"] = frame.epsg;
  if (facts.low_pass != splat::kUsualLowPass) object["low_pass"] = json::parse(shortest_text(facts.low_pass));
  if (!of.empty()) object["of"] = of;
  return write_file_atomically(file, object.dump(2) + "\n");
}

}  // namespace

Result<SceneFrame> read_scene_json(const fs::path& folder) {
  SPLAT_ASSIGN_OR_RETURN(const Facts facts, read_facts(folder / "scene.json"));
  return facts.frame;
}

splat::Status write_scene_json(const fs::path& folder, const SceneFrame& frame) {
  return write_facts(folder / "scene.json", {frame});
}

fs::path scene_json_of(const fs::path& splats) {
  fs::path file = splats;
  return file += ".scene.json";
}

Result<BesideSplats> read_scene_json_of(const fs::path& splats, bool& stale) {
  SPLAT_ASSIGN_OR_RETURN(const Facts facts, read_facts(scene_json_of(splats)));
  stale = says_something(facts) && !facts.of.empty() && facts.of != stamp_of_file(splats);
  return stale ? BesideSplats{} : BesideSplats(facts);
}

Result<BesideSplats> read_scene_json_of(const fs::path& splats) {
  bool stale = false;
  return read_scene_json_of(splats, stale);
}

Result<SceneJsonOf> SceneJsonOf::check(const fs::path& splats, const BesideSplats& said, const BesideSplats& known,
                                       const Beside& beside) {
  const fs::path file = scene_json_of(splats);
  std::error_code code;
  SceneJsonOf checked;
  checked.splats_ = splats, checked.facts_ = said;
  if (!fs::exists(file, code)) return checked;
  const auto there = read_facts(file);
  const bool ours = there && there->ours;
  const bool of_these = ours && !there->of.empty() && there->of == stamp_of_file(splats);
  const bool same = ours && (equal(*there, said) || equal(*there, known));
  // With nothing to say, what is true of the new splats, or would not be believed of them, may stay.
  const bool believed = of_these || (ours && there->of.empty() && says_something(*there) && !equal(*there, known));
  if (!says_something(said) && there && !believed) return checked;
  SPLAT_TRY(check_regular(file));
  if (!beside.replace && !of_these && !same && fs::file_size(file, code) > 0) return not_of(file, splats, beside);
  checked.remove_ = true;
  return checked;
}

splat::Status SceneJsonOf::write() const {
  std::error_code code;
  if (says_something(facts_)) return write_facts(scene_json_of(splats_), facts_, stamp_of_file(splats_));
  if (remove_) fs::remove(scene_json_of(splats_), code);
  return {};
}

splat::Status write_scene_json_of(const fs::path& splats, const BesideSplats& facts) {
  SPLAT_ASSIGN_OR_RETURN(const SceneJsonOf file, SceneJsonOf::check(splats, facts, facts, {.replace = true}));
  return file.write();
}

}  // namespace io
