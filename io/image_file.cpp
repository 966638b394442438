#include "io/image_file.h"

#include <algorithm>
#include <fstream>

#include "io/bytes.h"
#include "io/foreign_file.h"
#include "io/images/codecs.h"
#include "io/images/colour_profile.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Image8, splat::Result, splat::Status;

namespace codec {

Status check_size(const ImageSize& size, const std::string& name) {
  const std::string text = std::to_string(size.width) + "x" + std::to_string(size.height);
  if (size.width <= 0 || size.height <= 0) return Error{"'" + name + "' has the size " + text + " and holds no pixels"};
  if (size.width > kMaxSide || size.height > kMaxSide || int64_t(size.width) * size.height > kMaxPixels)
    return Error{"'" + name + "' claims " + text + " pixels, more than hipsplat reads (" + std::to_string(kMaxSide) +
                 " a side, " + std::to_string(kMaxPixels >> 20) + " million in all): scale it down"};
  return {};
}

Status check_content(const ImageSize& size, size_t bytes, int64_t pixels_per_byte, const std::string& name) {
  if (int64_t(size.width) * size.height / pixels_per_byte > int64_t(bytes))
    return Error{"'" + name + "' claims " + std::to_string(size.width) + "x" + std::to_string(size.height) +
                 " pixels, which its " + std::to_string(bytes) + " bytes cannot hold (truncated or corrupt)"};
  return {};
}

Error broken(const std::string& name, const char* format, const std::string& why) {
  return Error{"'" + name + "' is a broken " + format + " picture (" + why + "): replace it or leave it out"};
}

}  // namespace codec

namespace {

Error unrecognised(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) return Error{"'" + name + "' is empty: replace it or leave it out"};
  return Error{"'" + name + "' is not a picture that hipsplat reads (JPEG, PNG, WebP, HEIC, BMP or TGA)"};
}

// The first bytes of a file, enough for most headers.
Result<std::string> read_beginning(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return read_file(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) return read_file(path);
  std::string bytes(codec::kHeaderBytes, '\0');
  file.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(file.gcount()));
  SPLAT_TRY(check_is_the_file(bytes, path.string()));
  return bytes;
}

}  // namespace

Result<ImageSize> image_size(std::string_view bytes, const std::string& name) {
  Result<ImageSize> size = unrecognised(bytes, name);
  if (codec::is_jpeg(bytes))
    size = codec::jpeg_size(bytes, name);
  else if (codec::is_webp(bytes))
    size = codec::webp_size(bytes, name);
  else if (codec::is_heif(bytes))
    size = codec::heif_size(bytes, name);
  else if (codec::is_png_bmp_tga(bytes))
    size = codec::png_bmp_tga_size(bytes, name);
  if (!size) return size;
  SPLAT_TRY(codec::check_size(*size, name));
  if (!codec::is_heif(bytes))
    size->odd_profile = !codec::can_turn_to_srgb(codec::colour_space_of(bytes), size->channels);
  return size;
}

Result<ImageSize> read_image_size(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string beginning, read_beginning(path));
  Result<ImageSize> size = image_size(beginning, path.string());
  if (size || beginning.size() < codec::kHeaderBytes) return size;
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return image_size(bytes, path.string());
}

Result<ImageSize> read_grey16_size(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string beginning, read_beginning(path));
  return codec::grey16_size(beginning);
}

Result<Grey16> read_grey16(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return codec::decode_grey16(bytes);
}

Result<ReducedImage> decode_reduced_image(std::string_view bytes, const std::string& name, int max_reduction) {
  codec::ColourSpace colours;
  ReducedImage read;
  if (codec::is_jpeg(bytes)) {
    SPLAT_ASSIGN_OR_RETURN(read, codec::decode_jpeg(bytes, name, max_reduction));
  } else {
    Result<Image8> image = unrecognised(bytes, name);
    if (codec::is_webp(bytes))
      image = codec::decode_webp(bytes, name);
    else if (codec::is_heif(bytes))
      image = codec::decode_heif(bytes, name, &colours);
    else if (codec::is_png_bmp_tga(bytes))
      image = codec::decode_png_bmp_tga(bytes, name);
    if (!image) return image.error();
    const int width = image->width, height = image->height;
    read = {std::move(*image), width, height, 1};
  }
  if (!codec::is_heif(bytes)) colours = codec::colour_space_of(bytes);
  if (colours.says_something()) read.colours = std::make_shared<const codec::ColourSpace>(std::move(colours));
  return read;
}

void turn_to_srgb(const ReducedImage& read, Image8& image) {
  if (read.colours) codec::turn_to_srgb(*read.colours, image);
}

Result<ReducedImage> read_reduced_image(const fs::path& path, int max_reduction) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return decode_reduced_image(bytes, path.string(), max_reduction);
}

Result<Image8> decode_image(std::string_view bytes, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, decode_reduced_image(bytes, name, 1));
  return std::move(read.image);
}

Result<Image8> read_image(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return decode_image(bytes, path.string());
}

}  // namespace io
