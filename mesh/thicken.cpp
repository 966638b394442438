#include "mesh/thicken.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "mesh/mesh_repair.h"
#include "mesh/vec3.h"

namespace mesh {
namespace {

// Normals of all faces around a vertex, weighted by area; the field's where they cancel.
std::vector<Vec3> normals_of_faces(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.positions.size(), {0, 0, 0});
  for (const Face& face : mesh.faces) {
    const Vec3 area = area_of(mesh, face);
    for (uint32_t v : face) normals[v] = normals[v] + area;
  }
  for (size_t v = 0; v < normals.size(); ++v)
    normals[v] = dot(normals[v], normals[v]) > 0 ? direction_of(normals[v]) : mesh.normals[v];
  return normals;
}

}  // namespace

void thicken(TriangleMesh& mesh, float thickness) {
  const auto open = open_edges(mesh);
  const std::vector<uint32_t> part = parts_of(mesh);
  std::vector<bool> is_open(mesh.positions.size(), false);  // by the part's name
  for (const auto& [from, to] : open) is_open[part[from]] = true;

  mesh.positions.reserve(2 * mesh.positions.size()), mesh.normals.reserve(2 * mesh.normals.size());
  mesh.colours.reserve(2 * mesh.colours.size()), mesh.faces.reserve(2 * (mesh.faces.size() + open.size()));
  const std::vector<Vec3> normals = normals_of_faces(mesh);
  std::vector<uint32_t> back(mesh.positions.size(), 0);
  for (size_t v = 0, count = mesh.positions.size(); v < count; ++v) {
    if (!is_open[part[v]]) continue;
    back[v] = uint32_t(mesh.positions.size());
    mesh.positions.push_back(mesh.positions[v] - thickness * normals[v]);
    mesh.normals.push_back(-1.0f * mesh.normals[v]);
    if (!mesh.colours.empty()) mesh.colours.push_back(Vec3(mesh.colours[v]));
  }
  for (size_t f = 0, count = mesh.faces.size(); f < count; ++f) {
    const Face face = mesh.faces[f];
    if (is_open[part[face[0]]]) mesh.faces.push_back({back[face[0]], back[face[2]], back[face[1]]});
  }
  for (const auto& [from, to] : open) {
    mesh.faces.push_back({to, from, back[from]});
    mesh.faces.push_back({to, back[from], back[to]});
  }
}

}  // namespace mesh
