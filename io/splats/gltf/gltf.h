// glTF 2.0 with KHR_gaussian_splatting (Khronos): .glb and .gltf (data URIs, or .bin files beside it) are read, .glb is
// written. Sizes are linear there and opacities 0..1; drafts of the extension had logarithms of sizes, recognised by
// negative ones, and names with a leading underscore. Splats packed as SPZ inside (KHR_gaussian_splatting_compression_
// spz_2 and its drafts, as in 3D Tiles) are read. Nodes move their splats. Frame: glTF is y-up, PLY by habit
// y-down; the two differ by half a turn about z, which reading and writing undo, so that PLY -> GLB -> PLY changes
// nothing. A model that names another up direction is turned to y-up on writing. Memory: nothing beside the model.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

bool looks_like_gltf(std::string_view start);

splat::Result<SplatFile> read_gltf(ByteStream& stream);

splat::Result<SplatWriteReport> write_glb(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                          const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

}  // namespace io
