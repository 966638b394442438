// Splat PLYs of other programs: their names, colours, filters, lists, and what is not read.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "io/splats/ply/ply.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::Gaussians;

splat::Result<SplatFile> read(const GoldenPly& ply) { return parse_splat_ply(ply.bytes(), "s.ply"); }

void add_property(GoldenPly& ply, const std::string& name, const std::vector<double>& values,
                  const std::string& type = "float") {
  ply.types.resize(ply.properties.size(), "float");
  ply.types.push_back(type);
  ply.properties.push_back(name);
  for (size_t r = 0; r < ply.rows.size(); ++r) ply.rows[r].push_back(values[r]);
}

void erase_property(GoldenPly& ply, const std::string& name) {
  const auto index = std::find(ply.properties.begin(), ply.properties.end(), name) - ply.properties.begin();
  ply.properties.erase(ply.properties.begin() + index);
  if (!ply.types.empty()) ply.types.erase(ply.types.begin() + index);
  for (auto& row : ply.rows) row.erase(row.begin() + index);
}

void expect_same(const Gaussians& a, const Gaussians& b) {
  EXPECT_EQ(a.means, b.means);
  EXPECT_EQ(a.log_scales, b.log_scales);
  EXPECT_EQ(a.quats, b.quats);
  EXPECT_EQ(a.logit_opacities, b.logit_opacities);
  EXPECT_EQ(a.sh, b.sh);
}

