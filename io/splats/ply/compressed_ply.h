// Compressed PLY (PlayCanvas): 16 bytes a splat, and one byte for each coefficient of spherical harmonics above the
// colour. Elements: `chunk` (one row for 256 splats: bounds of position, log scale and, in newer files, colour),
// `vertex` (four packed words a splat) and, where there are such coefficients, `sh`. Same frame as PLY.
// Steps: position, scale 1/2047 (y: 1/1023) of the chunk's range, log scales within +-20; rotation 1.4e-3 a component;
// colour 1/255 of the chunk's range; opacity 1/255; spherical harmonics 1/32 within +-4.
#pragma once

#include <filesystem>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

inline constexpr size_t kCompressedChunk = 256;          // splats
inline constexpr float kCompressedLargestLogScale = 20;  // beyond it a splat is larger or smaller than any scene

splat::Result<SplatFile> read_compressed_ply(ByteStream& stream);

// In an order in which the splats of a chunk are close together (chunk_order.h).
splat::Result<SplatWriteReport> write_compressed_ply(const std::filesystem::path& path, const splat::Gaussians& model,
                                                     const SplatFileInfo& info = {},
                                                     const SplatWriteOptions& options = {});

}  // namespace io
