// The parts of a picture file that say something about it: segments of a JPEG, chunks of a PNG or WebP. Nothing is
// trusted: what does not fit into the bytes ends the walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace io::codec {

// Calls on_segment(marker, content) for each segment before the picture's data; the walk ends where it returns true.
template <class OnSegment>
void for_jpeg_segments(std::string_view jpeg, const OnSegment& on_segment) {
  constexpr uint8_t kScan = 0xDA;
  size_t at = 2;
  while (jpeg.substr(0, 2) == "\xFF\xD8" && at + 4 <= jpeg.size() && jpeg[at] == '\xFF') {
    const uint8_t marker = uint8_t(jpeg[at + 1]);
    const size_t length = size_t(uint8_t(jpeg[at + 2])) << 8 | uint8_t(jpeg[at + 3]);
    if (marker == kScan || length < 2) return;
    if (on_segment(marker, jpeg.substr(at + 4, length - 2))) return;
    at += 2 + length;
  }
}

enum class ByteOrder { kLittle, kBig };

inline uint32_t number_at(std::string_view bytes, size_t at, ByteOrder order) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes[at + (order == ByteOrder::kBig ? i : 3 - i)]);
  return value;
}

// The content of the first chunk of this type; empty: there is none, or not in full.
inline std::string_view png_chunk(std::string_view png, std::string_view type) {
  if (png.substr(0, 4) != "\x89PNG") return {};
  for (size_t at = 8; at < png.size() && png.size() - at >= 12;) {
    const size_t content = number_at(png, at, ByteOrder::kBig);
    if (content > png.size() - at - 12) return {};
    if (png.substr(at + 4, 4) == type) return png.substr(at + 8, content);
    at += 12 + content;
  }
  return {};
}

inline std::string_view webp_chunk(std::string_view webp, std::string_view type) {
  if (webp.size() < 12 || webp.substr(0, 4) != "RIFF" || webp.substr(8, 4) != "WEBP") return {};
  for (size_t at = 12; at < webp.size() && webp.size() - at >= 8;) {
    const size_t content = number_at(webp, at + 4, ByteOrder::kLittle);
    if (content > webp.size() - at - 8) return {};
    if (webp.substr(at, 4) == type) return webp.substr(at + 8, content);
    at += 8 + content + content % 2;
  }
  return {};
}

}  // namespace io::codec
