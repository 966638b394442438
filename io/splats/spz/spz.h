// SPZ (Niantic), versions 1 to 4: every attribute of all splats as one stream of small numbers, packed together by gzip
// (1 to 3) or each by zstd (4). About 15 to 20 bytes a splat. Stored with y up and z backward, where PLY has y down and
// z forward: positions, quaternions and spherical harmonics change signs on the way. A frame that the file declares
// (SPZ_ADOBE_coordinate_system) is followed; of Spark's levels of detail the finest is read. Steps: positions 2^-12,
// finer where the scene is small, coarser where it is larger than +-2048; log scales 1/16, opacities 1/255, colours
// 1/38 (f_dc), spherical harmonics 1/16 and 1/8 within +-1, quaternion components 1.4e-3 (versions 1, 2: 1/127). A
// scene that is far too small or large for them is not written. Unpacked data of more than kMaxSpzExpansion bytes per
// byte of the file are refused before memory is taken.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

inline constexpr uint64_t kMaxSpzExpansion = 1032;  // what gzip can reach; zstd could more, but splats do not

splat::Result<SplatFile> read_spz(ByteStream& stream);
splat::Result<SplatFile> unpack_spz(ByteStream& stream);  // the same without check_splats(): SPZ within another file

// Refused, in a sentence: a model far too small or large for what SPZ holds, in which most splats would have another
// size or no place of their own.
splat::Status check_spz_holds(const std::filesystem::path& path, const splat::Gaussians& model);

// Version 3 or 4, by options.spz_version. What check_spz_holds() refuses is not written.
splat::Result<SplatWriteReport> write_spz(const std::filesystem::path& path, const splat::Gaussians& model,
                                          const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

// The bytes of a file of version 3, in pieces, for SPZ within another file; a sink that returns false gets no more.
using SpzSink = std::function<bool(std::string_view bytes)>;
SplatWriteReport pack_spz(const SpzSink& sink, const splat::Gaussians& model, const SplatFileInfo& info,
                          const SplatWriteOptions& options);

}  // namespace io
