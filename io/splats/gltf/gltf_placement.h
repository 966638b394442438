// Where the nodes of a glTF file put their meshes. In double precision: tiles of a globe lie millions of metres from 0.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "io/splats/gltf/gltf_document.h"
#include "splat/core/result.h"
#include "splat/model/transform.h"

namespace io {

// The numbers of object[key], which stay as they are where there is none; false: it is something else.
template <size_t kCount>
bool read_numbers(const nlohmann::json& object, const char* key, std::array<double, kCount>& values) {
  const auto found = object.find(key);
  if (found == object.end()) return true;
  if (!found->is_array() || found->size() != kCount) return false;
  for (size_t i = 0; i < kCount; ++i) {
    if (!(*found)[i].is_number() || !(std::abs((*found)[i].template get<double>()) < 1e12)) return false;
    values[i] = (*found)[i].template get<double>();
  }
  return true;
}

struct GltfPlace {
  std::array<double, 4> rotation{0, 0, 0, 1};  // xyzw
  std::array<double, 3> translation{}, scale{1, 1, 1};
};

// `called`, "node 3", is for messages. Refused: what presses splats flat.
splat::Result<splat::LinearMap> map_of(const GltfDocument& document, const GltfPlace& place, const std::string& called);
splat::Result<splat::LinearMap> map_of_node(const GltfDocument& document, const nlohmann::json& node, uint64_t index);

// By CESIUM_RTC, what all places are counted from; else 0.
splat::Result<std::array<double, 3>> centre_of(const GltfDocument& document);

}  // namespace io
