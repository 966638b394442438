// SPZ, versions 1 to 4.
#include "io/splats/spz/spz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/bytes.h"
#include "io/io.h"
#include "splat/math/quat.h"
#include "splat/math/sh.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::Gaussians;
using splat::test::TempFolder;

// Two splats, put together by the layout.
struct Golden {
  uint32_t version = 3;
  int degree = 1;
  uint8_t flags = 0;
  uint32_t count = 2;
  uint8_t fractional_bits = 12;
  std::string extensions{};
  std::vector<Bytes> more{};  // streams of version 4

  Bytes header(uint8_t last) const {
    Bytes bytes;
    bytes.put(0x5053474eu).put(version).put(count);
    return static_cast<Bytes&>(bytes.put_all<uint8_t>({uint8_t(degree), fractional_bits, flags, last}));
  }
  std::vector<Bytes> streams() const {
    std::vector<Bytes> streams(6);
    if (version == 1) {
      streams[0].put_all<uint16_t>({0x3c00, 0xc000, 0x3800, 0x3c00, 0xc000, 0x3800});  // 1, -2, 0.5 as half floats
    } else {
      for (int row = 0; row < 2; ++row)
        for (const int32_t fixed : {4096, -8192, 2048})
          streams[0].put(uint8_t(fixed)).put(uint8_t(fixed >> 8)).put(uint8_t(fixed >> 16));
    }
    streams[1].put_all<uint8_t>({0, 204});
    streams[2].put_all<uint8_t>({127, 255, 0, 128, 128, 128});
    streams[3].put_all<uint8_t>({0, 160, 255, 80, 80, 80});
    if (version < 3) {
      streams[4].put_all<uint8_t>({255, 128, 128, 128, 128, 64});
    } else {  // largest w: x, y, z follow; largest y: x, z, w
      streams[4].put(3u << 30 | 511u << 20 | 0u << 10 | (512u | 100u)).put(1u << 30 | 0u << 20 | 0u << 10 | 511u);
    }
    for (int row = 0; row < 2; ++row)
      for (int i = 0; i < 3 * ((degree + 1) * (degree + 1) - 1); ++i) streams[5].put(uint8_t(128 + i + 10 * row));
    return streams;
  }
  std::string unpacked() const {
    std::string bytes = header(0);
    for (const Bytes& stream : streams()) bytes += stream;
    return bytes + extensions;
  }
  Bytes bytes() const {
    if (version < 4) return Bytes(stored_gzip(unpacked()).c_str(), stored_gzip(unpacked()).size());
    Bytes toc, packed;
    uint8_t count_of_streams = 0;
    std::vector<Bytes> all = streams();
    all.insert(all.end(), more.begin(), more.end());
    for (const Bytes& stream : all) {
      if (stream.empty()) continue;
      const std::string frame = stored_zstd(stream);
      toc.put(uint64_t(frame.size())).put(uint64_t(stream.size()));
      packed += frame;
      ++count_of_streams;
    }
    Bytes bytes = header(count_of_streams);
    bytes.put(uint32_t(32 + extensions.size())).pad_to(32);
    bytes += extensions + toc + packed;
    return bytes;
  }
};

std::string frame_extension(uint32_t frame) {
  Bytes bytes;
  bytes.put(0x12340001u).put(3u);  // another vendor's first
  bytes += "abc";
  return bytes.put(0xadbe0003u).put(4u).put(frame);
}

