#include "io/cameras_json.h"

#include <cmath>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/names.h"
#include "io/reconstruction/reconstruction.h"
#include "io/reconstruction/rotation.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::PinholeCamera;
using splat::Rigid3;

namespace {

json to_json(const splat::DatasetView& view, const Rigid3& cam_from_world, size_t id) {
  const std::array<double, 9>& r = cam_from_world.rotation;
  return {{"id", id},
          {"img_name", view.name},
          {"width", view.camera.width},
          {"height", view.camera.height},
          {"position", cam_from_world.origin_in_source()},
          {"rotation", {{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}},
          {"fy", view.camera.fy},
          {"fx", view.camera.fx},
          {"cx", view.camera.cx},
          {"cy", view.camera.cy}};
}

Result<double> read_number(const json& camera, const char* key, const std::string& where) {
  const auto it = camera.find(key);
  if (it == camera.end() || !it->is_number() || !(std::abs(it->get<double>()) <= kMaxCoordinate))
    return Error{where + ": '" + key + "' is missing or not a finite number"};
  return it->get<double>();
}

Result<std::array<double, 3>> read_vector(const json* value, const char* key, const std::string& where) {
  std::array<double, 3> vector{};
  bool good = value && value->is_array() && value->size() == 3;
  for (size_t i = 0; good && i < 3; ++i) {
    good = (*value)[i].is_number() && std::abs((*value)[i].get<double>()) <= kMaxCoordinate;
    if (good) vector[i] = (*value)[i].get<double>();
  }
  if (!good) return Error{where + ": '" + key + "' is missing or not made of three finite numbers a row"};
  return vector;
}

Result<PinholeCamera> read_camera(const json& entry, const std::string& where) {
  PinholeCamera camera;
  for (const auto& [key, side] : {std::pair{"width", &camera.width}, std::pair{"height", &camera.height}}) {
    SPLAT_ASSIGN_OR_RETURN(const double value, read_number(entry, key, where));
    if (!(value >= 1) || value > kMaxImageSide || value != std::floor(value))
      return Error{where + ": '" + key + "' is not an image size between 1 and " + std::to_string(kMaxImageSide)};
    *side = int(value);
  }
  camera.cx = 0.5f * float(camera.width);
  camera.cy = 0.5f * float(camera.height);
  SPLAT_ASSIGN_OR_RETURN(camera.fx, read_number(entry, "fx", where));
  SPLAT_ASSIGN_OR_RETURN(camera.fy, read_number(entry, "fy", where));
  if (!(camera.fx > 0) || !(camera.fy > 0)) return Error{where + ": a focal length is not positive"};
  for (const auto& [key, centre] : {std::pair{"cx", &camera.cx}, std::pair{"cy", &camera.cy}}) {
    if (!entry.contains(key)) continue;
    SPLAT_ASSIGN_OR_RETURN(*centre, read_number(entry, key, where));
  }
  return camera;
}

Result<Rigid3> read_pose(const json& entry, const std::string& where) {
  const auto find = [](const json& object, const char* key) {
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
  };
  SPLAT_ASSIGN_OR_RETURN(const auto position, read_vector(find(entry, "position"), "position", where));
  const json* rows = find(entry, "rotation");
  std::array<double, 9> world_from_cam{};
  for (size_t r = 0; r < 3; ++r) {
    const json* row = rows && rows->is_array() && rows->size() == 3 ? &(*rows)[r] : nullptr;
    SPLAT_ASSIGN_OR_RETURN(const auto values, read_vector(row, "rotation", where));
    for (size_t c = 0; c < 3; ++c) world_from_cam[3 * c + r] = values[c];  // transposed: cam_from_world
  }
  const auto rotation = nearest_rotation(world_from_cam);
  if (!rotation) return Error{where + ": 'rotation' is no rotation"};
  Rigid3 pose;
  pose.rotation = *rotation;
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c) pose.translation[r] -= pose.rotation[3 * r + c] * position[c];
  return pose;
}

}  // namespace

Status write_cameras_json(const fs::path& path, const splat::Dataset& dataset,
                          std::span<const Rigid3> cams_from_world) {
  json cameras = json::array();
  for (size_t i = 0; i < dataset.views.size(); ++i)
    cameras.push_back(
        to_json(dataset.views[i], cams_from_world.empty() ? dataset.views[i].cam_from_world : cams_from_world[i], i));
  // A name that is not UTF-8 is written with replacement characters: JSON holds no other text.
  return write_file_atomically(path, cameras.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

Result<std::vector<NamedView>> parse_cameras_json(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const json file, parse_json(text, name));
  if (!file.is_array() || file.empty())
    return Error{"'" + name + "' is not a cameras.json: it holds no list of cameras"};
  std::vector<NamedView> views;
  for (size_t i = 0; i < file.size(); ++i) {
    const json& entry = file[i];
    const std::string where = "'" + name + "', camera " + std::to_string(i);
    if (!entry.is_object()) return Error{where + " is not an object"};
    NamedView view;
    const auto label = entry.find("img_name");
    view.name = label != entry.end() && label->is_string() ? label->get<std::string>() : std::to_string(i);
    SPLAT_ASSIGN_OR_RETURN(view.view.camera, read_camera(entry, where));
    SPLAT_ASSIGN_OR_RETURN(view.view.cam_from_world, read_pose(entry, where));
    views.push_back(std::move(view));
  }
  return views;
}

Result<std::vector<NamedView>> read_cameras_json(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  return parse_cameras_json(text, path.string());
}

}  // namespace io
