// KSPLAT, compression levels 0 to 2.
#include "io/splats/ksplat/ksplat.h"

#include <gtest/gtest.h>

#include "tests/io/splats/golden_bytes.h"

namespace io::test {
namespace {

using splat::Gaussians;

// Three splats of one section: two in a full bucket, one in another.
struct Golden {
  uint16_t level = 0;
  uint16_t degree = 2;
  uint32_t sections = 1, splats = 3;

  template <class T>
  static void put_numbers(Bytes& bytes, const std::vector<T>& values) {
    bytes.put_all(values);
  }
  Bytes bytes() const {
    Bytes bytes;
    bytes.put_all<uint8_t>({0, 1, 0, 0}).put_all<uint32_t>({sections, sections, 3, 3}).put(level);
    bytes.pad_to(36).put_all<float>({-2, 2}).pad_to(4096);
    Bytes section;
    section.put_all<uint32_t>({splats, splats, 2, 2}).put(8.0f).put(uint16_t(12)).put(uint16_t(0)).put(1000u).put(0u);
    section.put_all<uint32_t>({1, 1}).put(degree).pad_to(1024);
    bytes += section;
    bytes.put(1u).put_all<float>({1, 2, 3, -10, 0, 10});  // the bucket that is not full; centres
    for (int row = 0; row < 3; ++row) put_record(bytes, row);
    return bytes;
  }
  void put_record(Bytes& bytes, int row) const {
    if (level == 0) {
      bytes.put_all<float>({float(row), 2, -3, 0.5f, 1, 0.25f, 1, 0, 0, -1});
    } else {
      bytes.put_all<uint16_t>({uint16_t(1000 + 250 * row), 0, 2000});           // steps of 4 / 1000
      bytes.put_all<uint16_t>({0x3800, 0x3c00, 0x3400, 0x3c00, 0, 0, 0xbc00});  // the same as half floats
    }
    bytes.put_all<uint8_t>({255, 0, 51, 204});
    for (int i = 0; i < 3 * ((degree + 1) * (degree + 1) - 1); ++i) {
      if (level == 0) bytes.put(float(i));
      if (level == 1) bytes.put(uint16_t(0x3c00 + i));  // 1 + i / 1024
      if (level == 2) bytes.put(uint8_t(i));
    }
  }
};

TEST(ReadKsplat, EveryValueLandsInItsPlace) {
  for (const uint16_t level : {0, 1, 2}) {
    SCOPED_TRACE(level);
    const std::string bytes = Golden{.level = level}.bytes();
    EXPECT_TRUE(looks_like_ksplat(bytes, bytes.size()));
    const auto file = read_bytes(read_ksplat, bytes);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->format, "KSPLAT version 0.1 (compression level " + std::to_string(level) + ")");
    const Gaussians& model = file->gaussians;
    ASSERT_EQ(model.size(), 3u);
    ASSERT_EQ(model.sh_degree, 2);
    if (level == 0)
      EXPECT_EQ(model.means, (std::vector<float>{0, 2, -3, 1, 2, -3, 2, 2, -3}));
    else
      expect_near<double>(model.means, {1, -2, 7, 2, -2, 7, -10 + 2, -4, 14}, 1e-5);
    const double scale[3] = {0.5, 1.0, 0.25}, rgb[3] = {1.0, 0.0, 0.2};
    for (size_t row = 0; row < 3; ++row) {
      for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(std::exp(model.log_scales[3 * row + c]), scale[c], 1e-6);
        EXPECT_NEAR(rgb_of(model.sh[27 * row + c]), rgb[c], 1e-6);
      }
      EXPECT_NEAR(sigmoid_of(model.logit_opacities[row]), 0.8, 1e-6);
      EXPECT_EQ((std::vector<float>{model.quats.begin() + 4 * long(row), model.quats.begin() + 4 * long(row) + 4}),
                (std::vector<float>{1, 0, 0, -1}));
      // Band by band, channel by channel: nine values of degree 1, then fifteen of degree 2.
      const auto stored = [&](int i) {
        return level == 0 ? double(i) : level == 1 ? 1 + i / 1024.0 : -2 + 4 * i / 255.0;
      };
      for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(model.sh[27 * row + size_t(3 * (1 + k) + c)], stored(3 * c + k), 1e-6);
        for (int k = 0; k < 5; ++k)
          EXPECT_NEAR(model.sh[27 * row + size_t(3 * (4 + k) + c)], stored(9 + 5 * c + k), 1e-6);
      }
    }
  }
}

TEST(ReadKsplat, TruncationsAndLiesAreRefused) {
  for (const uint16_t level : {0, 1, 2}) {
    const std::string whole = Golden{.level = level, .degree = 1}.bytes();
    expect_truncations_refused(read_ksplat, whole);
  }
  expect_sentence(read_bytes(read_ksplat, Golden{.level = 3}.bytes()), {"level 3"});
  expect_sentence(read_bytes(read_ksplat, Golden{.degree = 3}.bytes()), {"degree 3"});
  expect_sentence(read_bytes(read_ksplat, Golden{.sections = 1u << 31}.bytes()), {"sections do not fit"});
  expect_sentence(read_bytes(read_ksplat, Golden{.splats = 1u << 31}.bytes()), {"ends inside section 0"});
  Bytes bytes = Golden{.level = 1}.bytes();
  expect_sentence(read_bytes(read_ksplat, bytes.put_at(5120, 0u)), {"buckets hold fewer"});
  bytes = Golden{.level = 1}.bytes();
  expect_sentence(read_bytes(read_ksplat, bytes.put_at(4096 + 32, 7u)), {"buckets that make no sense"});
  bytes = Golden{}.bytes();
  expect_sentence(read_bytes(read_ksplat, bytes.put_at(1, uint8_t(0))), {"version 0.0"});
}

TEST(LooksLikeKsplat, OtherFilesDoNot) {
  EXPECT_FALSE(looks_like_ksplat("", 0));
  EXPECT_FALSE(looks_like_ksplat(std::string(8192, '\0'), 8192));
  EXPECT_FALSE(looks_like_ksplat(std::string(8192, '\1'), 8192));
  const std::string bytes = Golden{}.bytes();
  EXPECT_FALSE(looks_like_ksplat(bytes, bytes.size() - 1));
}

}  // namespace
}  // namespace io::test
