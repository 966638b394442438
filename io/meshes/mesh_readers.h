// The readers of single formats, for mesh_read.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/meshes/mesh_read.h"

namespace io {

splat::Result<MeshFile> read_ply_mesh(std::string_view bytes, const std::string& name);
splat::Result<MeshFile> read_obj_mesh(std::string_view bytes, const std::filesystem::path& name);
splat::Result<MeshFile> read_gltf_mesh(ByteStream& stream);

bool is_ply_mesh(std::string_view start, const std::string& name);
bool is_gltf_mesh(ByteStream& stream);

// A picture of 1 to 4 channels as RGB.
splat::Image8 rgb_of(splat::Image8 picture);

}  // namespace io
