// KSPLAT (GaussianSplats3D), version 0.1, read only: sections of splats as floats (compression level 0), or as half
// floats with positions in 16-bit steps of a bucket (1), and spherical harmonics in bytes (2). Degree 0 to 2. Scales
// are stored as they are, colours and opacities in bytes. Same frame as PLY. No magic number: recognised by a header
// that is sound throughout.
#pragma once

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

bool looks_like_ksplat(std::string_view start, uint64_t file_bytes);
splat::Result<SplatFile> read_ksplat(ByteStream& stream);

}  // namespace io
