// A mesh that the window shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "viewer/camera/up_axis.h"
#include "viewer/draw/packed_mesh.h"
#include "viewer/mesh_choices.h"

namespace viewer {

// What a mesh of the open splats with these choices is expected to take.
struct MeshPrediction {
  MeshChoices choices;
  double seconds = 0;
  uint64_t memory_bytes = 0;  // of the program, at most
  std::string problem;        // why nothing can be predicted; empty: the figures stand
};

// A mesh made of the open splats, or of a file.
struct ShownMesh {
  std::string name;
  size_t vertices = 0, faces = 0;
  size_t open_edges = 0;  // with a face on one side alone
  int texture = 0;        // its side, texels; 0: none
  double seconds = 0;     // that the making took
  Bounds bounds;
  UpGuess up;
  PackedMesh packed;
};

}  // namespace viewer