TEST(ReadSpz, EveryValueLandsInItsPlace) {
  for (uint32_t version = 1; version <= 4; ++version) {
    SCOPED_TRACE(version);
    const auto file = read_bytes(read_spz, Golden{.version = version}.bytes());
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->format, "SPZ version " + std::to_string(version));
    EXPECT_EQ(file->kind, SplatFormat::kSpz);
    EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
    const Gaussians& model = file->gaussians;
    ASSERT_EQ(model.size(), 2u);
    ASSERT_EQ(model.sh_degree, 1);
    EXPECT_EQ(model.means, (std::vector<float>{1, 2, -0.5f, 1, 2, -0.5f}));  // y and z negated
    EXPECT_LT(sigmoid_of(model.logit_opacities[0]), 0.5 / 255);
    EXPECT_NEAR(sigmoid_of(model.logit_opacities[1]), 0.8, 1e-6);
    const auto colour = [](int byte) { return (byte / 255.0 - 0.5) / 0.15; };
    EXPECT_NEAR(model.sh[0], colour(127), 1e-5);
    EXPECT_NEAR(model.sh[1], colour(255), 1e-5);
    EXPECT_NEAR(model.sh[2], colour(0), 1e-5);
    EXPECT_EQ(model.log_scales, (std::vector<float>{-10, 0, 255 / 16.0f - 10, -5, -5, -5}));
    if (version < 3) {
      const double x = 1, yz = 128 / 127.5 - 1, z = 64 / 127.5 - 1;
      expect_near<double>(model.quats, {0, x, -yz, -yz, std::sqrt(1 - 2 * yz * yz - z * z), yz, -yz, -z}, 1e-5);
    } else {
      const double z = 100 / 511.0 * std::sqrt(0.5);
      expect_near<double>(model.quats,
                          {std::sqrt(0.5 - z * z), std::sqrt(0.5), 0, z, std::sqrt(0.5), 0, -std::sqrt(0.5), 0}, 1e-5);
    }
    for (size_t row = 0; row < 2; ++row)
      for (size_t k = 0; k < 3; ++k)  // coefficient-major; those in y and z change sign, that in x does not
        for (size_t c = 0; c < 3; ++c)
          EXPECT_FLOAT_EQ(model.sh[12 * row + 3 * (k + 1) + c], (k == 2 ? 1 : -1) * float(3 * k + c + 10 * row) / 128);
  }
}

TEST(ReadSpz, FlagsAndDegrees) {
  for (const uint32_t version : {2u, 3u, 4u})
    for (int degree = 0; degree <= 4; ++degree) {
      const auto file = read_bytes(read_spz, Golden{.version = version, .degree = degree, .flags = 1}.bytes());
      ASSERT_TRUE(file.ok()) << file.error().message;
      EXPECT_TRUE(file->antialiased);
      EXPECT_EQ(file->stored_sh_degree, degree);
      EXPECT_EQ(file->gaussians.sh_degree, std::min(degree, 3));
      EXPECT_EQ(mentions(file->warnings, "degree 4 are reduced"), degree == 4);
      if (degree == 4) {  // the last that is kept, row 1
        EXPECT_FLOAT_EQ(file->gaussians.sh[48 + 47], (44 + 10) / 128.0f);
      }
    }
}

TEST(ReadSpz, ADeclaredFrameIsFollowed) {
  for (const uint32_t version : {3u, 4u}) {
    const auto read = [&](uint32_t frame) {
      return *read_bytes(read_spz,
                         Golden{.version = version, .flags = 2, .extensions = frame_extension(frame)}.bytes());
    };
    const Gaussians usual = read_bytes(read_spz, Golden{.version = version}.bytes())->gaussians;
    EXPECT_EQ(read(4).gaussians.means, usual.means);  // RUB, the usual one
    EXPECT_EQ(read(4).unread, (std::vector<std::string>{"the extension 0x12340001"}));
    const Gaussians ours = read(6).gaussians;  // RDF: as it stands in the file
    EXPECT_EQ(ours.means, (std::vector<float>{1, -2, 0.5f, 1, -2, 0.5f}));
    EXPECT_FLOAT_EQ(ours.quats[3], -usual.quats[3]);
    EXPECT_FLOAT_EQ(ours.sh[3 + 1], -usual.sh[3 + 1]);
    EXPECT_FLOAT_EQ(ours.sh[9 + 1], usual.sh[9 + 1]);
    const Gaussians mirrored = read(5).gaussians;  // LDF: x alone
    EXPECT_EQ(mirrored.means, (std::vector<float>{-1, -2, 0.5f, -1, -2, 0.5f}));
    EXPECT_FLOAT_EQ(mirrored.sh[9 + 1], -usual.sh[9 + 1]);
    EXPECT_EQ(read(0).gaussians.means, usual.means);
    EXPECT_TRUE(mentions(read(99).warnings, "frame that hipsplat does not know (99)"));
    EXPECT_EQ(read(99).gaussians.means, usual.means);
  }
}

