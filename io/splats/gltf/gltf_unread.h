// What a glTF file holds beside its splats, and reading passes over.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace io {

// "the extension 'KHR_lights_punctual'", "3 meshes' parts without splats", "the attribute '_FEATURE_ID_0'", ...
std::vector<std::string> unread_parts_of_gltf(const nlohmann::json& root);

}  // namespace io
