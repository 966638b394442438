#include "io/images/exif.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>

#include "io/bytes.h"
#include "io/images/codecs.h"
#include "io/images/segments.h"
#include "io/images/upright.h"

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

constexpr std::string_view kAdobeRgbMark = "R03", kNoMark = "R98";

// Where the directory stands that an entry of another one points to; 0: nowhere.
uint32_t directory_at(const Tiff& tiff, uint32_t directory, unsigned tag) {
  uint32_t at = 0;
  for_entries(tiff, directory, [&](const Entry& entry) {
    if (entry.tag == tag && entry.type == kLong) at = tiff.number(entry.value, 4);
  });
  return at;
}

constexpr unsigned kDetails = 0x8769, kInteroperability = 0xA005;  // directories: of Exif proper, and in that one

// Where the mark of the colours stands; 0: nowhere.
uint64_t colours_at(const Tiff& tiff) {
  uint64_t at = 0;
  const uint32_t details = directory_at(tiff, tiff.number(4, 4), kDetails);
  for_entries(tiff, directory_at(tiff, details, kInteroperability), [&](const Entry& entry) {
    if (entry.tag == 0x0001 && entry.type == kAscii && entry.count == 4) at = entry.value;
  });
  return at;
}

Exif parse_tiff(std::string_view bytes) {
  Exif exif;
  const Tiff tiff(bytes);
  if (!tiff.sound()) return exif;
  for_entries(tiff, tiff.number(4, 4), [&](const Entry& entry) {
    if (entry.tag == 0x010F) exif.make = text_of(tiff, entry);
    if (entry.tag == 0x0110) exif.model = text_of(tiff, entry);
    if (entry.tag == 0x0112 && entry.type == kShort) exif.orientation = int(tiff.number(entry.value, 2));
  });
  for_entries(tiff, directory_at(tiff, tiff.number(4, 4), kDetails), [&](const Entry& entry) {
    if (entry.tag == 0x920A) exif.focal_mm = rational_of(tiff, entry);
    if (entry.tag == 0xA434) exif.lens = text_of(tiff, entry);
    if (entry.tag == 0xA404) exif.zoom = rational_of(tiff, entry);
    if (entry.tag == 0xA405 && entry.type == kShort) exif.equivalent_mm = int(tiff.number(entry.value, 2));
  });
  if (exif.zoom <= 1) exif.zoom = 1;  // 0: none was used
  const uint64_t colours = colours_at(tiff);
  exif.adobe_rgb = colours > 0 && tiff.bytes(colours, kAdobeRgbMark.size()) == kAdobeRgbMark;
  if (exif.orientation < 1 || exif.orientation > 8) exif.orientation = 1;
  return exif;
}

// The TIFF structure in a picture of any format; empty: none. `kept` holds it where the file has it in another form.
std::string_view tiff_in(std::string_view photo, std::string& kept) {
  std::string_view tiff;
  if (codec::is_heif(photo)) {
    tiff = kept = codec::exif_of_heif(photo);
  } else if (codec::is_webp(photo)) {
    tiff = codec::webp_chunk(photo, "EXIF");
  } else if (photo.starts_with("\xFF\xD8")) {
    codec::for_jpeg_segments(photo, [&](uint8_t marker, std::string_view content) {
      if (marker == 0xE1 && content.starts_with(kExif)) tiff = content;
      return !tiff.empty();
    });
  } else {
    tiff = codec::png_chunk(photo, "eXIf");
  }
  if (tiff.starts_with(kExif)) tiff.remove_prefix(kExif.size());  // some programs write it into PNG and WebP, too
  return tiff;
}

}  // namespace

Exif parse_exif(std::string_view photo) {
  std::string kept;
  Exif exif = parse_tiff(tiff_in(photo, kept));
  if (codec::is_heif(photo)) exif.orientation = 1;  // decoding has turned it
  return exif;
}

Exif read_exif(const std::filesystem::path& path) {
  if (!check_regular(path)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kReadBytes, '\0');
  file.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(file.gcount()));
  if (codec::is_jpeg(bytes) || bytes.size() < kReadBytes) return parse_exif(bytes);
  const auto whole = read_file(path);  // it may stand behind the picture
  return whole ? parse_exif(*whole) : Exif();
}

int orientation_beside(const std::filesystem::path& file, Sides stored, Sides photo, int photo_orientation) {
  constexpr int kOnItsSide = 6;
  if (lies_as_stored(stored.width, stored.height, photo.width, photo.height, kOnItsSide)) {
    const int turn = swaps_sides(photo_orientation) ? photo_orientation : read_exif(file).orientation;
    return swaps_sides(turn) ? turn : 1;
  }
  if (photo_orientation == 1 || (swaps_sides(photo_orientation) && stored.width != stored.height)) return 1;
  return read_exif(file).orientation == photo_orientation ? photo_orientation : 1;
}

std::string with_exif_of(std::string_view photo, std::string jpeg) {
  constexpr size_t kLongestSegment = 65533;
  if (codec::is_jpeg(photo) || !codec::is_jpeg(jpeg)) return jpeg;
  std::string kept;
  std::string tiff(tiff_in(photo, kept));
  if (tiff.empty() || kExif.size() + tiff.size() > kLongestSegment) return jpeg;
  if (parse_tiff(tiff).adobe_rgb) tiff.replace(size_t(colours_at(Tiff(tiff))), kNoMark.size(), kNoMark);
  const size_t length = 2 + kExif.size() + tiff.size();
  const char head[4] = {'\xFF', '\xE1', char(length >> 8), char(length)};
  return jpeg.insert(2, std::string(head, 4).append(kExif).append(tiff));
}

}  // namespace io
