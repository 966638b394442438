// What lies in a folder, or in a zip archive, that is no dataset: for saying so, and for offering it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace io {

struct FolderContents {
  size_t photos = 0, photo_folders = 0;         // folders that hold photos, the folder itself among them
  std::vector<std::string> videos, splats;      // '/'-separated names below the folder; of an unpacked SOG its folder
  std::vector<std::filesystem::path> datasets;  // folders that are some (find_cameras.h)
};

// By names, and of pages and PLY files by their first bytes, up to 8 folders deep.
FolderContents contents_of(const std::filesystem::path& folder);

// "63 photos in 5 folders, 2 videos (a.mp4, b.mov)"; "no photos, no video and no dataset".
std::string contents_sentence(const FolderContents& contents);

std::span<const std::string_view> video_extensions();  // lower case, with the dot
bool is_video_name(std::string_view name);             // by its extension

// A zip archive with a dataset or photos: what is in it and what to do; empty: it is none.
std::string dataset_in_archive(const std::filesystem::path& file);

}  // namespace io
