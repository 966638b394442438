// What a camera wrote about itself into a JPEG or HEIC: for telling lenses apart. Nothing here is trusted or required:
// whatever is missing, odd or out of bounds stays empty, and no input is an error. Exif 2.32, sections 4.6.2 to 4.6.5.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace io {

struct Exif {
  std::string make, model, lens;  // printable ASCII, at most 64 bytes
  double focal_mm = 0;            // 0: unknown
  int orientation = 1;            // 1 to 8; 1: as stored
};

Exif parse_exif(std::string_view photo);            // a JPEG, or its beginning; a whole HEIC
Exif read_exif(const std::filesystem::path& path);  // a JPEG: looks at the first 128 KB

// `jpeg` with the Exif of the HEIC that it was made from; unchanged where `photo` is another format, or has none.
std::string with_exif_of(std::string_view photo, std::string jpeg);

}  // namespace io
