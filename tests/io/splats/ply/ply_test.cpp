// Reading splats and point clouds from PLY files of every make.
#include "io/splats/ply/ply.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/bytes.h"
#include "io/read_watch.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;
using splat::PointCloud;
using splat::Result;

const fs::path& kSplats = kRealSplats;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result<SplatFile> parse(const GoldenPly& ply) { return parse_splat_ply(ply.bytes(), "s.ply"); }
Result<SplatFile> parse(const std::string& bytes) { return parse_splat_ply(bytes, "s.ply"); }

void expect_equal(const Gaussians& a, const Gaussians& b) {
  EXPECT_EQ(a.sh_degree, b.sh_degree);
  EXPECT_EQ(a.means, b.means);
  EXPECT_EQ(a.log_scales, b.log_scales);
  EXPECT_EQ(a.quats, b.quats);
  EXPECT_EQ(a.logit_opacities, b.logit_opacities);
  EXPECT_EQ(a.sh, b.sh);
}

TEST(ReadSplatPly, EveryValueLandsInItsPlace) {
  for (int degree = 0; degree <= 3; ++degree) {
    const auto file = parse(golden_splats(degree, 2));
    ASSERT_TRUE(file.ok()) << file.error().message;
    const Gaussians& model = file->gaussians;
    EXPECT_EQ(model.sh_degree, degree);
    ASSERT_EQ(model.size(), 2u);
    const int coefficients = model.coefficients(), rest = 3 * (coefficients - 1);
    for (int r = 0; r < 2; ++r) {
      const auto stored = [&](int p) { return float(r * 100 + p + 0.25); };
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(model.means[size_t(3 * r + i)], stored(i));
        EXPECT_EQ(model.log_scales[size_t(3 * r + i)], stored(9 + rest + 1 + i));
        for (int k = 0; k < coefficients; ++k)  // channel-major in the file, coefficient-major in memory
          EXPECT_EQ(model.sh[size_t((r * coefficients + k) * 3 + i)],
                    k == 0 ? stored(6 + i) : stored(9 + i * (coefficients - 1) + k - 1));
      }
      for (int i = 0; i < 4; ++i) EXPECT_EQ(model.quats[size_t(4 * r + i)], stored(9 + rest + 4 + i));
      EXPECT_EQ(model.logit_opacities[size_t(r)], stored(9 + rest));
    }
    EXPECT_EQ(file->format, "PLY (binary, little-endian)");
    EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
    EXPECT_EQ(file->invalid_rows, 0u);
    EXPECT_FALSE(file->antialiased);
  }
}

TEST(ReadSplatPly, EncodingsOrdersAndTypesAgree) {
  const GoldenPly plain = golden_splats(3, 3);
  const auto expected = parse(plain);
  ASSERT_TRUE(expected.ok());

  for (const Encoding encoding : {Encoding::kAscii, Encoding::kLittleEndian, Encoding::kBigEndian})
    for (const char* line_end : {"\n", "\r\n"})
      for (const char* type : {"float", "double", "float32"}) {
        GoldenPly ply = plain;
        ply.encoding = encoding;
        ply.line_end = line_end;
        ply.types.assign(ply.properties.size(), type);
        const auto file = parse(ply);
        ASSERT_TRUE(file.ok()) << file.error().message;
        expect_equal(file->gaussians, expected->gaussians);
      }

  GoldenPly reversed = plain;
  std::reverse(reversed.properties.begin(), reversed.properties.end());
  for (auto& row : reversed.rows) std::reverse(row.begin(), row.end());
  const auto reordered = parse(reversed);
  ASSERT_TRUE(reordered.ok());
  expect_equal(reordered->gaussians, expected->gaussians);
}

TEST(ReadSplatPly, UnknownPropertiesAndElementsAreSkipped) {
  const GoldenPly plain = golden_splats(1, 2);
  for (const Encoding encoding : {Encoding::kAscii, Encoding::kLittleEndian}) {
    GoldenPly ply = plain;
    ply.encoding = encoding;
    const bool ascii = encoding == Encoding::kAscii;
    ply.types.assign(ply.properties.size(), "float");
    ply.types.insert(ply.types.begin() + 4, "uchar");
    ply.properties.insert(ply.properties.begin() + 4, "red");
    for (auto& row : ply.rows) row.insert(row.begin() + 4, 200);
    ply.before = {"comment before", "obj_info more", "element sensor 2", "property ushort a", "property double b"};
    ply.data_before = ascii ? "1 2\n\n3 4.5\n" : std::string(20, 'x');
    ply.after = {"element face 1", "property list uchar int vertex_indices"};
    ply.data_after = ascii ? "3 0 1 2\n" : std::string("\x01\0\0\0\0", 5);
    const auto file = parse(ply);
    ASSERT_TRUE(file.ok()) << file.error().message;
    expect_equal(file->gaussians, parse(plain)->gaussians);
    EXPECT_TRUE(file->warnings.empty());
  }
}

