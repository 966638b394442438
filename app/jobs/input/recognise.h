// What a path given by the user is. Every command and the window decide it here, so that all of them accept the same.
#pragma once

#include <filesystem>
#include <string>

namespace app {

enum class PathKind {
  kSplats,      // a splat file of any format, a point cloud, or the folder of an unpacked SOG
  kCheckpoint,  // of a training run
  kCameras,     // a cameras.json
  kCity,        // the folder of a scene in blocks
  kDataset,     // a folder with photos and their cameras, a transforms*.json, or a JSON text of another kind
};

struct Recognised {
  PathKind kind = PathKind::kSplats;
  std::filesystem::path
      path;  // what to read: of a training run's folder, its newest splats, else its newest checkpoint
};

// Looks at folders and the first bytes of files, parses none. A path where nothing is goes by its name; a folder that
// is nothing else is a dataset, and reading it says what it lacks.
Recognised recognise(const std::filesystem::path& path);

// A .json file that is taken for a dataset and does not look like one: "is a tileset of 3D Tiles: ..."; else empty.
std::string foreign_json(const std::filesystem::path& path);

}  // namespace app
