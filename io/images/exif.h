// What a camera wrote about itself into a JPEG, PNG, WebP or HEIC: for telling lenses apart, and how the picture is to
// be looked at. Nothing here is trusted or required: whatever is missing, odd or out of bounds stays empty, and no
// input is an error. Exif 2.32, sections 4.6.2 to 4.6.7.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace io {

struct Exif {
  std::string make, model, lens;  // printable ASCII, at most 64 bytes
  double focal_mm = 0;            // 0: unknown
  double zoom = 1;                // by cropping and enlarging, which leaves focal_mm as it is
  int equivalent_mm = 0;          // the focal length of that field of view on film of 35 mm; 0: unknown
  int orientation = 1;            // 1 to 8; 1: as stored
  bool adobe_rgb = false;         // its colours, by the mark of cameras that embed no profile
};

Exif parse_exif(std::string_view photo);            // a JPEG, or its beginning; the whole of any other format
Exif read_exif(const std::filesystem::path& path);  // of a JPEG it looks at the first 128 KB

// By which a mask or depth map is turned, so that it lies as its photo does once that is turned by its own orientation:
// what was made of the stored pixels lies on its side, too, or says that it does.
struct Sides {
  int width, height;  // px
};
int orientation_beside(const std::filesystem::path& file, Sides stored, Sides photo, int photo_orientation);

// `jpeg` with the Exif of the photo in another format that it was made from, whose colours are sRGB by now; unchanged
// where `photo` is a JPEG, or has none.
std::string with_exif_of(std::string_view photo, std::string jpeg);

}  // namespace io