TEST(ReadSplatPly, NormalsMayBeMissing) {
  GoldenPly ply = golden_splats(0, 2);
  for (int i = 0; i < 3; ++i) {
    ply.properties.erase(ply.properties.begin() + 3);
    for (auto& row : ply.rows) row.erase(row.begin() + 3);
  }
  const auto file = parse(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_equal(file->gaussians, parse(golden_splats(0, 2))->gaussians);
}

TEST(ReadSplatPly, FlatSplatsGetAThirdAxis) {
  GoldenPly ply = golden_splats(0, 2);
  const auto scale_2 = std::find(ply.properties.begin(), ply.properties.end(), "scale_2") - ply.properties.begin();
  ply.properties.erase(ply.properties.begin() + scale_2);
  for (auto& row : ply.rows) row.erase(row.begin() + scale_2);
  const auto file = parse(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_NEAR(std::exp(file->gaussians.log_scales[2]), 1e-6, 1e-12);
  EXPECT_NEAR(std::exp(file->gaussians.log_scales[5]), 1e-6, 1e-12);
  EXPECT_TRUE(mentions(file->warnings, "scale_2"));
}

TEST(ReadSplatPly, DegreeFourIsReduced) {
  GoldenPly ply = golden_splats(0, 1);
  for (int i = 0; i < 72; ++i) {
    ply.properties.push_back("f_rest_" + std::to_string(i));
    ply.rows[0].push_back(1000 + i);
  }
  const auto file = parse(ply);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.sh_degree, 3);
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t k = 1; k < 16; ++k) EXPECT_EQ(file->gaussians.sh[3 * k + channel], float(1000 + 24 * channel + k - 1));
  EXPECT_TRUE(mentions(file->warnings, "degree 4"));
}

TEST(ReadSplatPly, CommentsOfOtherTools) {
  const auto with = [](std::vector<std::string> comments) {
    GoldenPly ply = golden_splats(0, 1);
    ply.before = std::move(comments);
    return *parse(ply);
  };
  const SplatFile brush =
      with({"comment Exported from Brush", "comment Vertical axis: 0 0 -2", "comment SplatRenderMode: mip"});
  EXPECT_TRUE(brush.antialiased);
  EXPECT_EQ(brush.producer, "Brush");
  EXPECT_EQ(brush.view_up, (std::array<double, 3>{0, 0, -1}));
  EXPECT_FALSE(with({"comment SplatRenderMode: default"}).antialiased);
  EXPECT_TRUE(with({"comment antialiased 1"}).antialiased);
  EXPECT_FALSE(with({"comment antialiased 0"}).antialiased);
  EXPECT_EQ(with({"comment Generated by opensplat at iteration 2000"}).producer, "opensplat at iteration 2000");
  for (const char* open :
       {"comment Vertical axis: up", "comment Vertical axis: 0 0 0", "comment Vertical axis: nan 0 1"})
    EXPECT_FALSE(with({open}).view_up.has_value()) << open;
  EXPECT_EQ(with({"comment Generated by Nerfstudio 1.1.5", "comment Vertical Axis: z"}).view_up,
            (std::array<double, 3>{0, 0, 1}));
  EXPECT_EQ(with({"comment Vertical axis: -Y"}).view_up, (std::array<double, 3>{0, -1, 0}));
}

