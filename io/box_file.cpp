#include "io/box_file.h"

#include <array>
#include <cmath>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace io {

using nlohmann::json;
using splat::Box;
using splat::Error;

namespace {

constexpr int kBoxVersion = 1;

template <size_t kCount>
std::optional<std::array<double, kCount>> finite_numbers(const json& object, const char* name) {
  if (!object.contains(name) || !object[name].is_array() || object[name].size() != kCount) return std::nullopt;
  std::array<double, kCount> read{};
  for (size_t i = 0; i < kCount; ++i) {
    if (!object[name][i].is_number()) return std::nullopt;
    read[i] = object[name][i].get<double>();
  }
  return read;
}

}  // namespace

json to_json(const Box& box) {
  const auto& q = box.rotation;
  return {{"version", kBoxVersion}, {"low", box.low}, {"high", box.high}, {"rotation", {q.w, q.x, q.y, q.z}}};
}

std::optional<Box> box_from_json(const json& value) {
  if (!value.is_object()) return std::nullopt;
  const auto low = finite_numbers<3>(value, "low"), high = finite_numbers<3>(value, "high");
  if (!low || !high) return std::nullopt;
  Box box{*low, *high};
  if (value.contains("rotation")) {
    const auto q = finite_numbers<4>(value, "rotation");
    if (!q) return std::nullopt;
    box.rotation = splat::unit_quat({(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
  }
  return splat::is_usable(box) ? std::optional(box) : std::nullopt;
}

splat::Result<Box> read_box_file(const std::filesystem::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  SPLAT_ASSIGN_OR_RETURN(const json object, parse_json(text, path.string()));
  if (object.is_object() && object.value("version", json(kBoxVersion)) != json(kBoxVersion))
    return Error{"'" + path.string() + "' is of a later version than is known here"};
  if (const std::optional<Box> box = box_from_json(object)) return *box;
  return Error{"'" + path.string() +
               R"(' holds no box: {"low": [x, y, z], "high": [x, y, z], "rotation": [w, x, y, z]}, every side longer )"
               "than 0"};
}

splat::Status write_box_file(const std::filesystem::path& path, const Box& box) {
  return write_file_atomically(path, to_json(box).dump(2) + "\n");
}

}  // namespace io
