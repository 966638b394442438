// PNG, BMP and TGA are read through stb_image.
// stb_image fills what a truncated BMP or TGA lacks with zeros: their completeness is checked here first.
#include "io/images/codecs.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_MAX_DIMENSIONS 65500  // io::kMaxSide
#include <stb/stb_image.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace io {

using splat::Image8, splat::Result, splat::Status;

namespace {

constexpr int64_t kPixelsPerByte = 1032 * 8;  // deflate shrinks 1032 times at most, PNG has 1 bit a pixel at least

const stbi_uc* data_of(std::string_view bytes) { return reinterpret_cast<const stbi_uc*>(bytes.data()); }
int length_of(std::string_view bytes) { return int(std::min<size_t>(bytes.size(), 0x7FFFFFFF)); }

bool is_png(std::string_view bytes) { return bytes.substr(0, 4) == "\x89PNG"; }
bool is_bmp(std::string_view bytes) { return bytes.substr(0, 2) == "BM"; }
const char* format_of(std::string_view bytes) { return is_png(bytes) ? "PNG" : is_bmp(bytes) ? "BMP" : "TGA"; }

int64_t little_endian(std::string_view bytes, size_t at, size_t count) {
  int64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= int64_t(uint8_t(bytes[at + i])) << (8 * i);
  return value;
}

int big_endian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes[at + i]);
  return int(std::min(value, 0x7FFFFFFFu));
}

// A colour that stands for "transparent" (tRNS) becomes an alpha channel; stb_image's header says nothing of it.
bool png_has_colour_key(std::string_view bytes) {
  for (size_t at = 8; at + 8 <= bytes.size();) {
    const std::string_view type = bytes.substr(at + 4, 4);
    if (type == "tRNS") return true;
    if (type == "IDAT") return false;
    at += 12 + size_t(big_endian(bytes, at));
  }
  return false;
}

// Do all chunks lie in the file? stb_image makes room for whatever one claims before it looks.
bool png_is_complete(std::string_view bytes) {
  constexpr size_t kFrame = 12;  // length, type and check sum around a chunk's content
  for (size_t at = 8; bytes.size() - at >= kFrame;) {
    const size_t content = size_t(big_endian(bytes, at));
    if (content > bytes.size() - at - kFrame) return false;
    if (bytes.substr(at + 4, 4) == "IEND") return true;
    at += kFrame + content;
  }
  return false;
}

// stb_image reads uncompressed BMP only: rows of whole 32-bit words.
bool bmp_is_complete(std::string_view bytes, const ImageSize& size) {
  if (bytes.size() < 30) return false;
  const bool old_header = little_endian(bytes, 14, 4) == 12;
  const int64_t offset = little_endian(bytes, 10, 4), bits = little_endian(bytes, old_header ? 24 : 28, 2);
  const int64_t row_bytes = (bits * size.width + 31) / 32 * 4;
  return offset + row_bytes * size.height <= int64_t(bytes.size());
}

// Follows the packets of a run-length coded TGA from `at`: are all pixels there?
bool tga_runs_are_complete(std::string_view bytes, size_t at, size_t pixel_bytes, int64_t pixels) {
  while (pixels > 0) {
    if (at >= bytes.size()) return false;
    const uint8_t packet = uint8_t(bytes[at]);
    const size_t count = size_t(packet & 0x7F) + 1;
    at += 1 + pixel_bytes * ((packet & 0x80) ? 1 : count);
    if (at > bytes.size()) return false;
    pixels -= int64_t(count);
  }
  return true;
}

bool tga_is_complete(std::string_view bytes, const ImageSize& size) {
  constexpr size_t kHeader = 18;
  if (bytes.size() < kHeader) return false;
  const size_t id_bytes = uint8_t(bytes[0]);
  const size_t palette_entry_bytes = (size_t(uint8_t(bytes[7])) + 7) / 8;
  const size_t palette_bytes = bytes[1] ? size_t(little_endian(bytes, 5, 2)) * palette_entry_bytes : 0;
  const size_t pixel_bytes = (size_t(uint8_t(bytes[16])) + 7) / 8;
  const size_t at = kHeader + id_bytes + palette_bytes;
  const int64_t pixels = int64_t(size.width) * size.height;
  const bool run_length_coded = (uint8_t(bytes[2]) & 8) != 0;
  if (run_length_coded) return tga_runs_are_complete(bytes, at, pixel_bytes, pixels);
  return at <= bytes.size() && pixels * int64_t(pixel_bytes) <= int64_t(bytes.size() - at);
}

