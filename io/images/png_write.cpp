// PNG: pictures of 8 bits, and grey ones of 16, as which depth maps are written.
#include <zlib.h>

#include <cstdlib>
#include <new>
#include <span>
#include <vector>

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

// PNG's filter 4: the neighbour nearest to left + above - corner.
uint8_t paeth(int left, int above, int corner) {
  const int by_left = std::abs(above - corner), by_above = std::abs(left - corner),
            by_corner = std::abs(left + above - 2 * corner);
  const int of_two = by_above <= by_corner ? above : corner;
  return uint8_t(by_left <= by_above && by_left <= by_corner ? left : of_two);
}

// [height,width] bytes as differences to what their neighbours say, each behind the filter's number.
std::vector<uint8_t> filtered(std::span<const uint8_t> bytes, size_t width, size_t height, size_t pixel_bytes) {
  std::vector<uint8_t> rows(height * (1 + width));
  const std::vector<uint8_t> nothing(width, 0);
  for (size_t y = 0; y < height; ++y) {
    const uint8_t* row = bytes.data() + y * width;
    const uint8_t* above = y == 0 ? nothing.data() : row - width;
    uint8_t* out = rows.data() + y * (1 + width);
    *out++ = 4;
    for (size_t x = 0; x < pixel_bytes; ++x) out[x] = uint8_t(row[x] - above[x]);
    for (size_t x = pixel_bytes; x < width; ++x)
      out[x] = uint8_t(row[x] - paeth(row[x - pixel_bytes], above[x], above[x - pixel_bytes]));
  }
  return rows;
}

// Runs of equal differences, and short codes for frequent ones: renders have little else, and matches of longer strings
// take most of a compressor's time.
std::string packed(std::vector<uint8_t> rows) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 15, 8, Z_RLE) != Z_OK) throw std::bad_alloc();
  std::string bytes(deflateBound(&stream, uLong(rows.size())), '\0');
  stream.next_in = rows.data(), stream.avail_in = uInt(rows.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data()), stream.avail_out = uInt(bytes.size());
  const int result = deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  SPLAT_CHECK_EQ(result, Z_STREAM_END);
  return bytes;
}

struct Layout {
  size_t width, height;
  char bits, colour_type;  // as IHDR has them
  size_t pixel_bytes;
};
std::string png_of(const Layout& layout, std::span<const uint8_t> bytes) {
  const std::string header = big_endian_32(uint32_t(layout.width)) + big_endian_32(uint32_t(layout.height)) +
                             std::string{layout.bits, layout.colour_type, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) +
         chunk("IDAT", packed(filtered(bytes, layout.width * layout.pixel_bytes, layout.height, layout.pixel_bytes))) +
         chunk("IEND", "");
}

}  // namespace

std::string encode_png(const splat::Image8& image) {
  SPLAT_CHECK(image.channels >= 1 && image.channels <= 4);
  const auto width = size_t(image.width), height = size_t(image.height), channels = size_t(image.channels);
  SPLAT_CHECK_EQ(image.pixels.size(), width * height * channels);
  constexpr char kColourTypes[] = {0, 4, 2, 6};  // grey, with alpha, colours, with alpha
  return png_of({width, height, 8, kColourTypes[channels - 1], channels}, image.pixels);
}

std::string encode_grey16_png(const Grey16& image) {
  const size_t width = size_t(image.width), height = size_t(image.height);
  SPLAT_CHECK_EQ(image.pixels.size(), width * height);
  std::vector<uint8_t> bytes;
  bytes.reserve(2 * width * height);
  for (const uint16_t value : image.pixels) bytes.insert(bytes.end(), {uint8_t(value >> 8), uint8_t(value & 255)});
  return png_of({width, height, 16, 0, 2}, bytes);
}

}  // namespace io
