// How pages hold splats, read back as the header says it. That browsers read it: tests/web.
#include "io/splats/html/page_splats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/gzip.h"
#include "io/splats/spz/spz.h"
#include "splat/core/random.h"
#include "tests/app/cli/commands/random_cloud.h"

namespace io::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes unpacked(const std::string& gzip) {
  ByteStream stream(gzip, "test");
  GzipReader reader(stream);
  Bytes all;
  for (std::array<char, 4096> part{};;) {
    const auto got = reader.read_some(part);
    EXPECT_TRUE(got.ok());
    if (!got || *got == 0) return all;
    all.insert(all.end(), part.begin(), part.begin() + int64_t(*got));
  }
}

// By whole bits, one after another.
std::string read_text(const std::string& text) {
  std::string bits, bytes;
  const auto group = [&](unsigned value) {
    for (int bit = 6; bit >= 0; --bit) bits += char('0' + (value >> bit & 1));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned code = uint8_t(text[i]);
    EXPECT_TRUE(code != 0 && code != 10 && code != 13 && code != '<');
    if (code >= 128) {
      EXPECT_EQ(code >> 5, 6u) << "two bytes of UTF-8";
      code = (code & 31) << 6 | (uint8_t(text[++i]) & 63);
      group(std::array{0u, 10u, 13u, 60u}.at((code >> 7) - 2));
    }
    group(code & 127);
  }
  for (size_t at = 0; at + 8 <= bits.size(); at += 8) bytes += char(std::stoi(bits.substr(at, 8), nullptr, 2));
  return bytes;
}

TEST(SevenBitText, HoldsAnyBytes) {
  splat::random::Sequence random(3, splat::random::kTest);
  const std::array<char, 8> often{0, 10, 13, 60, char(0x80), char(0xff), 1, 30};
  for (size_t size = 0; size < 40; ++size)
    for (int round = 0; round < 200; ++round) {
      std::string bytes;
      while (bytes.size() < size)
        bytes += random.below(3) > 0 ? often[random.below(uint32_t(often.size()))] : char(random.below(256));
      ASSERT_EQ(read_text(seven_bit_text(bytes)), bytes) << size;
    }
}

TEST(SevenBitText, TakesEightSeventhsOfTheBytes) {
  std::string bytes;
  splat::random::Sequence random(4, splat::random::kTest);
  while (bytes.size() < 70000) bytes += char(random.below(256));
  EXPECT_NEAR(double(seven_bit_text(bytes).size()), 80000, 2);
}

// Rows of all streams, each splat's bytes together.
std::vector<Bytes> splats_of(const Bytes& spz, size_t count, const std::vector<size_t>& widths) {
  std::vector<Bytes> splats(count);
  size_t at = 16;
  for (const size_t width : widths)
    for (Bytes& splat : splats) {
      splat.insert(splat.end(), spz.begin() + int64_t(at), spz.begin() + int64_t(at + width));
      at += width;
    }
  EXPECT_EQ(at, spz.size());
  return splats;
}

TEST(Planes, HoldEveryValueOfTheSpz) {
  constexpr size_t kCount = 5000;
  for (int degree = 0; degree <= 3; ++degree) {
    std::string spz;
    splat::Gaussians model = splat::test::cloud(kCount, degree);
    const bool wide = degree == 3;  // the curve leaps from one border of SPZ to the other
    for (float& value : model.means) value = std::clamp(wide ? 1000 * value : value, -2047.0f, 2047.0f);
    pack_spz([&](std::string_view bytes) { return spz += bytes, true; }, model, {}, {});
    splat::ThreadPool pool(2);
    const std::string packed = planes_of(spz, pool);
    EXPECT_TRUE(wide || packed.size() < spz.size());
    const Bytes whole = unpacked(spz), planes = unpacked(packed);
    ASSERT_EQ(planes.size(), whole.size());
    EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + 15, planes.begin()));
    EXPECT_EQ(whole[15], 0);
    EXPECT_EQ(planes[15], 1);

    const size_t more = size_t(3 * (degree * degree + 2 * degree));
    std::vector<size_t> widths{9, 1, 3, 3, 4, more};
    Bytes rows(planes.begin(), planes.begin() + 16);
    size_t at = 16;
    for (const size_t width : widths) {
      for (size_t i = 0; i < kCount; ++i)
        for (size_t byte = 0; byte < width; ++byte) rows.push_back(planes[at + byte * kCount + i]);
      at += width * kCount;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      int64_t place = 0;
      for (size_t i = 0; i < kCount; ++i) {
        uint8_t* bytes = &rows[16 + 9 * i + 3 * axis];
        const int64_t zigzag = bytes[0] + 256 * bytes[1] + 65536 * bytes[2];
        place += zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
        for (int byte = 0; byte < 3; ++byte) bytes[byte] = uint8_t(place >> 8 * byte);
      }
    }
    for (size_t i = 0; i < kCount; ++i)
      for (const size_t colour : {0, 2}) {
        uint8_t* rgb = &rows[16 + 10 * kCount + 3 * i];
        rgb[colour] = uint8_t(rgb[colour] + rgb[1]);
      }
    std::vector<Bytes> expected = splats_of(whole, kCount, widths), got = splats_of(rows, kCount, widths);
    EXPECT_NE(expected, got) << "they lie along a curve";
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    EXPECT_EQ(expected, got) << "degree " << degree;
  }
}

}  // namespace
}  // namespace io::test