// stb_image's, which may quote four bytes of the file.
std::string failure_reason() {
  std::string reason = stbi_failure_reason();
  for (char& c : reason)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  return reason;
}

}  // namespace

namespace codec {

bool is_png_bmp_tga(std::string_view bytes) {
  int width, height, channels;
  return is_png(bytes) || is_bmp(bytes) ||
         stbi_info_from_memory(data_of(bytes), length_of(bytes), &width, &height, &channels);
}

Result<ImageSize> png_bmp_tga_size(std::string_view bytes, const std::string& name) {
  ImageSize size;
  if (is_png(bytes) && bytes.size() >= 24)  // stb_image would call a huge picture an unknown one
    SPLAT_TRY(check_size({big_endian(bytes, 16), big_endian(bytes, 20), 0}, name));
  if (!stbi_info_from_memory(data_of(bytes), length_of(bytes), &size.width, &size.height, &size.channels))
    return broken(name, format_of(bytes), "its header makes no sense: " + failure_reason());
  if (is_bmp(bytes) && size.height < 0 && size.height >= -kMaxSide) size.height = -size.height;  // stored from the top
  if (is_png(bytes) && !size.has_alpha() && png_has_colour_key(bytes)) ++size.channels;
  return size;
}

Result<Image8> decode_png_bmp_tga(std::string_view bytes, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(ImageSize size, png_bmp_tga_size(bytes, name));
  SPLAT_TRY(check_size(size, name));
  SPLAT_TRY(check_content(size, bytes.size(), kPixelsPerByte, name));
  const bool complete = is_png(bytes)   ? png_is_complete(bytes)
                        : is_bmp(bytes) ? bmp_is_complete(bytes, size)
                                        : tga_is_complete(bytes, size);
  if (!complete) return broken(name, format_of(bytes), "it is cut short");
  const std::unique_ptr<stbi_uc, decltype(&std::free)> pixels(
      stbi_load_from_memory(data_of(bytes), length_of(bytes), &size.width, &size.height, &size.channels, 0),
      &std::free);
  if (!pixels) return broken(name, format_of(bytes), failure_reason());
  const size_t count = size_t(size.width) * size_t(size.height) * size_t(size.channels);
  return Image8{size.width, size.height, size.channels, {pixels.get(), pixels.get() + count}};
}

Result<ImageSize> grey16_size(std::string_view bytes) {
  constexpr size_t kDepthAt = 24, kColourAt = 25;  // of the header chunk, which comes first
  if (!is_png(bytes) || bytes.size() <= kColourAt) return splat::Error{"it is not a PNG picture"};
  if (bytes[kColourAt] != 0) return splat::Error{"it is not grey, as a PNG of depths is"};
  if (bytes[kDepthAt] != 16)
    return splat::Error{"it has " + std::to_string(int(uint8_t(bytes[kDepthAt]))) +
                        " bits a pixel, where a PNG of depths has 16"};
  const ImageSize size{big_endian(bytes, 16), big_endian(bytes, 20), 1};
  SPLAT_TRY(check_size(size, "it"));
  return size;
}

Result<Grey16> decode_grey16(std::string_view bytes) {
  SPLAT_ASSIGN_OR_RETURN(ImageSize size, grey16_size(bytes));
  SPLAT_TRY(check_content(size, bytes.size(), kPixelsPerByte, "it"));
  if (!png_is_complete(bytes)) return splat::Error{"it is cut short"};
  const std::unique_ptr<stbi_us, decltype(&std::free)> pixels(
      stbi_load_16_from_memory(data_of(bytes), length_of(bytes), &size.width, &size.height, &size.channels, 1),
      &std::free);
  if (!pixels) return splat::Error{"it is broken (" + failure_reason() + ")"};
  return Grey16{size.width, size.height, {pixels.get(), pixels.get() + size_t(size.width) * size_t(size.height)}};
}

}  // namespace codec

}  // namespace io