// Frames with y and z swapped, as the reference library writes them from a model that is RDF: first turned by 90
// degrees about x, (x, y, z) -> (x, -z, y), which gives RBD, then with changed signs.
TEST(ReadSpz, SwappedFramesAreTurnedBack) {
  struct Swapped {
    uint32_t frame;
    std::array<float, 3> sign;  // behind the turn
  };
  for (const Swapped& swapped : {Swapped{14, {1, 1, 1}},      // RBD
                                 Swapped{12, {1, -1, -1}},    // RFU
                                 Swapped{13, {-1, 1, 1}},     // LBD
                                 Swapped{11, {-1, -1, -1}},   // LFU
                                 Swapped{10, {1, 1, -1}}}) {  // RFD
    SCOPED_TRACE(swapped.frame);
    const Golden golden{.version = 4, .flags = 2, .extensions = frame_extension(swapped.frame)};
    const auto file = read_bytes(read_spz, golden.bytes());
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_TRUE(file->warnings.empty());
    const Gaussians& model = file->gaussians;
    const float x = model.means[0], y = model.means[1], z = model.means[2];
    const auto& sign = swapped.sign;
    EXPECT_EQ((std::array<float, 3>{sign[0] * x, sign[1] * -z, sign[2] * y}), (std::array<float, 3>{1, -2, 0.5f}));
    // What is seen: the covariance and the colour from a direction, taken there by the same signed permutation.
    Gaussians stored = read_bytes(read_spz, Golden{.version = 4, .flags = 2, .extensions = frame_extension(6)}.bytes())
                           ->gaussians;  // as it stands in the file
    const auto there = [&](const std::array<double, 3>& v) {
      return std::array<double, 3>{sign[0] * v[0], sign[1] * -v[2], sign[2] * v[1]};
    };
    const std::array<double, 3> direction{0.48, 0.6, 0.64}, turned = there(direction);
    const auto radius = [](const Gaussians& m, const std::array<double, 3>& d) {  // of the covariance, squared
      const auto rotation =
          splat::math::rotation_from_quat(splat::math::Quat<double>{m.quats[0], m.quats[1], m.quats[2], m.quats[3]});
      double sum = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        double dot = 0;
        for (size_t r = 0; r < 3; ++r) dot += rotation.m[r][axis] * d[r];
        sum += dot * dot * std::exp(2.0 * m.log_scales[axis]);
      }
      return sum;
    };
    EXPECT_NEAR(radius(model, direction) / radius(stored, turned), 1, 1e-4);
    const auto red = [](const Gaussians& m, const std::array<double, 3>& d) {
      double basis[16], sum = 0;
      splat::math::sh_basis(1, {d[0], d[1], d[2]}, basis);
      for (size_t k = 0; k < 4; ++k) sum += basis[k] * m.sh[3 * k];
      return sum;
    };
    EXPECT_NEAR(red(model, direction), red(stored, turned), 1e-5);
  }
}

// As Spark's build-lod writes them: behind the streams how many children each splat has, and the first of them; all
// opacities halved. The second of the two splats is the leaf of the first.
TEST(ReadSpz, OfLevelsOfDetailTheFinestIsRead) {
  const Bytes counts = Bytes().put_all<uint16_t>({1, 0}), starts = Bytes().put_all<uint32_t>({1, 0});
  const auto check = [](const Golden& golden, const splat::Result<SplatFile>& file) {
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_TRUE(mentions(file->warnings, "levels of detail (Spark's)"));
    EXPECT_TRUE(mentions(file->warnings, "1 merged one"));
    EXPECT_EQ(file->warnings.size(), 1u) << file->warnings.back();
    ASSERT_EQ(file->gaussians.size(), 1u);
    EXPECT_NEAR(sigmoid_of(file->gaussians.logit_opacities[0]), 1, 2e-3);  // 204 of 127.5
    const Gaussians plain = read_bytes(read_spz, Golden{.version = golden.version}.bytes())->gaussians;
    EXPECT_EQ(file->gaussians.log_scales, std::vector<float>(plain.log_scales.begin() + 3, plain.log_scales.end()));
  };
  for (const uint32_t version : {1u, 2u, 3u}) {
    const Golden golden{.version = version, .flags = 0x80, .extensions = counts + starts};
    check(golden, read_bytes(read_spz, golden.bytes()));
    expect_truncations_refused(read_spz, golden.bytes());
    const Golden both{.version = version, .flags = 0x82, .extensions = counts + starts + frame_extension(6)};
    const auto turned = read_bytes(read_spz, both.bytes());
    ASSERT_TRUE(turned.ok());
    EXPECT_EQ(turned->gaussians.means, (std::vector<float>{1, -2, 0.5f})) << "the frame behind the levels is read";
  }
  const Golden fourth{.version = 4, .flags = 0x80, .more = {counts, starts}};
  check(fourth, read_bytes(read_spz, fourth.bytes()));
  expect_sentence(read_bytes(read_spz, Golden{.version = 4, .flags = 0x80}.bytes()), {"no stream for the levels"});
  const std::string unpacked = Golden{.version = 3, .flags = 0x80, .extensions = counts + starts}.unpacked();
  const auto plain = read_bytes(read_spz, unpacked);
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_EQ(plain->gaussians.size(), 1u);
  expect_sentence(read_bytes(read_spz, unpacked.substr(0, unpacked.size() - 1)), {"ends inside the levels of detail"});
  const Bytes none = Bytes().put_all<uint16_t>({1, 1}).put_all<uint32_t>({0, 1});
  expect_sentence(read_bytes(read_spz, Golden{.version = 3, .flags = 0x80, .extensions = none}.bytes()),
                  {"every splat has children"});
}

