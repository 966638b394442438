// .splat (antimatter15): 32 bytes a splat and nothing else. f32 x3 mean, f32 x3 scale (not its logarithm), u8 x4 colour
// and opacity, u8 x4 quaternion wxyz as q * 128 + 128. No header, so content does not show it; no spherical harmonics
// beyond the colour. Same frame as PLY. Means and scales are exact to float; colour to 1/510, clamped to 0..1; opacity
// to 1/510; each quaternion component to 1/128.
#pragma once

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

inline constexpr size_t kSplat32Bytes = 32;

splat::Result<SplatFile> read_splat32(ByteStream& stream);

// In falling order of size times opacity, as viewers that show a file while it loads expect.
splat::Result<SplatWriteReport> write_splat32(const std::filesystem::path& path, const splat::Gaussians& model,
                                              const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

}  // namespace io
