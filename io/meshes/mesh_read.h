// Triangle meshes from files: .ply (ASCII and binary), .obj with its material's picture, .glb and .gltf (glTF 2.0).
// Polygons become fans of triangles; without normals these are made of the faces; colours are those of the vertices, or
// one picture. Files are untrusted: every index and count is checked, memory grows with the file's bytes. Errors name
// the file and the place. What is left out (further pictures, lines, points) is said in warnings.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/core/result.h"
#include "splat/model/image.h"

namespace io {

struct MeshFile {
  mesh::TriangleMesh mesh;                  // uvs: by `texture`, from its top left corner
  splat::Image8 texture{};                  // RGB; empty: none
  std::optional<std::array<double, 3>> up;  // that the file says: glTF's y, turned back where hipsplat wrote it
  std::string format;                       // "PLY"
  std::vector<std::string> warnings;
};

// Whether the file holds triangles and no splats, by its beginning (glTF: its JSON; .obj: its name).
bool is_mesh_file(const std::filesystem::path& path);

splat::Result<MeshFile> read_mesh(const std::filesystem::path& path);
splat::Result<MeshFile> read_mesh(std::string_view bytes, const std::filesystem::path& name);  // likewise, from memory

}  // namespace io