// Another program's file of doubles that lies far away is read relative to a place among its splats.
TEST(ReadSplatPly, FarDoublesLoseNothing) {
  for (const Encoding encoding : {Encoding::kAscii, Encoding::kLittleEndian}) {
    GoldenPly ply = golden_splats(0, 9);
    ply.encoding = encoding;
    ply.types.assign(ply.properties.size(), "float");
    for (size_t k = 0; k < 3; ++k) ply.types[k] = "double";
    for (size_t r = 0; r < 9; ++r)
      for (size_t k = 0; k < 3; ++k) ply.rows[r][k] = 5'400'000 + 0.001 * double(r * (k + 1));
    const auto file = parse(ply);
    ASSERT_TRUE(file.ok()) << file.error().message;
    for (size_t r = 0; r < 9; ++r)
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_LT(std::abs(file->gaussians.means[3 * r + k]), 1);
        EXPECT_NEAR(file->frame.origin[k] + double(file->gaussians.means[3 * r + k]), ply.rows[r][k], 2e-9);
      }
    for (auto& row : ply.rows)
      for (size_t k = 0; k < 3; ++k) row[k] -= 5'400'000;
    EXPECT_FALSE(parse(ply)->frame.says_something()) << "near 0 they are what they are";
  }
}

TEST(ReadSplatPly, ValuesThatCannotBeDrawnAreCounted) {
  const std::vector<std::string> names = inria_properties(1);
  const auto with = [&](const std::string& property, double value) {
    GoldenPly ply = golden_splats(1, 3);
    ply.rows[1][size_t(std::find(names.begin(), names.end(), property) - names.begin())] = value;
    return *parse(ply);
  };
  for (const char* property : {"x", "y", "z", "f_dc_1", "f_rest_8", "opacity", "scale_2", "rot_3"}) {
    const SplatFile file = with(property, kNan);
    EXPECT_EQ(file.invalid_rows, 1u) << property;
    EXPECT_EQ(file.gaussians.size(), 3u);
    EXPECT_TRUE(mentions(file.warnings, "1 of 3 splats"));
  }
  for (const char* property : {"x", "f_dc_1", "f_rest_0", "scale_0", "rot_0"})
    EXPECT_EQ(with(property, kInfinity).invalid_rows, 1u) << property;
  EXPECT_EQ(with("opacity", kInfinity).invalid_rows, 0u);
  EXPECT_EQ(with("opacity", -kInfinity).invalid_rows, 0u);
  EXPECT_EQ(with("scale_1", -kInfinity).invalid_rows, 0u);
  EXPECT_EQ(with("nx", kNan).invalid_rows, 0u);
  GoldenPly unrotated = golden_splats(0, 2);
  for (size_t i = 0; i < 4; ++i) unrotated.rows[0][unrotated.properties.size() - 1 - i] = 0;
  EXPECT_EQ(parse(unrotated)->invalid_rows, 1u);
}

TEST(ReadSplatPly, ActivatedValuesAreNoticed) {
  const auto with = [](double opacity, double scale) {
    return *parse(golden_splats(0, 4, [&](size_t, size_t p) {
      return p == 9 ? opacity : p >= 10 && p <= 12 ? scale : 1.0;
    }));
  };
  EXPECT_TRUE(mentions(with(0.5, 0.01).warnings, "--repair opacity,scale undoes it"));
  EXPECT_TRUE(with(2.5, 0.01).warnings.empty());
  EXPECT_TRUE(with(0.5, -3).warnings.empty());
}

TEST(ReadSplatPly, OpacitiesAndColoursMayBeActivatedToo) {
  const auto with = [](size_t rows, double scale, double colour, double spread = 0.9) {
    return parse(golden_splats(0, rows,
                               [&](size_t row, size_t p) {
                                 const double part = double(row) / double(rows);
                                 return p == 9               ? spread * part
                                        : p >= 10 && p <= 12 ? scale
                                        : p >= 6 && p <= 8   ? colour * part
                                                             : 1.0;
                               }))
        ->warnings;
  };
  EXPECT_TRUE(mentions(with(200, -3, 2), "--repair opacity undoes it"));  // alone, as of some feed-forward models
  EXPECT_TRUE(mentions(with(200, 0.1, 0.9), "--repair opacity,scale,colour undoes it"));
  EXPECT_TRUE(mentions(with(200, 0.1, 2), "--repair opacity,scale undoes it"));
  EXPECT_TRUE(with(20, -3, 2).empty());         // chance
  EXPECT_TRUE(with(200, -3, 2, 0.01).empty());  // all of one opacity
}

