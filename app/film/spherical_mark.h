// Tells players of 360-degree films what an .mp4 or .mov is: Google's Spherical Video V1, a box of XML in each video
// track (https://github.com/google/spatial-media, docs/spherical-video-rfc.md). Nothing else of the file changes.
#pragma once

#include <filesystem>
#include <string>

#include "splat/core/result.h"

namespace app {

// `target` becomes `film` with the mark; both may not be the same file. Reads the boxes before the pictures into
// memory.
splat::Status mark_spherical(const std::filesystem::path& film, const std::filesystem::path& target);

// The box "moov" with the mark in every track that holds a video, and the offsets in it moved by as much as it grew
// where `pictures_follow`; an error for what is no such box.
splat::Result<std::string> marked_moov(std::string moov, bool pictures_follow);

}  // namespace app
