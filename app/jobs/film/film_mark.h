// Marks by which players know films of 360 degrees and of two eyes side by side: in .mp4 and .mov boxes (Google's
// Spherical Video V1 and V2, https://github.com/google/spatial-media), in .webm elements of Matroska (Projection,
// RFC 9559; StereoMode is ffmpeg's own work), in PNG XMP (GPano, of 360 degrees alone). Nothing else changes.
#pragma once

#include <filesystem>
#include <string>

#include "splat/core/result.h"
#include "splat/core/stop.h"

namespace app {

enum class FilmMark { kNone, k360, kStereo };
FilmMark mark_of(const std::string& projection);  // FilmSettings::projection

// `target` becomes the .mp4 or .mov `film` with the mark; both may not be the same file. Reads the boxes before the
// pictures into memory.
splat::Status mark_mp4(const std::filesystem::path& film, FilmMark mark, const std::filesystem::path& target,
                       const splat::StopAsked& stopped = {});
// The box "moov" with the mark in every track that holds a video, and the offsets in it moved by as much as it grew
// where `pictures_follow`; an error for what is no such box.
splat::Result<std::string> marked_moov(std::string moov, FilmMark mark, bool pictures_follow);

// A .webm of 360 degrees whose track has the name kWebmRoom, which the mark takes the place of: no byte moves.
inline constexpr const char* kWebmRoom = "room for the mark of 360-degree films";
splat::Status mark_webm(const std::filesystem::path& film);
splat::Result<std::string> marked_webm(std::string start);  // of its first bytes, up to the track

std::string png_mark(FilmMark mark, int width, int height);  // XMP; empty: there is none

}  // namespace app
