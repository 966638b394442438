// .splat: 32 bytes a splat.
#include "io/splats/splat32/splat32.h"

#include <gtest/gtest.h>

#include "io/bytes.h"
#include "io/io.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::Gaussians;
using splat::test::TempFolder;

Bytes golden_record(float x) {
  Bytes bytes;
  bytes.put_all<float>({x, 2, -3, 0.5f, 1, 0.25f});
  return static_cast<Bytes&>(bytes.put_all<uint8_t>({255, 0, 51, 204, 128 + 64, 128, 128, 128 - 64}));
}

TEST(ReadSplat32, EveryValueLandsInItsPlace) {
  const auto file = read_bytes(read_splat32, golden_record(1) + golden_record(7));
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Gaussians& model = file->gaussians;
  ASSERT_EQ(model.size(), 2u);
  EXPECT_EQ(model.sh_degree, 0);
  EXPECT_EQ(file->kind, SplatFormat::kSplat);
  EXPECT_EQ(model.means, (std::vector<float>{1, 2, -3, 7, 2, -3}));
  expect_near<double>({model.log_scales.begin() + 3, model.log_scales.end()}, {std::log(0.5), 0, std::log(0.25)}, 1e-6);
  EXPECT_NEAR(rgb_of(model.sh[0]), 1, 1e-6);
  EXPECT_NEAR(rgb_of(model.sh[1]), 0, 1e-6);
  EXPECT_NEAR(rgb_of(model.sh[2]), 0.2, 1e-6);
  EXPECT_NEAR(sigmoid_of(model.logit_opacities[0]), 0.8, 1e-6);
  expect_near<double>({model.quats.begin(), model.quats.begin() + 4}, {std::sqrt(0.5), 0, 0, -std::sqrt(0.5)}, 1e-6);
  EXPECT_TRUE(file->warnings.empty());
}

TEST(ReadSplat32, OtherSizesAreRefused) {
  const std::string bytes = golden_record(1);
  for (const size_t size : {size_t(1), size_t(31), size_t(33)})
    expect_sentence(read_bytes(read_splat32, (bytes + bytes).substr(0, size)), {"golden", "multiple of 32"});
  const auto negative = read_bytes(read_splat32, bytes + bytes + std::string(bytes).replace(12, 4, "\0\0\x80\xbf", 4));
  EXPECT_EQ(negative->invalid_rows, 1u);  // a scale below 0
}

TEST(ReadSplat32, BytesThatCouldBeNoSplatsAreRefused) {
  const std::string good = golden_record(1);
  for (const std::string& bytes :
       {std::string(96, '0'), std::string(64, '\0'), std::string(64, 'a'),
        std::string(good).replace(0, 4, "\xff\xff\x7f\x7f"), good.substr(0, 28) + "\xff\xff\xff\xff"})
    expect_sentence(read_bytes(read_splat32, bytes), {"does not look like splats"});
  const auto some = read_bytes(read_splat32, good + good + std::string(32, '0'));
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_TRUE(mentions(some->warnings, "1 of 3 splats"));
}

TEST(WriteSplat32, RoundTripKeepsToTheSteps) {
  const TempFolder folder;
  Gaussians model = random_model(40000, 0, 3);
  for (float& value : model.sh) value *= 0.5f;
  const auto report = write_splat_file(folder.path() / "m.splat", model);
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto file = read_splat_file(folder.path() / "m.splat");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Gaussians& read = file->gaussians;
  ASSERT_EQ(read.size(), model.size());
  const std::vector<size_t> row = match_by_position(model, read);
  double last = 1e30;
  for (size_t i = 0; i < read.size(); ++i) {
    const size_t j = row[i];
    double size = 0;
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(read.means[3 * i + c], model.means[3 * j + c]);
      ASSERT_NEAR(read.log_scales[3 * i + c], model.log_scales[3 * j + c], 1e-5);
      ASSERT_NEAR(rgb_of(read.sh[3 * i + c]), std::clamp(rgb_of(model.sh[3 * j + c]), 0.0, 1.0), 1 / 510.0 + 1e-6);
      size += model.log_scales[3 * j + c];
    }
    const double opacity = sigmoid_of(model.logit_opacities[j]);
    ASSERT_NEAR(sigmoid_of(read.logit_opacities[i]), opacity, 1 / 510.0 + 1e-6);
    ASSERT_LT(angle_between(read.quats.data() + 4 * i, model.quats.data() + 4 * j), 0.02);
    ASSERT_LE(std::exp(size) * opacity, last * 1.0001);  // the most important first
    last = std::exp(size) * opacity;
  }
}

TEST(WriteSplat32, WhatTheFormatCannotSayIsTold) {
  const TempFolder folder;
  const auto report = write_splat_file(folder.path() / "m.splat", random_model(2, 1, 3),
                                       {.antialiased = true, .view_up = {{0, 0, 1}}, .flat = true});
  ASSERT_TRUE(report.ok());
  for (const char* part : {"antialiased", "up", "2D"}) EXPECT_TRUE(mentions(report->losses, part)) << part;
}

}  // namespace
}  // namespace io::test
