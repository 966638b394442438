// The photos as COLMAP sees them: a folder of links with names that fit into its list files, where a blank separates
// two names. Formats that not every COLMAP reads (HEIC, WebP, TGA, BMP) stand there as JPEGs of ours.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "align/photos/look.h"

namespace align {

// "000012.jpg" for the twelfth photo.
std::string working_name(const PhotoSet& set, size_t index);

// Makes folder/photos and, where there are masks, folder/masks; what is there already stays.
splat::Status make_working_folder(const PhotoSet& set, const std::filesystem::path& folder);

// A link at `link` to `target`; where the file system has none, a second name of the file or a copy.
splat::Status link_or_copy(const std::filesystem::path& target, const std::filesystem::path& link);

}  // namespace align