TEST(ReadSplatPly, WhatIsNoSplatFileIsRefused) {
  GoldenPly points;
  points.properties = {"x", "y", "z", "red"};
  points.rows = {{1, 2, 3, 4}};
  expect_sentence(parse(points), {"s.ply", "not a splat file", "point cloud"});
  GoldenPly incomplete = golden_splats(0, 1);
  incomplete.properties[9] = "alpha";
  incomplete.properties[13] = "q";
  expect_sentence(parse(incomplete), {"s.ply", "lacks the properties opacity, rot_0"});
  GoldenPly faces = golden_splats(0, 1);
  faces.after = {"property list uchar float extra"};
  expect_sentence(parse(faces), {"s.ply", "'extra'", "list"});
  expect_sentence(parse("ply\nformat ascii 1.0\nelement face 0\nproperty int a\nend_header\n"),
                  {"no element 'vertex'"});
}

TEST(ReadSplatPly, BadHeadersAreNamed) {
  const auto header = [](const std::string& lines) { return parse("ply\nformat ascii 1.0\n" + lines); };
  expect_sentence(parse(""), {"s.ply", "'ply'"});
  expect_sentence(parse("PLY\n"), {"s.ply", "'ply'"});
  expect_sentence(parse("ply\nformat binary_middle_endian 1.0\nend_header\n"), {"line 2", "binary_middle_endian"});
  expect_sentence(parse("ply\nformat ascii 2.0\nend_header\n"), {"line 2", "2.0"});
  expect_sentence(parse("ply\nelement vertex 1\nend_header\n"), {"line 3", "format"});
  expect_sentence(header("element vertex -1\nend_header\n"), {"line 3", "COUNT"});
  expect_sentence(header("element vertex 1e3\nend_header\n"), {"line 3", "COUNT"});
  expect_sentence(header("element vertex 99999999999999999999999\nend_header\n"), {"line 3", "COUNT"});
  expect_sentence(header("element vertex 1\nelement vertex 1\nend_header\n"), {"line 4", "twice"});
  std::string many;
  for (int i = 0; i < 300; ++i) many += "element e" + std::to_string(i) + " 0\n";
  expect_sentence(header(many + "end_header\n"), {"line 259", "more than 256 elements"});
  expect_sentence(header("property float x\nend_header\n"), {"line 3", "before the first element"});
  expect_sentence(header("element vertex 1\nproperty half x\nend_header\n"), {"line 4", "'half'"});
  expect_sentence(header("element vertex 1\nproperty float\nend_header\n"), {"line 4", "name"});
  expect_sentence(header("element vertex 1\nproperty float x\nproperty float x\nend_header\n"), {"'x'", "twice"});
  expect_sentence(header("nonsense\nend_header\n"), {"line 3", "'nonsense'"});
  expect_sentence(header("comment " + std::string(2000000, 'c')), {"end_header"});
  expect_sentence(header("element vertex 0\n"), {"end_header", "truncated"});
}

TEST(ReadSplatPly, CountsThatLieAreRefused) {
  for (const Encoding encoding : {Encoding::kAscii, Encoding::kLittleEndian, Encoding::kBigEndian})
    for (const char* lie : {"3", "1000000000", "9223372036854775808", "18446744073709551615"}) {
      GoldenPly ply = golden_splats(3, 2);
      ply.encoding = encoding;
      std::string bytes = ply.bytes();
      bytes.replace(bytes.find("vertex 2"), 8, std::string("vertex ") + lie);
      expect_sentence(parse(bytes), {"s.ply", "truncated or corrupt"});
      const size_t rest = bytes.find("element vertex");
      const std::string other = std::string("element other ") + lie + "\nproperty uchar a\n";
      const auto before = parse(bytes.substr(0, rest) + other + bytes.substr(rest));
      if (encoding == Encoding::kAscii)  // the rows may be there, but are not of this shape
        expect_sentence(before, {"s.ply"});
      else
        expect_sentence(before, {"s.ply", "truncated or corrupt"});
    }
}

TEST(ReadSplatPly, EveryTruncationIsAnError) {
  for (const Encoding encoding : {Encoding::kLittleEndian, Encoding::kBigEndian}) {
    GoldenPly ply = golden_splats(1, 2);
    ply.encoding = encoding;
    ply.after = {"element extra 1", "property int a"};
    ply.data_after = "abcd";
    const std::string bytes = ply.bytes();
    ASSERT_TRUE(parse(bytes).ok());
    for (size_t size = 0; size < bytes.size(); ++size) expect_sentence(parse(bytes.substr(0, size)), {"s.ply"});
  }
}

