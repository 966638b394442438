// Splat files that come packed, as services send them: one in a zip archive, or one file packed by gzip. SPZ and SOG,
// which are packed themselves, are left to their readers.
#pragma once

#include <optional>
#include <string>

#include "io/byte_stream.h"
#include "splat/core/result.h"

namespace io {

struct UnpackedFile {
  std::string name;    // "/home/me/export.zip: point_cloud.ply", in its archive's folder
  std::string bytes;   // all of it in memory
  std::string packed;  // "in a zip archive", "packed by gzip"
};

// The stream stays at its start. None: it is no such file. Refused: an archive with several splat files or none, by
// what it holds, and what unpacks to absurdly much.
splat::Result<std::optional<UnpackedFile>> unpack_splats(ByteStream& stream);

}  // namespace io
