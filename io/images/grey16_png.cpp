// Grey PNG of 16 bits: what depth maps are written as.
#include <zlib.h>

#include <new>

#include "io/image_file.h"
#include "splat/core/check.h"

namespace io {

namespace {

std::string big_endian_32(uint32_t v) { return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; }

std::string chunk(const std::string& type, const std::string& content) {
  const std::string body = type + content;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  return big_endian_32(uint32_t(content.size())) + body + big_endian_32(uint32_t(sum));
}

}  // namespace

std::string encode_grey16_png(const Grey16& image) {
  const size_t width = size_t(image.width), height = size_t(image.height);
  SPLAT_CHECK_EQ(image.pixels.size(), width * height);
  std::string rows;
  rows.reserve(height * (1 + 2 * width));
  for (size_t y = 0; y < height; ++y) {
    rows += char(2);  // as differences to the row above, byte by byte
    for (size_t x = 0; x < width; ++x) {
      const uint16_t here = image.pixels[y * width + x], above = y == 0 ? 0 : image.pixels[(y - 1) * width + x];
      rows += char((here >> 8) - (above >> 8));
      rows += char((here & 255) - (above & 255));
    }
  }
  uLongf size = compressBound(uLong(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                uLong(rows.size()), 5) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  const std::string header =
      big_endian_32(uint32_t(width)) + big_endian_32(uint32_t(height)) + std::string{16, 0, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

}  // namespace io
