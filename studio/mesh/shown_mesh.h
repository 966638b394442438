// A mesh as the window shows it.
#pragma once

#include "app/meshing/mesh_making.h"
#include "studio/mesh/messages.h"

namespace app {

// In the scene's coordinates. Cost: one pass over vertices and faces, and a copy of the texture.
viewer::ShownMesh shown_mesh(const MadeMesh& made);

}  // namespace app
