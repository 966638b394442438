// Camera paths of other programs. Internal to io/paths.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/paths/path_file.h"

namespace io {

splat::Result<PathFile> read_nerfstudio_path(const nlohmann::json& file, const std::string& name);
splat::Result<PathFile> read_camera_list(const nlohmann::json& list, const std::string& name);  // of ns-export
splat::Result<PathFile> read_lichtfeld_path(const nlohmann::json& file, const std::string& name);
splat::Result<PathFile> read_supersplat_path(const nlohmann::json& file, const std::string& name);
// `name` is the file's, beside which its photos may lie.
splat::Result<PathFile> read_transforms_path(std::string_view text, const std::string& name);

inline constexpr double kUsualRate = 30;         // pictures a second, of files that do not say
inline constexpr double kUsualAspect = 16. / 9;  // of those that give the angle of another side

}  // namespace io
