// SOG (PlayCanvas, "spatially ordered gaussians"): splats as the pixels of lossless WebP pictures, described by
// meta.json. Read: versions 1 (each channel a linear range) and 2 (codebooks), bundled in a zip (.sog) or unpacked in a
// folder. Written: version 2, bundled. About 15 times smaller than PLY. Pixel i is splat i; the frame is PLY's.
// Bounds: a bundle stands for at most 128 splats a byte (and 65536), which limits memory to 31 kB a byte of the file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

bool looks_like_sog(std::string_view start);  // a zip, or a meta.json

// A bundle, or a meta.json with its pictures beside it (then the stream must be a file).
splat::Result<SplatFile> read_sog(ByteStream& stream);

splat::Result<SplatWriteReport> write_sog(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                          const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

inline constexpr std::string_view kSogLoss =
    "SOG keeps positions in 65536 steps an axis (of the logarithm of the distance from the origin), rotations in 8 "
    "bits, sizes and colours in 256 shared values each, and opacity in steps of 1/255";
inline constexpr std::string_view kSogLossOfBands = "SOG keeps higher SH bands as the nearest of at most 65536 sets";

}  // namespace io
