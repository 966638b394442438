#include "io/whole_file.h"

#include <zlib.h>

#include <fstream>
#include <string>
#include <string_view>

#include "io/bytes.h"

namespace io {

namespace {

uint32_t crc_of(std::string_view bytes, uint32_t before = 0) {
  return uint32_t(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

uint32_t big_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes[i]);
  return value;
}

}  // namespace

std::string with_xmp(std::string png, std::string_view xmp) {
  constexpr size_t kBehindHeader = 8 + 25;
  if (xmp.empty()) return png;
  const std::string body = "iTXt" + std::string("XML:com.adobe.xmp\0\0\0\0\0", 22) + std::string(xmp);  // not packed
  const auto number = [](uint32_t v) { return std::string{char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; };
  return png.insert(kBehindHeader, number(uint32_t(body.size() - 4)) + body + number(crc_of(body)));
}

splat::Result<uint32_t> file_checksum(const std::filesystem::path& file) {
  SPLAT_TRY(check_regular(file));
  std::ifstream in(file, std::ios::binary);
  std::string block(size_t(1) << 20, '\0');
  uint32_t sum = 0;
  while (in.read(block.data(), std::streamsize(block.size())) || in.gcount() > 0)
    sum = crc_of(std::string_view(block).substr(0, size_t(in.gcount())), sum);
  if (!in.eof()) return splat::Error{"'" + file.string() + "' could not be read"};
  return sum;
}

bool is_whole_png(const std::filesystem::path& file, int width, int height) {
  const auto read = read_file(file);
  if (!read) return false;
  std::string_view rest = *read;
  if (!rest.starts_with("\x89PNG\r\n\x1a\n")) return false;
  rest.remove_prefix(8);
  for (bool first = true; rest.size() >= 12; first = false) {
    const uint32_t length = big_endian(rest);
    const std::string_view type = rest.substr(4, 4);
    if (length > rest.size() - 12) return false;
    if (big_endian(rest.substr(8 + length)) != crc_of(rest.substr(4, 4 + length))) return false;
    const std::string_view content = rest.substr(8, length);
    if (first && (type != "IHDR" || length < 8)) return false;
    if (first && (big_endian(content) != uint32_t(width) || big_endian(content.substr(4)) != uint32_t(height)))
      return false;
    if (type == "IEND") return true;
    rest.remove_prefix(12 + length);
  }
  return false;
}

}  // namespace io