TEST(PlyLayout, ColoursInPlaceOfCoefficients) {
  struct Written {
    const char* type;
    double most;
  };
  for (const Written& written :
       {Written{"uchar", 255}, Written{"float", 1}, Written{"ushort", 65535}, Written{"double", 255},
        Written{"float", 255}, Written{"ushort", 255}, Written{"int", 255}}) {
    GoldenPly ply = golden_splats(1, 2);
    for (const char* name : {"f_dc_0", "f_dc_1", "f_dc_2"}) erase_property(ply, name);
    add_property(ply, "red", {written.most, 0}, written.type);
    add_property(ply, "green", {0, 0.2 * written.most}, written.type);
    add_property(ply, "blue", {0.6 * written.most, written.most}, written.type);
    const auto file = read(ply);
    ASSERT_TRUE(file.ok()) << file.error().message;
    const Gaussians& model = file->gaussians;
    ASSERT_EQ(model.sh_degree, 1);
    const std::vector<double> expected{1, 0, 0.6, 0, 0.2, 1};
    for (size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(0.5 + 0.28209479177 * model.sh[(i / 3) * 12 + i % 3], expected[i], 1e-5) << written.type;
    const auto plain = read(golden_splats(1, 2));
    EXPECT_EQ(model.logit_opacities, plain->gaussians.logit_opacities);
    EXPECT_EQ(model.quats, plain->gaussians.quats);
    EXPECT_EQ(model.sh[3], plain->gaussians.sh[3]) << "the other bands are as they were";
    EXPECT_TRUE(file->unread.empty());
  }
}

TEST(PlyLayout, NamesOfCloudCompare) {
  const GoldenPly plain = golden_splats(2, 3);
  for (const std::string prefix : {"scalar_", "scal_", "scalar_scal_", "mixed"}) {
    GoldenPly ply = plain;
    for (size_t i = 3; i < ply.properties.size(); ++i)
      ply.properties[i] = (prefix != "mixed" ? prefix
                           : i % 3 == 0      ? ""
                           : i % 3 == 1      ? "scal_"
                                             : "scalar_scalar_") +
                          ply.properties[i];
    const auto file = read(ply);
    ASSERT_TRUE(file.ok()) << prefix << file.error().message;
    EXPECT_EQ(file->gaussians.sh_degree, 2);
    expect_same(file->gaussians, read(plain)->gaussians);
  }
}

TEST(PlyLayout, TheFilterOfMipSplattingIsFoldedIn) {
  GoldenPly ply = golden_splats(0, 2, [](size_t r, size_t p) {
    return p == 9 ? 0.5 : p >= 10 && p <= 12 ? std::log(0.01 * double(p - 9)) : p == 13 ? 1 : double(r);
  });
  add_property(ply, "filter_3D", {0.02, 0});
  const auto file = read(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  double before = 1, after = 1;
  for (size_t c = 0; c < 3; ++c) {
    const double scale = 0.01 * double(c + 1), wide = scale * scale + 0.02 * 0.02;
    before *= scale * scale, after *= wide;
    EXPECT_NEAR(std::exp(file->gaussians.log_scales[c]), std::sqrt(wide), 1e-7);
    EXPECT_NEAR(std::exp(file->gaussians.log_scales[3 + c]), scale, 1e-7) << "a filter of 0 changes nothing";
  }
  EXPECT_NEAR(sigmoid_of(file->gaussians.logit_opacities[0]), sigmoid_of(0.5f) * std::sqrt(before / after), 1e-6);
  EXPECT_FLOAT_EQ(file->gaussians.logit_opacities[1], 0.5f);
  EXPECT_TRUE(mentions(file->warnings, "filter_3D"));
  EXPECT_TRUE(file->unread.empty());
}

TEST(PlyLayout, AnIncompleteSplatFileSaysWhatItHasAndLacks) {
  GoldenPly colourless = golden_splats(0, 1);
  for (const char* name : {"f_dc_0", "f_dc_1", "f_dc_2"}) erase_property(colourless, name);
  expect_sentence(read(colourless), {"has opacity, scale_*, rot_*", "lacks the properties f_dc_0", "red, green, blue"});
  GoldenPly still = golden_splats(0, 1);
  erase_property(still, "opacity");
  expect_sentence(read(still), {"has f_dc_*, scale_*, rot_*", "lacks the properties opacity"});
}

TEST(PlyLayout, IncompleteSplatsAreNoPoints) {
  const splat::test::TempFolder folder;
  GoldenPly ply = golden_splats(0, 1);
  erase_property(ply, "opacity");
  add_property(ply, "red", {9}, "uchar");
  EXPECT_TRUE(ply_holds_splats(folder.write("splats.ply", ply.bytes())));
  GoldenPly points;
  points.properties = {"x", "y", "z", "scalar_opacity"};
  points.rows = {{1, 2, 3, 4}};
  EXPECT_FALSE(ply_holds_splats(folder.write("points.ply", points.bytes())));
}

TEST(PlyLayout, RelativesAreNamed) {
  GoldenPly anchors;
  anchors.properties = {"x", "y", "z", "f_offset_0", "f_anchor_feat_0", "opacity", "scale_0", "rot_0"};
  anchors.rows = {{1, 2, 3, 4, 5, 6, 7, 8}};
  expect_sentence(read(anchors), {"anchors", "Scaffold-GS"});
  const std::string codebook =
      "ply\nformat ascii 1.0\nelement vertex_0 1\nproperty float x\nelement codebook_centers 1\nproperty float "
      "f\nend_header\n1\n1\n";
  expect_sentence(parse_splat_ply(codebook, "s.ply"), {"reduced-3dgs", "codebook"});

  GoldenPly moving = golden_splats(0, 1);
  for (int i = 0; i < 9; ++i) add_property(moving, "motion_" + std::to_string(i), {0.1});
  add_property(moving, "trbf_center", {0.5});
  const auto file = read(moving);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->warnings.size(), 1u);
  EXPECT_TRUE(mentions(file->warnings, "motion_0"));
  EXPECT_TRUE(mentions(file->warnings, "move"));
  EXPECT_EQ(file->unread, (std::vector<std::string>{"motion_0 to motion_8", "trbf_center"}));
}

// SHARP writes elements behind its splats, three of which show that a file is its.
TEST(PlyLayout, SplatsOfSharpAreDrawnWithoutALowPass) {
  GoldenPly ply = golden_splats(0, 1);
  EXPECT_EQ(read(ply)->low_pass, splat::kUsualLowPass);
  for (const char* element : {"extrinsic", "intrinsic", "disparity"})
    ply.after.insert(ply.after.end(), {std::string("element ") + element + " 0", "property float value"});
  const auto file = read(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->low_pass, 0);
  EXPECT_TRUE(mentions(file->warnings, "SHARP"));
}

TEST(PlyLayout, WhatIsNotReadIsListed) {
  GoldenPly ply = golden_splats(0, 1);
  add_property(ply, "red", {1}, "uchar");
  add_property(ply, "rot_4", {1});
  ply.before = {"element sensor 1", "property uchar a", "element nothing 0", "property uchar b"};
  ply.data_before = "x";
  const auto file = read(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->unread, (std::vector<std::string>{"red", "rot_4", "the element 'sensor'"}));
  EXPECT_TRUE(read(golden_splats(3, 1))->unread.empty()) << "INRIA's normals are always 0";
}

TEST(PlyLayout, ListsBeforeTheSplatsAreWalkedOver) {
  const auto expected = read(golden_splats(0, 2));
  GoldenPly ply = golden_splats(0, 2);
  ply.before = {"element face 2",      "property uchar flags", "property list ushort int vertex_indices",
                "property float area", "element empty 0",      "property list uchar int more"};
  using namespace std::string_literals;
  ply.data_before = "f\x02\0abcdefgharea"s + "f\0\0area"s;
  const auto binary = read(ply);
  ASSERT_TRUE(binary.ok()) << binary.error().message;
  expect_same(binary->gaussians, expected->gaussians);
  ply.data_before[1] = '\xff', ply.data_before[2] = '\xff';
  expect_sentence(read(ply), {"'face'", "truncated"});
  ply.encoding = Encoding::kAscii;
  ply.data_before = "1 2 0 1 0.5\n1 0 0.5\n";
  const auto ascii = read(ply);
  ASSERT_TRUE(ascii.ok()) << ascii.error().message;
  expect_same(ascii->gaussians, expected->gaussians);
}

TEST(PlyLayout, RowsBeyondThePromisedOnesAreSaid) {
  GoldenPly ply = golden_splats(0, 2);
  ply.encoding = Encoding::kAscii;
  ply.data_after = "1 2 3\n";
  EXPECT_TRUE(mentions(read(ply)->warnings, "belong to no element"));
  ply.data_after = "\n \n";
  EXPECT_TRUE(read(ply)->warnings.empty());
}

TEST(PlyLayout, OddNumbersOfHarmonicsLeaveTheRest) {
  for (const int count : {1, 8, 10, 15, 46, 48, 75}) {
    GoldenPly ply = golden_splats(0, 1);
    for (int i = 0; i < count; ++i) add_property(ply, "f_rest_" + std::to_string(i), {7});
    const auto file = read(ply);
    ASSERT_TRUE(file.ok()) << file.error().message;
    expect_same(file->gaussians, read(golden_splats(0, 1))->gaussians);
    EXPECT_TRUE(mentions(file->warnings, std::to_string(count) + " f_rest")) << count;
    EXPECT_EQ(file->unread.empty(), false);
  }
  GoldenPly gap = golden_splats(1, 1);
  gap.properties[9] = "f_rest_9";
  EXPECT_TRUE(mentions(read(gap)->warnings, "lacks f_rest_0"));
}

// 200 rows: opacity, scale and f_dc by the row's share 0..1 of all.
std::vector<std::string> warnings_of(double opacity_low, double opacity_high, double scale_low, double scale_high,
                                     double colour_low, double colour_high) {
  const auto at = [](double low, double high, size_t row) { return low + (high - low) * double(row) / 199; };
  return read(golden_splats(0, 200,
                            [&](size_t row, size_t p) {
                              return p < 3                ? double((row * (7 + 6 * p)) % 200) / 50  // a box of 4
                                     : p == 9             ? at(opacity_low, opacity_high, row)
                                     : p >= 10 && p <= 12 ? at(scale_low, scale_high, row)
                                     : p >= 6 && p <= 8   ? at(colour_low, colour_high, row)
                                                          : 1.0;
                            }))
      ->warnings;
}

TEST(PlyLayout, GroupsThatAloneAreActivatedAreNamed) {
  EXPECT_TRUE(warnings_of(-3, 6, -7, -1, -1.5, 1.6).empty());
  EXPECT_TRUE(mentions(warnings_of(-3, 6, 0.001, 0.1, -1.5, 1.6), "--repair scale undoes it"));
  EXPECT_TRUE(mentions(warnings_of(-3, 6, -7, -1, 0.02, 0.97), "--repair colour undoes it"));
  EXPECT_TRUE(mentions(warnings_of(0, 255, -7, -1, -1.5, 1.6), "--repair opacity undoes it"));
  EXPECT_TRUE(mentions(warnings_of(0, 255, 0.001, 0.1, -1.5, 1.6), "--repair opacity,scale undoes it"));
  EXPECT_TRUE(warnings_of(0.5, 18, -7, -1, -1.5, 1.6).empty()) << "logits of what is rather opaque";
  EXPECT_TRUE(warnings_of(-3, 6, -7, -1, 0.3, 0.6).empty()) << "a light scene of few colours";
  EXPECT_TRUE(mentions(warnings_of(-3, 6, -7, -1, 0, 255), "f_dc reach from 0 to 255"));
  EXPECT_TRUE(mentions(warnings_of(-3, 6, -7, -1, 3, 40), "--repair colour undoes it")) << "a dark scene";
  EXPECT_TRUE(mentions(warnings_of(0, 255, 0.001, 0.1, 0, 255), "--repair opacity,scale,colour undoes it"));
  EXPECT_TRUE(warnings_of(-3, 6, -7, -1, 0, 6).empty()) << "a bright one";
}

}  // namespace
}  // namespace io::test
