// What a path given by the user is. Every command and the window decide it here, so that all of them accept the same.
#pragma once

#include <filesystem>

namespace app {

enum class PathKind {
  kSplats,      // a splat file of any format, a point cloud, or the folder of an unpacked SOG
  kCheckpoint,  // of a training run
  kCameras,     // a cameras.json
  kCity,        // the folder of a scene in blocks
  kDataset,     // a folder with photos and their cameras, or a transforms*.json
};

struct Recognised {
  PathKind kind = PathKind::kSplats;
  std::filesystem::path
      path;  // what to read: of a training run's folder, its newest splats, else its newest checkpoint
};

// Looks at folders and the first bytes of files, parses none. A path where nothing is goes by its name; a folder that
// is nothing else is a dataset, and reading it says what it lacks.
Recognised recognise(const std::filesystem::path& path);

}  // namespace app
