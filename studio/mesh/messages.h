// Meshes of what is open: what one is to be made with, what it is expected to take, and the one that is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/jobs/job.h"
#include "app/settings/mesh.h"
#include "studio/names.h"
#include "viewer/camera/up_axis.h"
#include "viewer/draw/packed_mesh.h"

namespace studio {

// A mesh of what is open.
struct MeshRequest {
  MeshSettings settings;
  bool from_photos = true;  // where there are any; else the splats' own colours, from views around them

  friend bool operator==(const MeshRequest&, const MeshRequest&) = default;
};

// ---- requests

struct MakeMesh {  // of the run's model or the opened splats; answered by a ShownMesh, ended by CancelWork
  MeshRequest request;
  bool ends_work() const { return true; }
};
// Before such a MakeMesh; answered by a MeshPrediction unless it comes, another one is wanted or a run
// trains.
struct WantMeshPrediction {
  MeshRequest request;
};
struct SaveMesh {  // the one made or opened last; format by extension
  std::filesystem::path path;
  std::optional<double> metres_per_unit{};  // for formats that count in metres; 0: not known; none: as it was opened
};
struct OpenMesh {  // a file with triangles, beside what is open; answered by a ShownMesh
  std::filesystem::path path;
  bool ends_work() const { return true; }
};
struct CloseMesh {};

// ---- reports

struct MeshPrediction {
  using OnlyNewest = void;
  MeshRequest request;
  Prediction takes;
  std::string problem;  // why nothing can be predicted; empty: the figures stand
};

// A mesh made of the open splats, or of a file.
struct ShownMesh {
  using OnlyNewest = void;
  std::string name;
  size_t vertices = 0, faces = 0;
  size_t open_edges = 0;  // with a face on one side alone
  int texture = 0;        // its side, texels; 0: none
  bool coloured = false;  // at its vertices
  double seconds = 0;     // that the making took
  bool opened = false;    // it is of a file, `name`
  Bounds bounds;
  UpGuess up;
  PackedMesh packed;
};

}  // namespace studio