TEST(ReadSpz, HalvedOpacitiesAreDoubled) {
  const Bytes levels = Bytes().put_all<uint16_t>({0, 0}).put_all<uint32_t>({0, 0});
  std::string bytes = Golden{.version = 3, .flags = 0x80, .extensions = levels}.unpacked();
  bytes[16 + 18] = 64, bytes[16 + 19] = 127;
  const auto file = read_bytes(read_spz, stored_gzip(bytes));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_NEAR(sigmoid_of(file->gaussians.logit_opacities[0]), 128 / 255.0, 1e-6);
  EXPECT_NEAR(sigmoid_of(file->gaussians.logit_opacities[1]), 254 / 255.0, 1e-6);
}

TEST(ReadSpz, WhatIsNotKnownOfAFileIsSaid) {
  const auto warnings = [](const std::string& bytes) {
    const auto file = read_bytes(read_spz, bytes);
    EXPECT_TRUE(file.ok()) << file.error().message;
    return file ? file->warnings : std::vector<std::string>();
  };
  for (const uint32_t version : {2u, 3u, 4u}) {
    EXPECT_TRUE(warnings(Golden{.version = version}.bytes()).empty());
    const auto flags = warnings(Golden{.version = version, .flags = 0x45}.bytes());
    EXPECT_TRUE(mentions(flags, "flags that hipsplat does not know (0x44)"));
    EXPECT_TRUE(mentions(warnings(Golden{.version = version}.bytes() + "abc"), "the last 3 bytes"));
  }
  EXPECT_TRUE(mentions(warnings(Golden{.version = 3, .extensions = "ab"}.bytes()), "the last 2 bytes"));
  EXPECT_TRUE(mentions(warnings(Golden{.version = 3, .extensions = "a"}.unpacked()), "the last 1 byte"));
  EXPECT_TRUE(mentions(warnings(Golden{.version = 4, .more = {Bytes("abcd")}}.bytes()), "behind the last splat"));
  std::string reserved = Golden{.version = 3}.unpacked();
  reserved[15] = 3;
  EXPECT_TRUE(mentions(warnings(stored_gzip(reserved)), "the last byte of the header is 3"));
}

TEST(ReadSpz, TwoMembersOfGzip) {
  const std::string whole = Golden{.version = 3}.unpacked();
  const auto file = read_bytes(read_spz, stored_gzip(whole.substr(0, 40)) + stored_gzip(whole.substr(40)));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.sh, read_bytes(read_spz, stored_gzip(whole))->gaussians.sh);
  EXPECT_TRUE(file->warnings.empty());
}

TEST(ReadSpz, TruncationsAreRefused) {
  for (const uint32_t version : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(version);
    expect_truncations_refused(read_spz, Golden{.version = version}.bytes());
    expect_truncations_refused(read_spz, Golden{.version = version, .degree = 0}.bytes());
  }
}

