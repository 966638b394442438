#include "io/splats/html/page_splats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "io/byte_stream.h"
#include "io/gzip.h"
#include "splat/core/check.h"
#include "splat/model/morton.h"

namespace io {
namespace {

constexpr size_t kHeader = 16, kCountAt = 8, kDegreeAt = 12, kReservedAt = 15;
constexpr size_t kPositionBytes = 9, kColours = 1;  // a stream behind the positions
constexpr std::string_view kForbidden("\0\n\r<", 4);

std::string unpacked(std::string_view gzip) {
  ByteStream stream(gzip, "SPZ");
  GzipReader reader(stream);
  std::string bytes;
  for (size_t have = 0, got = 1; got > 0; have += got) {
    bytes.resize(std::max<size_t>(2 * have, 1 << 20));
    auto read = reader.read_some({bytes.data() + have, bytes.size() - have});
    SPLAT_CHECK(read.ok());
    got = *read;
    if (got == 0) bytes.resize(have);
  }
  return bytes;
}

uint8_t byte_at(std::string_view bytes, size_t at) { return uint8_t(bytes[at]); }

// 24 bits, with a sign.
int32_t position_at(std::string_view bytes, size_t at) {
  const uint32_t word = uint32_t(byte_at(bytes, at)) << 8 | uint32_t(byte_at(bytes, at + 1)) << 16 |
                        uint32_t(byte_at(bytes, at + 2)) << 24;
  return int32_t(word) >> 8;
}

void write_positions(std::string_view rows, const std::vector<uint32_t>& order, GzipWriter& gzip) {
  for (size_t axis = 0; axis < 3; ++axis) {
    std::array<std::string, 3> planes;
    int32_t before = 0;
    for (const uint32_t row : order) {
      const int32_t at = position_at(rows, kPositionBytes * row + 3 * axis);
      const int32_t step = int32_t(uint32_t(at - before) << 8) >> 8;  // 24 bits, with a sign, hold no longer ones
      const uint32_t zigzag = uint32_t(step) << 1 ^ uint32_t(step >> 31);
      for (size_t byte = 0; byte < 3; ++byte) planes[byte] += char(zigzag >> 8 * byte);
      before = at;
    }
    for (const std::string& plane : planes) gzip.write(plane);
  }
}

void write_planes(std::string_view rows, size_t width, bool colours, const std::vector<uint32_t>& order,
                  GzipWriter& gzip) {
  std::string plane(order.size(), '\0');
  for (size_t byte = 0; byte < width; ++byte) {
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t row = width * order[i];
      plane[i] = char(byte_at(rows, row + byte) - (colours && byte != 1 ? byte_at(rows, row + 1) : 0));
    }
    gzip.write(plane);
  }
}

}  // namespace

std::string planes_of(std::string_view spz, splat::ThreadPool& pool) {
  const std::string bytes = unpacked(spz);
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kCountAt, sizeof count);
  const size_t side = size_t(bytes[kDegreeAt]) + 1;
  std::vector<float> means(3 * size_t(count));
  for (size_t i = 0; i < means.size(); ++i) means[i] = float(position_at(bytes, kHeader + 3 * i));
  const std::vector<uint32_t> order = splat::morton_order(means);

  std::string packed, header = bytes.substr(0, kHeader);
  header[kReservedAt] = 1;
  GzipWriter gzip([&](std::string_view part) { packed += part; }, pool);
  gzip.look_for(GzipSearch::kRuns);  // within 0.3 % of the size of looking for matches
  gzip.write(header);
  std::string_view rest = std::string_view(bytes).substr(kHeader);
  write_positions(rest, order, gzip);
  rest.remove_prefix(kPositionBytes * count);
  const std::array<size_t, 5> widths{1, 3, 3, 4, 3 * (side * side - 1)};
  for (size_t stream = 0; stream < widths.size(); ++stream) {
    write_planes(rest, widths[stream], stream == kColours, order, gzip);
    rest.remove_prefix(widths[stream] * count);
  }
  gzip.finish();
  return packed;
}

std::string seven_bit_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() / 7 * 8 + 8);
  uint32_t held = 0;
  int bits = 0;
  size_t forbidden = kForbidden.size();  // of the group before, which waits for this one; else its size
  const auto put = [&](uint32_t group) {
    if (forbidden < kForbidden.size()) {
      const uint32_t both = uint32_t(2 + forbidden) << 7 | group;
      text += char(0xc0 | both >> 6);
      text += char(0x80 | (both & 0x3f));
      forbidden = kForbidden.size();
    } else if (forbidden = std::min(kForbidden.find(char(group)), kForbidden.size()); forbidden == kForbidden.size()) {
      text += char(group);
    }
  };
  for (const char byte : bytes) {
    held = held << 8 | uint8_t(byte);
    for (bits += 8; bits >= 7; bits -= 7) put(held >> (bits - 7) & 127);
  }
  // At the end fewer than eight bits too many: they make no byte.
  uint32_t last = held << (7 - bits) & 127;
  if (forbidden == kForbidden.size() && kForbidden.find(char(last)) != std::string::npos) last ^= 1;
  if (bits > 0 || forbidden < kForbidden.size()) put(last);
  return text;
}

}  // namespace io
