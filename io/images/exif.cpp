#include "io/images/exif.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>

#include "io/bytes.h"
#include "io/images/codecs.h"

namespace io {

namespace {

constexpr std::string_view kExif("Exif\0\0", 6);
constexpr size_t kLongestText = 64;
constexpr size_t kReadBytes = size_t(1) << 17;
constexpr unsigned kMostEntries = 1024;  // of a directory

// The TIFF structure that Exif is: numbers in either byte order, at offsets that may point anywhere.
class Tiff {
 public:
  explicit Tiff(std::string_view bytes) : bytes_(bytes), big_(bytes.substr(0, 2) == "MM") {}

  bool sound() const { return (big_ || bytes_.substr(0, 2) == "II") && number(2, 2) == 42; }
  // `size` bytes at `offset`; 0 beyond the end.
  uint32_t number(uint64_t offset, unsigned size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return 0;
    uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= uint32_t(uint8_t(bytes_[offset + (big_ ? size - 1 - i : i)])) << (8 * i);
    return value;
  }
  std::string_view bytes(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size()) return {};
    return bytes_.substr(offset, size);
  }

 private:
  std::string_view bytes_;
  bool big_;
};

struct Entry {
  unsigned tag, type;
  uint32_t count;
  uint64_t value;  // offset of the value's field, of 4 bytes
};

enum Type : unsigned { kAscii = 2, kShort = 3, kLong = 4, kRational = 5 };

template <class OnEntry>
void for_entries(const Tiff& tiff, uint32_t directory, const OnEntry& on_entry) {
  const unsigned count = std::min(unsigned(tiff.number(directory, 2)), kMostEntries);
  for (unsigned i = 0; directory != 0 && i < count; ++i) {
    const uint64_t at = uint64_t(directory) + 2 + 12 * uint64_t(i);
    on_entry(Entry{tiff.number(at, 2), tiff.number(at + 2, 2), tiff.number(at + 4, 4), at + 8});
  }
}

std::string text_of(const Tiff& tiff, const Entry& entry) {
  if (entry.type != kAscii) return {};
  const uint64_t offset = entry.count <= 4 ? entry.value : tiff.number(entry.value, 4);
  std::string text;
  for (const char c : tiff.bytes(offset, std::min<uint64_t>(entry.count, kLongestText)))
    if (c == 0)
      break;
    else if (c >= 0x20 && c < 0x7f)
      text += c;
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

double rational_of(const Tiff& tiff, const Entry& entry) {
  if (entry.type != kRational || entry.count != 1) return 0;
  const uint32_t at = tiff.number(entry.value, 4);
  const double value = double(tiff.number(at, 4)) / double(tiff.number(uint64_t(at) + 4, 4));
  return std::isfinite(value) && value < 1e5 ? value : 0;
}

Exif parse_tiff(std::string_view bytes) {
  Exif exif;
  const Tiff tiff(bytes);
  if (!tiff.sound()) return exif;
  uint32_t details = 0;  // the Exif directory proper
  for_entries(tiff, tiff.number(4, 4), [&](const Entry& entry) {
    if (entry.tag == 0x010F) exif.make = text_of(tiff, entry);
    if (entry.tag == 0x0110) exif.model = text_of(tiff, entry);
    if (entry.tag == 0x0112 && entry.type == kShort) exif.orientation = int(tiff.number(entry.value, 2));
    if (entry.tag == 0x8769 && entry.type == kLong) details = tiff.number(entry.value, 4);
  });
  for_entries(tiff, details, [&](const Entry& entry) {
    if (entry.tag == 0x920A) exif.focal_mm = rational_of(tiff, entry);
    if (entry.tag == 0xA434) exif.lens = text_of(tiff, entry);
  });
  if (exif.orientation < 1 || exif.orientation > 8) exif.orientation = 1;
  return exif;
}

}  // namespace

Exif parse_exif(std::string_view jpeg) {
  if (codec::is_heif(jpeg)) {
    Exif exif = parse_tiff(codec::exif_of_heif(jpeg));
    exif.orientation = 1;  // decoding has turned it
    return exif;
  }
  size_t at = 2;
  while (jpeg.substr(0, 2) == "\xFF\xD8" && at + 4 <= jpeg.size() && jpeg[at] == '\xFF') {
    const uint8_t marker = uint8_t(jpeg[at + 1]);
    const size_t length = size_t(uint8_t(jpeg[at + 2])) << 8 | uint8_t(jpeg[at + 3]);
    if (marker == 0xDA || length < 2) break;  // the picture begins
    const std::string_view segment = jpeg.substr(at + 4, length - 2);
    if (marker == 0xE1 && segment.starts_with(kExif)) return parse_tiff(segment.substr(kExif.size()));
    at += 2 + length;
  }
  return {};
}

Exif read_exif(const std::filesystem::path& path) {
  if (!check_regular(path)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kReadBytes, '\0');
  file.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(file.gcount()));
  return parse_exif(bytes);
}

std::string with_exif_of(std::string_view photo, std::string jpeg) {
  constexpr size_t kLongestSegment = 65533;
  const std::string tiff = codec::is_heif(photo) ? codec::exif_of_heif(photo) : std::string();
  if (tiff.empty() || kExif.size() + tiff.size() > kLongestSegment || !codec::is_jpeg(jpeg)) return jpeg;
  const size_t length = 2 + kExif.size() + tiff.size();
  const char head[4] = {'\xFF', '\xE1', char(length >> 8), char(length)};
  return jpeg.insert(2, std::string(head, 4).append(kExif).append(tiff));
}

}  // namespace io