TEST(ReadSpz, LiesAreRefused) {
  for (const uint32_t version : {3u, 4u})
    for (const uint32_t count : {3u, 1000000u, 0xffffffffu})
      expect_sentence(read_bytes(read_spz, Golden{.version = version, .count = count}.bytes()), {"golden"});
  expect_sentence(read_bytes(read_spz, Golden{.version = 3, .degree = 5}.bytes()), {"degree 5"});
  expect_sentence(read_bytes(read_spz, Golden{.version = 3, .fractional_bits = 99}.bytes()), {"99 fractional bits"});
  Golden future{.version = 4};
  Bytes bytes = future.bytes();
  bytes.put_at(4, 9u);
  expect_sentence(read_bytes(read_spz, bytes), {"version 9"});
  bytes = future.bytes();
  expect_sentence(read_bytes(read_spz, bytes.put_at(16, 1u << 30)), {"table of contents"});
  bytes = future.bytes();
  expect_sentence(read_bytes(read_spz, bytes.put_at(32, ~uint64_t(0))), {"ends inside the positions"});
  bytes = future.bytes();
  expect_sentence(read_bytes(read_spz, bytes.put_at(40, uint64_t(19))), {"the positions take 19 bytes"});
  bytes = future.bytes();
  expect_sentence(read_bytes(read_spz, bytes.put_at(15, uint8_t(2))), {"no stream for the colours"});
  std::string damaged = Golden{.version = 3}.bytes();
  damaged[40] = char(damaged[40] + 1);  // the checksum finds it
  expect_sentence(read_bytes(read_spz, damaged), {"corrupt"});
  expect_sentence(read_bytes(read_spz, stored_gzip("something else entirely")), {"no SPZ file"});
  expect_sentence(read_bytes(read_spz, stored_gzip(Golden{.version = 4}.unpacked())), {"version 4 packed by gzip"});
}

TEST(ReadSpz, DataThatAreNotPackedAreReadWithAWord) {
  const auto file = read_bytes(read_spz, Golden{.version = 3}.unpacked());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.means, read_bytes(read_spz, Golden{.version = 3}.bytes())->gaussians.means);
  EXPECT_TRUE(mentions(file->warnings, "not packed by gzip"));
  expect_truncations_refused(read_spz, Golden{.version = 2}.unpacked());
}

class WriteSpz : public testing::TestWithParam<int> {};

TEST_P(WriteSpz, RoundTripKeepsToTheSteps) {
  const TempFolder folder;
  for (int degree = 0; degree <= 3; ++degree) {
    Gaussians model = random_model(66000, degree, uint64_t(degree) + 1);  // two blocks
    for (float& value : model.sh) value *= 0.3f;
    for (float& value : model.log_scales) value -= 3;
    const auto path = folder.path() / "m.spz";
    const auto report = write_splat_file(path, model, {.antialiased = degree == 1, .view_up = {{0, 1, 0}}},
                                         {.spz_version = GetParam()});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->written, model.size());
    EXPECT_TRUE(mentions(report->losses, "1/4096"));
    EXPECT_TRUE(mentions(report->losses, "up"));
    const auto file = read_splat_file(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->format, "SPZ version " + std::to_string(GetParam()));
    EXPECT_EQ(file->antialiased, degree == 1);
    EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
    const Gaussians& read = file->gaussians;
    ASSERT_EQ(read.sh_degree, degree);
    expect_near(read.means, model.means, 1 / 8192.0 + 1e-6);
    expect_near(read.log_scales, model.log_scales, 1 / 32.0 + 1e-5);
    const size_t width = size_t(model.coefficients()) * 3;
    for (size_t i = 0; i < read.size(); ++i) {
      ASSERT_NEAR(sigmoid_of(read.logit_opacities[i]), sigmoid_of(model.logit_opacities[i]), 1 / 510.0 + 1e-6);
      ASSERT_LT(angle_between(read.quats.data() + 4 * i, model.quats.data() + 4 * i), kMaxSmallestThreeAngle);
      for (size_t k = 0; k < width; ++k) {
        const double bound = k < 3 ? 0.5 / (0.15 * 255) : k < 12 ? 4.5 / 128 : 8.5 / 128;
        const double stored =
            k < 3 ? model.sh[width * i + k] : std::clamp(double(model.sh[width * i + k]), -1.0, 127 / 128.0);
        ASSERT_NEAR(read.sh[width * i + k], stored, bound + 1e-5) << k;
      }
    }
  }
}

