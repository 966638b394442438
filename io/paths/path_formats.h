// Camera paths of other programs. Internal to io/paths.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/paths/path_file.h"

namespace io {

splat::Result<PathFile> read_nerfstudio_path(const nlohmann::json& file, const std::string& name);
splat::Result<PathFile> read_lichtfeld_path(const nlohmann::json& file, const std::string& name);
splat::Result<PathFile> read_supersplat_path(const nlohmann::json& file, const std::string& name);
splat::Result<PathFile> read_transforms_path(std::string_view text, const std::string& name);

}  // namespace io
