#include "io/splats/gltf/gltf_placement.h"

#include <cmath>

namespace io {

using nlohmann::json;
using splat::LinearMap;
using splat::Result;
using splat::Similarity;

namespace {

constexpr double kSmallestVolume = 1e-18;  // of a node's unit cube

Result<LinearMap> checked(const GltfDocument& document, const LinearMap& map, const std::string& called) {
  if (!(std::abs(splat::determinant(map)) > kSmallestVolume))
    return document.error_in(called, "presses its splats flat (one of its scales is 0)");
  return map;
}

}  // namespace

Result<LinearMap> map_of(const GltfDocument& document, const GltfPlace& place, const std::string& called) {
  const auto& [q, t, s] = place;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-6)) return document.error_in(called, "has a rotation of length 0");
  const Similarity turn{1, {q[3] / length, q[0] / length, q[1] / length, q[2] / length}, t};
  return checked(document, splat::linear_map_of(turn) * LinearMap{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}, {}}, called);
}

Result<LinearMap> map_of_node(const GltfDocument& document, const json& node, uint64_t index) {
  const std::string called = "node " + std::to_string(index);
  std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};  // column-major
  GltfPlace place;
  if (!read_numbers(node, "matrix", m) || !read_numbers(node, "rotation", place.rotation) ||
      !read_numbers(node, "translation", place.translation) || !read_numbers(node, "scale", place.scale))
    return document.error_in(called, "has a placement that is no list of numbers");
  if (!node.contains("matrix")) return map_of(document, place, called);
  return checked(document, {{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}, {m[12], m[13], m[14]}}, called);
}

Result<std::array<double, 3>> centre_of(const GltfDocument& document) {
  std::array<double, 3> centre{};
  const json* at = &document.root();
  for (const char* key : {"extensions", "CESIUM_RTC"}) {
    const auto found = at->is_object() ? at->find(key) : at->end();
    if (found == at->end()) return centre;
    at = &*found;
  }
  if (!at->is_object() || !read_numbers(*at, "center", centre))
    return document.error_in("the extension CESIUM_RTC", "has a center that is no list of three numbers");
  return centre;
}

}  // namespace io