TEST_P(WriteSpz, WhatWasReadIsWrittenTheSame) {  // quantising twice changes nothing more
  const TempFolder folder;
  const SplatWriteOptions options{.spz_version = GetParam()};
  ASSERT_TRUE(write_spz(folder.path() / "a.spz", random_model(5000, 3, 4), {}, options).ok());
  const auto first = read_splat_file(folder.path() / "a.spz");
  ASSERT_TRUE(first.ok()) << first.error().message;
  ASSERT_TRUE(write_spz(folder.path() / "b.spz", first->gaussians, {}, options).ok());
  const auto second = read_splat_file(folder.path() / "b.spz");
  EXPECT_EQ(second->gaussians.means, first->gaussians.means);
  EXPECT_EQ(second->gaussians.log_scales, first->gaussians.log_scales);
  EXPECT_EQ(second->gaussians.logit_opacities, first->gaussians.logit_opacities);
  EXPECT_EQ(second->gaussians.sh, first->gaussians.sh);
}

TEST_P(WriteSpz, BytesDoNotDependOnThreads) {
  const TempFolder folder;
  const Gaussians model = random_model(150000, 1, 5);
  for (const int threads : {1, 3}) {
    const SplatWriteOptions options{.spz_version = GetParam(), .threads = threads};
    ASSERT_TRUE(write_spz(folder.path() / std::to_string(threads), model, {}, options).ok());
  }
  EXPECT_TRUE(*read_file(folder.path() / "1") == *read_file(folder.path() / "3"));
}

TEST_P(WriteSpz, LargeScenesGetCoarserSteps) {
  const TempFolder folder;
  Gaussians model = random_model(4000, 0, 5);
  for (float& value : model.means) value *= 5000;
  model.means[0] = 1e9f;
  const auto report = write_spz(folder.path() / "m.spz", model, {}, {.spz_version = GetParam()});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(mentions(report->losses, "large for SPZ"));
  EXPECT_TRUE(mentions(report->losses, "1 splat farther"));
  const auto file = read_splat_file(folder.path() / "m.spz");
  ASSERT_TRUE(file.ok());
  for (size_t i = 3; i < model.means.size(); ++i)
    ASSERT_NEAR(file->gaussians.means[i], model.means[i], 1 / 256.0 + 1e-2);
  for (float& value : model.means) value *= 1000;
  const auto larger = write_spz(folder.path() / "l.spz", model, {}, {.spz_version = GetParam()});
  ASSERT_TRUE(larger.ok());
  EXPECT_TRUE(mentions(larger->losses, "rounded to whole units"));
}

// A ring in metres: finer steps, as the format's header says, where those of others would be coarser than the splats.
TEST_P(WriteSpz, SmallScenesGetFinerSteps) {
  const TempFolder folder;
  const SplatWriteOptions options{.spz_version = GetParam()};
  for (const float size : {0.5f, 0.05f, 0.004f, 0.001f})
    for (const float away : {0.0f, 3.0f}) {
      Gaussians model = random_model(3000, 0, 5);
      for (float& value : model.means) value *= size / 5;
      for (size_t i = 0; i < model.means.size(); i += 3) model.means[i] += away;
      for (float& value : model.log_scales) value = std::log(size / 80) + 0.3f * value;
      const auto report = write_spz(folder.path() / "m.spz", model, {}, options);
      ASSERT_TRUE(report.ok()) << report.error().message;
      const auto file = read_splat_file(folder.path() / "m.spz");
      ASSERT_TRUE(file.ok()) << file.error().message;
      const double step = std::max(size / 4096.0, away > 0 ? 1 / double(1 << 21) : 0.0);
      expect_near(file->gaussians.means, model.means, step / 2 + 1e-7);
      EXPECT_EQ(mentions(report->losses, "small for SPZ"), away > 0 && size < 0.002f) << size;
    }
}

