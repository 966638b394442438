#include "mesh/simplify.h"

#include <meshoptimizer.h>

#include "mesh/mesh_repair.h"

namespace mesh {

void simplify(TriangleMesh& mesh, size_t faces, float most_error) {
  if (mesh.faces.size() <= faces || mesh.faces.empty()) return;
  const float* positions = mesh.positions[0].data();
  const float scale = meshopt_simplifyScale(positions, mesh.positions.size(), sizeof(Vec3));
  std::vector<Face> kept(mesh.faces.size());
  const size_t indices =
      meshopt_simplify(kept[0].data(), mesh.faces[0].data(), 3 * mesh.faces.size(), positions, mesh.positions.size(),
                       sizeof(Vec3), 3 * faces, scale > 0 ? most_error / scale : 0);
  kept.resize(indices / 3);
  mesh.faces = std::move(kept);
  drop_unused_vertices(mesh);
}

}  // namespace mesh
