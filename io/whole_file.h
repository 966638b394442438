// Whether a file that is there is what was written once: disks fill, machines lose power, and others write as well.
// Both read the file once and unpack nothing. And what belongs into a PNG beside its pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace io {

splat::Result<uint32_t> file_checksum(const std::filesystem::path& file);  // CRC-32 of all its bytes

// A PNG of this size (px), whose parts are all there with their checksums.
bool is_whole_png(const std::filesystem::path& file, int width, int height);

std::string with_xmp(std::string png, std::string_view xmp);  // as encode_png() makes it; an empty packet: as it is

}  // namespace io
