#include "align/video/jpeg_stream.h"

#include <cstdint>

namespace align {

namespace {

constexpr size_t kLargestPicture = size_t(1) << 28;  // bytes

}  // namespace

// Walks the markers: before the scan each has a length, within the scan 0xFF is followed by 0 or a restart marker.
void JpegStream::add(std::string_view bytes) {
  if (broken_) return;
  buffer_ += bytes;
  while (buffer_.size() >= looked_at_ + 4) {
    const auto byte = [&](size_t i) { return uint8_t(buffer_[i]); };
    if (looked_at_ == 0) {
      broken_ = byte(0) != 0xFF || byte(1) != 0xD8;
      if (broken_) return;
      looked_at_ = 2;
      continue;
    }
    if (in_scan_) {
      const size_t mark = buffer_.find('\xFF', looked_at_);
      if (mark == std::string::npos || mark + 1 >= buffer_.size()) {
        looked_at_ = mark == std::string::npos ? buffer_.size() : mark;
        break;
      }
      const uint8_t kind = byte(mark + 1);
      if (kind == 0xD9) {
        on_picture_(std::string_view(buffer_).substr(0, mark + 2));
        buffer_.erase(0, mark + 2);
        looked_at_ = 0;
        in_scan_ = false;
        continue;
      }
      in_scan_ = kind == 0 || kind == 0xFF || (kind >= 0xD0 && kind <= 0xD7);
      looked_at_ = in_scan_ ? mark + (kind == 0xFF ? 1 : 2) : mark;
      continue;
    }
    const size_t length = size_t(byte(looked_at_ + 2)) << 8 | byte(looked_at_ + 3);
    broken_ = byte(looked_at_) != 0xFF || length < 2 || buffer_.size() > kLargestPicture;
    if (broken_) return;
    if (buffer_.size() < looked_at_ + 2 + length) break;
    in_scan_ = byte(looked_at_ + 1) == 0xDA;
    looked_at_ += 2 + length;
  }
}

}  // namespace align
