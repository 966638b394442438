#include "studio/mesh/shown_mesh.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

uint8_t byte_of(float value) { return uint8_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)); }

viewer::PackedMesh packed(const mesh::TriangleMesh& mesh, const splat::Image8& texture) {
  viewer::PackedMesh packed;
  packed.vertices.resize(mesh.positions.size());
  for (size_t v = 0; v < packed.vertices.size(); ++v) {
    viewer::MeshVertex& vertex = packed.vertices[v];
    vertex.position = mesh.positions[v];
    vertex.normal = mesh.normals[v];
    if (!mesh.uvs.empty()) vertex.uv = mesh.uvs[v];
    for (size_t c = 0; c < 3 && !mesh.colours.empty(); ++c) vertex.rgba[c] = byte_of(mesh.colours[v][c]);
  }
  packed.indices.reserve(3 * mesh.faces.size());
  for (const mesh::Face& face : mesh.faces) packed.indices.insert(packed.indices.end(), face.begin(), face.end());
  packed.texture = texture;
  return packed;
}

}  // namespace

viewer::ShownMesh shown_mesh(const MadeMesh& made) {
  viewer::ShownMesh shown;
  shown.vertices = made.mesh.positions.size();
  shown.faces = made.mesh.faces.size();
  shown.open_edges = made.defects.open_edges;
  shown.texture = made.texture.width;
  for (const mesh::Vec3& p : made.mesh.positions) shown.bounds.add({p[0], p[1], p[2]});
  shown.up = {viewer::vec3(made.up), viewer::UpSource::kFile};
  shown.packed = packed(made.mesh, made.texture);
  return shown;
}

}  // namespace app