TEST(ReadSplatPly, TruncatedAsciiIsAnErrorOrSaysSo) {
  GoldenPly ply = golden_splats(1, 2);
  ply.encoding = Encoding::kAscii;
  const std::string bytes = ply.bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = parse(bytes.substr(0, size));
    if (cut)
      EXPECT_TRUE(mentions(cut->warnings, "no line end")) << size;
    else
      expect_sentence(cut, {"s.ply"});
  }
}

TEST(ReadSplatPly, BadAsciiRowsAreNamed) {
  GoldenPly ply = golden_splats(0, 2);
  ply.encoding = Encoding::kAscii;
  const std::string text = ply.bytes();
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string copy = text;
    copy.replace(copy.rfind(from), from.size(), to);
    return parse(copy);
  };
  expect_sentence(changed("103.25", "oops"), {"s.ply", "line 23", "'oops'"});
  expect_sentence(changed("103.25", "1 2"), {"line 23", "more than 17"});
  expect_sentence(changed(" 103.25", ""), {"line 23", "fewer than 17"});
  EXPECT_EQ(changed("103.25", "nan")->invalid_rows, 0u);  // a normal
  EXPECT_EQ(changed("100.25", "nan")->invalid_rows, 1u);
}

TEST(ReadSplatPly, WhatFollowsTheLastElementIsNoted) {
  GoldenPly ply = golden_splats(0, 1);
  ply.data_after = "12345";
  EXPECT_TRUE(mentions(parse(ply)->warnings, "last 5 bytes"));
}

TEST(ReadSplatPly, NoSplatsIsSaid) { EXPECT_TRUE(mentions(parse(golden_splats(0, 0))->warnings, "no splats")); }

TEST(ReadSplatPly, CompressedPlyIsRecognised) {
  expect_sentence(
      parse("ply\nformat binary_little_endian 1.0\nelement chunk 0\nproperty float min_x\nelement vertex 0\n"
            "property uint packed_position\nend_header\n"),
      {"s.ply", "compressed splat PLY"});
}

TEST(ReadSplatPly, ReadingIsWatchedOnEveryThread) {
  const splat::test::TempFolder folder;
  const std::string bytes = golden_splats(3, 3000).bytes();  // several blocks
  const fs::path path = folder.write("w.ply", bytes);
  ReadWatch watch;
  ASSERT_TRUE(read_splat_ply(path, &watch).ok());
  EXPECT_GE(watch.bytes, bytes.size());
  watch.cancelled = true;
  expect_sentence(read_splat_ply(path, &watch), {"w.ply", "cancelled"});
}

TEST(ReadSplatPly, RealFiles) {
  if (!fs::exists(kSplats)) GTEST_SKIP() << "the real splats are not beside the source tree";
  const auto playbot = read_splat_ply(kSplats / "playbot_31k_sh2.ply");
  ASSERT_TRUE(playbot.ok()) << playbot.error().message;
  EXPECT_EQ(playbot->gaussians.size(), 31000u);
  EXPECT_EQ(playbot->gaussians.sh_degree, 2);
  EXPECT_EQ(playbot->invalid_rows, 0u);
  EXPECT_TRUE(playbot->warnings.empty()) << playbot->warnings[0];
  for (size_t axis = 0; axis < 3; ++axis) {  // the bounds that another reader found
    float low = 1e9f, high = -1e9f;
    for (size_t i = axis; i < playbot->gaussians.means.size(); i += 3) {
      low = std::min(low, playbot->gaussians.means[i]);
      high = std::max(high, playbot->gaussians.means[i]);
    }
    EXPECT_NEAR(low, (std::array{-1.0269, -1.0812, -1.0336}[axis]), 1e-4);
    EXPECT_NEAR(high, (std::array{1.0293, 0.0437, 1.0363}[axis]), 1e-4);
  }
  const auto train = read_splat_ply(kSplats / "test-splat.3-points-from-train.ply");
  ASSERT_TRUE(train.ok()) << train.error().message;
  EXPECT_EQ(train->gaussians.size(), 3u);
  EXPECT_EQ(train->gaussians.sh_degree, 3);
  expect_sentence(read_splat_ply(kSplats / "not_a_splat_plush_sfm_points.ply"),
                  {"not_a_splat", "point cloud", "trained"});
  expect_sentence(read_splat_ply(kSplats / "biker.compressed.ply"), {"biker", "compressed splat PLY"});
  expect_sentence(read_splat_ply(kSplats / "no such file.ply"), {"no such file.ply"});
  expect_sentence(read_splat_ply(kSplats), {"folder"});
}

