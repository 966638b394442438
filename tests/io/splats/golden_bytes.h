// Files put together byte by byte from the layouts, not with our code; and what tests ask of every reader.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "tests/io/error_sentence.h"
#include "tests/support/test_paths.h"

namespace io::test {

inline const std::filesystem::path kRealSplats = test_paths::data() / "splats";

using Reader = splat::Result<SplatFile> (*)(ByteStream&);
inline splat::Result<SplatFile> read_bytes(Reader reader, const std::string& bytes) {
  ByteStream stream(bytes, "golden");
  return reader(stream);
}

class Bytes : public std::string {
 public:
  using std::string::string;
  template <class T>
  Bytes& put(T value) {  // little-endian, as this machine is
    append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <class T>
  Bytes& put_all(const std::vector<T>& values) {
    for (const T value : values) put(value);
    return *this;
  }
  Bytes& pad_to(size_t size) {
    resize(size, '\0');
    return *this;
  }
  template <class T>
  Bytes& put_at(size_t position, T value) {
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, begin() + ptrdiff_t(position));
    return *this;
  }
};

// A gzip member that stores `data` as they are.
inline std::string stored_gzip(const std::string& data) {
  uint32_t crc = ~0u;
  for (const char c : data) {
    crc ^= uint8_t(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  Bytes bytes("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  bytes.put(uint8_t(1)).put(uint16_t(data.size())).put(uint16_t(~data.size()));
  bytes += data;
  return bytes.put(~crc).put(uint32_t(data.size()));
}

// A zstd frame of one raw block (RFC 8878).
inline std::string stored_zstd(const std::string& data) {
  Bytes bytes;
  bytes.put(0xfd2fb528u).put(uint8_t(0xa0)).put(uint32_t(data.size()));
  const uint32_t block = 1u | uint32_t(data.size()) << 3;
  bytes.append(reinterpret_cast<const char*>(&block), 3);
  return bytes + data;
}

// Whatever is cut off at the end, the reader says so in a sentence.
inline void expect_truncations_refused(Reader reader, const std::string& bytes) {
  ASSERT_TRUE(read_bytes(reader, bytes).ok()) << read_bytes(reader, bytes).error().message;
  for (size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    expect_sentence(read_bytes(reader, bytes.substr(0, size)), {"golden"});
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class Value>
void expect_near(const std::vector<float>& a, const std::vector<Value>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(double(a[i]), double(b[i]), tolerance) << "value " << i;
}

// Rotations, not quaternions: q and -q are one. Both of length 1.
inline double angle_between(const float* a, const float* b) {
  double dot = 0, aa = 0, bb = 0;
  for (int i = 0; i < 4; ++i) dot += double(a[i]) * b[i], aa += double(a[i]) * a[i], bb += double(b[i]) * b[i];
  return 2 * std::acos(std::min(1.0, std::abs(dot) / std::sqrt(aa * bb)));
}

// How far a rotation moves when three of its components are stored in steps of about sqrt(2) / 1023: half a step in
// each of them and, at the worst, thrice that in the largest; a rotation's angle is twice its quaternion's.
constexpr double kMaxSmallestThreeAngle = 0.0048;

inline bool mentions(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& s) { return s.find(part) != std::string::npos; });
}

inline double sigmoid_of(double logit) { return 1 / (1 + std::exp(-logit)); }
inline double rgb_of(double f_dc) { return 0.5 + 0.28209479177387814 * f_dc; }

// Rows of `a` in the order of the rows of `b`, matched by position: each takes the nearest that is left. For models
// that hold the same splats in another order. [N] indices into a.
std::vector<size_t> match_by_position(const splat::Gaussians& a, const splat::Gaussians& b);

}  // namespace io::test
