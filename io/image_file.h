// Photo files <-> Image8: JPEG, PNG, BMP, TGA, WebP, HEIC and AVIF, recognised by content, never by name.
// EXIF orientation is NOT applied: camera poses refer to the stored pixels; nor is a colour profile, until
// turn_to_srgb(). 16-bit PNG keeps its upper 8 bits; CMYK JPEG is converted to RGB. Sizes are bounded (kMaxSide,
// kMaxPixels, and what the file's bytes could hold; a few bytes of WebP can hold any size) before anything is
// allocated; empty, truncated or hostile bytes give a sentence that starts with the file's name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "splat/core/result.h"
#include "splat/model/image.h"

namespace io {

namespace codec {
struct ColourSpace;
}

inline constexpr int kMaxSide = 65500;                   // px; JPEG's own limit
inline constexpr int64_t kMaxPixels = int64_t(1) << 28;  // 268 Mpx

struct ImageSize {
  int width = 0, height = 0;  // px
  int channels = 0;           // 1 grey, 2 grey+alpha, 3 RGB, 4 RGBA, as read_image() returns them
  bool odd_profile = false;   // of colours: it cannot be read, and a photo's are taken as sRGB
  bool has_alpha() const { return channels == 2 || channels == 4; }
};

// The header alone: microseconds, however large the photo.
splat::Result<ImageSize> read_image_size(const std::filesystem::path& path);
splat::Result<ImageSize> image_size(std::string_view bytes, const std::string& name);

splat::Result<splat::Image8> read_image(const std::filesystem::path& path);
splat::Result<splat::Image8> decode_image(std::string_view bytes, const std::string& name);

// A grey PNG of 16 bits, as it is stored; anything else is an error, which says what it is without the file's name.
struct Grey16 {
  int width = 0, height = 0;     // px
  std::vector<uint16_t> pixels;  // [H,W]
};
splat::Result<ImageSize> read_grey16_size(const std::filesystem::path& path);  // the header alone
splat::Result<Grey16> read_grey16(const std::filesystem::path& path);

bool reads_heif();  // HEIC and AVIF: where libheif was there when hipsplat was built, and is now

// A photo that may have been decoded smaller (JPEG only: by scaling its DCT blocks, which costs less than decoding it
// whole). Pixel x of it covers the photo's pixels [x*reduction, (x+1)*reduction); its size is rounded up.
struct ReducedImage {
  splat::Image8 image;
  int full_width = 0, full_height = 0;                  // px, of the photo
  int reduction = 1;                                    // 1, 2, 4 or 8
  std::shared_ptr<const codec::ColourSpace> colours{};  // of its numbers; null: sRGB
};
splat::Result<ReducedImage> read_reduced_image(const std::filesystem::path& path, int max_reduction);
splat::Result<ReducedImage> decode_reduced_image(std::string_view bytes, const std::string& name, int max_reduction);
// Turns the colours of `image`, which is `read` in whatever size and turn, to sRGB (io/images/colour_profile.h). Masks
// and textures are left as they are.
void turn_to_srgb(const ReducedImage& read, splat::Image8& image);

std::string encode_grey16_png(const Grey16& image);
std::string encode_png(const splat::Image8& image);                // 1 to 4 channels
std::string encode_jpeg(const splat::Image8& image, int quality);  // 1 or 3 channels, quality 1..100, 4:2:0

}  // namespace io