TEST(ReadPointCloudPly, ColoursOfEveryType) {
  const auto read = [](const std::string& type, std::vector<std::string> names, double low, double high) {
    GoldenPly ply;
    ply.properties = {"x", "y", "z"};
    ply.properties.insert(ply.properties.end(), names.begin(), names.end());
    ply.types = {"double", "double", "double", type, type, type};
    ply.rows = {{1, 2, 3, low, high, high}, {-4, 5, 6.5, high, low, low}};
    return parse_point_cloud_ply(ply.bytes(), "p.ply");
  };
  const std::vector<std::string> names{"red", "green", "blue"};
  for (const auto& points :
       {read("uchar", names, 0, 255), read("float", names, 0, 1), read("double", {"r", "g", "b"}, -3, 7),
        read("ushort", names, 0, 65535), read("float", names, 0, 255), read("double", names, 0, 255),
        read("ushort", names, 0, 255), read("uint8", {"diffuse_red", "diffuse_green", "diffuse_blue"}, 0, 255)}) {
    ASSERT_TRUE(points.ok()) << points.error().message;
    EXPECT_EQ(points->xyz, (std::vector<float>{1, 2, 3, -4, 5, 6.5}));
    EXPECT_EQ(points->rgb, (std::vector<uint8_t>{0, 255, 255, 255, 0, 0}));
  }
  const auto grey = read("float", {"a", "b", "c"}, 0, 1);
  EXPECT_EQ(grey->rgb, std::vector<uint8_t>(6, 128));
}

TEST(ReadPointCloudPly, DoublesFarFromZeroAreCountedFromAPlaceAmongThem) {
  GoldenPly ply;
  ply.properties = {"x", "y", "z"};
  ply.types = {"double", "double", "double"};
  for (int i = 0; i < 20; ++i) ply.rows.push_back({500000 + 0.01 * i, 5400000.125, 200 - 0.1 * i});
  const auto points = parse_point_cloud_ply(ply.bytes(), "p.ply");
  ASSERT_TRUE(points.ok()) << points.error().message;
  EXPECT_NEAR(points->origin[1], 5400000, 1);
  for (size_t i = 0; i < points->xyz.size(); ++i)
    EXPECT_NEAR(points->xyz[i] + points->origin[i % 3], ply.rows[i / 3][i % 3], 1e-6) << i;
  ply.types.assign(3, "float");
  EXPECT_EQ(parse_point_cloud_ply(ply.bytes(), "p.ply")->origin, (std::array<double, 3>{}));
}

TEST(ReadPointCloudPly, BadOnesAreLeftOutOrRefused) {
  GoldenPly ply;
  ply.properties = {"x", "y", "z"};
  ply.rows = {{1, 2, 3}, {1, kNan, 3}};
  const auto points = parse_point_cloud_ply(ply.bytes(), "p.ply");
  ASSERT_TRUE(points.ok()) << points.error().message;
  EXPECT_EQ(points->xyz, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(points->size(), 1u);
  EXPECT_EQ(points->left_out, 1u);
  ply.rows = {{1, kNan, 3}};
  expect_sentence(parse_point_cloud_ply(ply.bytes(), "p.ply"), {"p.ply", "no point of 1", "finite"});
  ply.rows = {{1, 2, 3}, {1, 1e30, 3}};  // its square is no float any more
  EXPECT_EQ(parse_point_cloud_ply(ply.bytes(), "p.ply")->left_out, 1u);
  ply.properties[1] = "why";
  expect_sentence(parse_point_cloud_ply(ply.bytes(), "p.ply"), {"p.ply", "'y'"});
}

TEST(ReadPointCloudPly, RealFile) {
  if (!fs::exists(kSplats)) GTEST_SKIP() << "the real splats are not beside the source tree";
  const auto points = read_point_cloud_ply(kSplats / "not_a_splat_plush_sfm_points.ply");
  ASSERT_TRUE(points.ok()) << points.error().message;
  EXPECT_EQ(points->size(), 25784u);
  EXPECT_EQ(points->xyz.size(), 3 * 25784u);
  EXPECT_GT(std::count_if(points->rgb.begin(), points->rgb.end(), [](uint8_t c) { return c > 100; }), 1000);
}

}  // namespace
}  // namespace io::test
