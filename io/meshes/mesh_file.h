// Triangle meshes to files, by the name's extension: .ply (binary), .obj (colours behind the positions, as most
// programs read them) and .glb (glTF 2.0, y upwards). Each appears whole or not at all.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "io/companion.h"
#include "mesh/triangle_mesh.h"
#include "splat/core/result.h"
#include "splat/model/image.h"

namespace io {

// The extensions that can be written, for messages: ".glb, .obj, .ply".
std::string writable_mesh_formats();
bool is_mesh_name(const std::filesystem::path& path);

bool holds_texture(const std::filesystem::path& path);  // whether files of that name can: .glb and .obj

// What a mesh of that name with a texture is written as beside it: of an .obj the material and its picture, in this
// order.
std::vector<std::filesystem::path> texture_files(const std::filesystem::path& path);
// An error where one of them is there and is not of the mesh of that name that is there.
splat::Status check_beside_mesh(const std::filesystem::path& path, const Beside& beside);

// `up`: the mesh's vertical axis, which .glb turns to y; PLY and OBJ keep the coordinates of the scene. `texture`, RGB,
// by mesh.uvs and in place of the colours of vertices: as JPEG within .glb; beside name.obj as name.texture.jpg, with
// name.mtl. Empty: none. to_metres: what .glb, which counts in metres, multiplies positions with.
splat::Status write_mesh(const std::filesystem::path& path, const mesh::TriangleMesh& mesh,
                         const std::array<double, 3>& up = {0, -1, 0}, const splat::Image8& texture = {},
                         double to_metres = 1, const Beside& beside = {});

}  // namespace io
