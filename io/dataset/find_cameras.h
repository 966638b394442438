// The one search for cameras that are there already: every command and the window ask it before anything is read.
// COLMAP models at the usual places (colmap.h), transforms.json, any other .json with frames and matrices where it is
// the only one, then both up to three folders deep, in any case of letters; then beside the folder, where that holds
// the photos of a model or a transforms.json. Cost: a listing of the folder; files are opened where their names could
// be meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace io {

struct FoundCameras {
  enum class Kind {
    kNone,
    kColmap,
    kTransforms,
    kUnclear,       // several datasets, or several files of cameras: one has to be named
    kOtherProgram,  // cameras that hipsplat does not read
  };
  Kind kind = Kind::kNone;
  std::filesystem::path source;    // the model's folder, or the .json file
  std::filesystem::path root;      // the dataset: where photos, masks and points are looked for
  std::filesystem::path photos;    // the folder that was given, where the cameras lie beside it; else empty
  std::vector<std::string> notes;  // what was chosen and why
  std::string sentence;            // kUnclear, kOtherProgram: what is there and what to do
};

FoundCameras find_cameras(const std::filesystem::path& path);

// The datasets below a folder that is none itself: their folders, sorted.
std::vector<std::filesystem::path> datasets_below(const std::filesystem::path& folder);

// Whether a folder of this name holds photos by habit: images, input, images_4, rgb, ...; in any case of letters.
bool is_photo_folder_name(std::string_view name);

}  // namespace io