TEST_P(WriteSpz, WhatItsSizesCannotHoldIsRefused) {
  const TempFolder folder;
  for (const float scale : {1e-5f, 1e5f}) {
    Gaussians model = random_model(300, 0, 5);
    for (float& value : model.means) value *= scale;
    for (float& value : model.log_scales) value = std::log(scale / 50) + 0.3f * value;
    const auto report = write_spz(folder.path() / "m.spz", model, {}, {.spz_version = GetParam()});
    expect_sentence(report, {"m.spz", scale < 1 ? "too small for SPZ" : "too large for SPZ", "--transform"});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

// It has no say in how fine the steps of all others are.
TEST_P(WriteSpz, AFewAbsurdPlacesCostNoPrecision) {
  const TempFolder folder;
  Gaussians model = random_model(100, 0, 5);
  for (float& value : model.means) value *= 0.3f;
  model.means[0] = 3e38f, model.means[3 * 7 + 1] = -1e9f;
  const auto report = write_spz(folder.path() / "m.spz", model, {}, {.spz_version = GetParam()});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(mentions(report->losses, "2 splats farther than"));
  const Gaussians read = read_splat_file(folder.path() / "m.spz")->gaussians;
  for (size_t i = 3; i < read.means.size(); ++i)
    ASSERT_NEAR(read.means[i], i == 22 ? read.means[i] : model.means[i], 1 / 8192.0 + 1e-6);
}

TEST_P(WriteSpz, NoSplatsAndBadRows) {
  const TempFolder folder;
  ASSERT_TRUE(write_spz(folder.path() / "none.spz", Gaussians{}, {}, {.spz_version = GetParam()}).ok());
  const auto none = read_splat_file(folder.path() / "none.spz");
  ASSERT_TRUE(none.ok()) << none.error().message;
  EXPECT_TRUE(mentions(none->warnings, "no splats"));
  Gaussians model = random_model(10, 3, 6);
  model.sh[48 * 4] = std::nanf("");
  model.logit_opacities[7] = INFINITY;
  std::fill_n(model.quats.begin() + 4, 4, 0.0f);
  const auto report = write_spz(folder.path() / "m.spz", model, {}, {.max_sh_degree = 1, .spz_version = GetParam()});
  EXPECT_EQ(report->dropped, 1u);
  const auto file = read_splat_file(folder.path() / "m.spz");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->gaussians.size(), 9u);
  EXPECT_EQ(file->gaussians.sh_degree, 1);
  EXPECT_EQ(file->invalid_rows, 0u);
}

INSTANTIATE_TEST_SUITE_P(Versions, WriteSpz, testing::Values(3, 4));

TEST(WriteSpzFile, OtherVersionsAreRefused) {
  const TempFolder folder;
  expect_sentence(write_spz(folder.path() / "m.spz", Gaussians{}, {}, {.spz_version = 2}), {"version 3 or 4", "2"});
}

// What no format's steps reach is counted, by kind, for every format that has an end.
TEST(WriteSplats, ValuesThatAreClampedAreCounted) {
  const TempFolder folder;
  Gaussians model = random_model(50, 1, 4);
  for (float& value : model.sh) value = std::clamp(value, -0.9f, 0.9f);
  for (float& value : model.log_scales) value = std::clamp(value, -9.0f, 4.0f);
  const auto losses_of = [&](const char* name) {
    const auto report = write_splat_file(folder.path() / name, model);
    EXPECT_TRUE(report.ok());
    return report->losses;
  };
  for (const char* name : {"a.spz", "a.compressed.ply", "a.splat", "a.sog", "a.glb", "a.ply"})
    EXPECT_FALSE(mentions(losses_of(name), "moved to that border")) << name;
  model.sh[0] = -9;                         // f_dc of splat 0
  model.sh[12] = 9;                         // and of splat 1
  model.sh[2 * 12 + 3] = -5;                // a higher band of splat 2
  model.log_scales[3 * 3] = -30;            // a size of splat 3
  model.log_scales[3 * 4 + 1] = -INFINITY;  // stands for no size at all
  const std::vector<std::string> spz = losses_of("b.spz");
  EXPECT_TRUE(mentions(spz, "colours of 2 splats lie beyond -3.33 to 3.33"));
  EXPECT_TRUE(mentions(spz, "spherical harmonics of 1 splat lie beyond -1 to 1"));
  EXPECT_TRUE(mentions(spz, "sizes of 1 splat lie beyond -10 to 5.94"));
  const std::vector<std::string> packed = losses_of("b.compressed.ply");
  EXPECT_FALSE(mentions(packed, "the colours of"));  // each chunk has bounds of its own
  EXPECT_TRUE(mentions(packed, "spherical harmonics of 1 splat lie beyond -4 to 4"));
  EXPECT_TRUE(mentions(packed, "sizes of 1 splat lie beyond -20 to 20"));
  EXPECT_TRUE(mentions(losses_of("b.splat"), "colours of 2 splats lie beyond -1.77 to 1.77"));
  for (const char* name : {"b.sog", "b.glb", "b.ply"})
    EXPECT_FALSE(mentions(losses_of(name), "moved to that border")) << name;
  model.sh[0] = 2e6f;
  EXPECT_TRUE(mentions(losses_of("c.sog"), "colours of 1 splat lie beyond"));
}

}  // namespace
}  // namespace io::test
