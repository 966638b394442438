// Grey PNG files of 16 bits, as programs that estimate depth write them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace splat::test {

// pixels: [height,width]; bits: what the header claims.
inline std::string grey16_png(int width, int height, const std::vector<uint16_t>& pixels, int bits = 16) {
  const auto number = [](uint32_t v) { return std::string{char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; };
  const auto chunk = [&](const std::string& type, const std::string& content) {
    const std::string body = type + content;
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
    return number(uint32_t(content.size())) + body + number(uint32_t(sum));
  };
  std::string rows;
  for (size_t i = 0; i < pixels.size(); ++i) {
    if (i % size_t(width) == 0) rows += '\0';  // unfiltered
    rows += {char(pixels[i] >> 8), char(pixels[i])};
  }
  uLongf size = compressBound(uLong(rows.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
           uLong(rows.size()));
  packed.resize(size);
  const std::string header =
      number(uint32_t(width)) + number(uint32_t(height)) + std::string{char(bits), '\0', '\0', '\0', '\0'};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

}  // namespace splat::test
