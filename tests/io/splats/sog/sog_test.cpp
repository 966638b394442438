// SOG: pictures made here byte by byte, both versions; round trips within their bounds; damage; a real file.
#include "io/splats/sog/sog.h"

#include <gtest/gtest.h>
#include <webp/encode.h>

#include <cmath>
#include <numeric>
#include <tuple>

#include "io/bytes.h"
#include "io/image_file.h"
#include "io/io.h"
#include "io/splats/common/zip_archive.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;
using splat::Result;
using splat::test::TempFolder;

const fs::path kSplats = test_paths::data() / "splats";

std::string webp(int width, int height, const std::vector<uint8_t>& rgba) {
  WebPConfig config;
  WebPPicture picture;
  EXPECT_TRUE(WebPConfigInit(&config) && WebPConfigLosslessPreset(&config, 1) && WebPPictureInit(&picture));
  config.exact = 1;
  picture.use_argb = 1;
  picture.width = width;
  picture.height = height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  EXPECT_TRUE(WebPPictureImportRGBA(&picture, rgba.data(), width * 4) && WebPEncode(&config, &picture));
  std::string bytes(reinterpret_cast<const char*>(writer.mem), writer.size);
  WebPPictureFree(&picture);
  WebPMemoryWriterClear(&writer);
  return bytes;
}

// "[0,1,...,255]" times `step`, plus `start`.
std::string codebook(double start, double step) {
  std::string text = "[";
  for (int i = 0; i < 256; ++i) text += (i ? "," : "") + std::to_string(start + step * i);
  return text + "]";
}

// Three splats in 2x2 pictures.
std::vector<ZipEntry> golden(int version) {
  const std::string means = R"("means":{"shape":[3,3],"mins":[-1,0,0],"maxs":[1,2,0],"files":["l.webp","u.webp"]})";
  const std::string meta =
      version == 2
          ? R"({"version":2,"asset":{"generator":"a test"},"model":"antialiased","count":3,)" + means +
                R"(,"scales":{"codebook":)" + codebook(-8, 0.0625) +
                R"(,"files":["s.webp"]},"quats":{"files":["q.webp"]},)" + R"("sh0":{"codebook":)" +
                codebook(-2, 0.015625) + R"(,"files":["c.webp"]},"shN":{"count":2,"bands":1,)" + R"("codebook":)" +
                codebook(-1, 0.0078125) + R"(,"files":["n.webp","i.webp"]}})"
          : "{" + means +
                R"(,"scales":{"mins":[-8,-7,-6],"maxs":[0,1,2],"files":["s.webp"]},"quats":{"files":["q.webp"]},)" +
                R"("sh0":{"mins":[-2,-1,0,-5],"maxs":[2,3,4,5],"files":["c.webp"]},)" +
                R"("shN":{"mins":-1,"maxs":1,"files":["n.webp","i.webp"]}})";
  std::vector<uint8_t> centroids(64 * 3 * 4, 255);
  for (size_t i = 0; i < 2 * 9; ++i) centroids[i / 3 * 4 + i % 3] = uint8_t(10 * i);
  return {{"meta.json", meta},
          {"l.webp", webp(2, 2, {0, 255, 9, 255, 255, 255, 9, 255, 0, 0, 9, 255, 0, 0, 0, 0})},
          {"u.webp", webp(2, 2, {0, 255, 9, 255, 255, 255, 9, 255, 128, 0, 9, 255, 0, 0, 0, 0})},
          {"s.webp", webp(2, 2, {0, 128, 255, 255, 1, 2, 3, 255, 4, 5, 6, 255, 0, 0, 0, 0})},
          {"q.webp", webp(2, 2, {255, 0, 128, 252, 0, 255, 128, 255, 1, 2, 3, 7, 0, 0, 0, 0})},
          {"c.webp", webp(2, 2, {0, 128, 255, 0, 1, 2, 3, 255, 4, 5, 6, 51, 0, 0, 0, 0})},
          {"n.webp", webp(192, 1, centroids)},
          {"i.webp", webp(2, 2, {1, 0, 0, 255, 0, 0, 0, 255, 1, 0, 0, 255, 0, 0, 0, 0})}};
}

std::string zipped(const std::vector<ZipEntry>& entries) {
  auto bytes = make_zip(entries);
  EXPECT_TRUE(bytes.ok());
  return *bytes;
}

std::vector<ZipEntry> with(std::vector<ZipEntry> entries, const std::string& name, const std::string& bytes) {
  for (ZipEntry& entry : entries)
    if (entry.name == name) entry.bytes = bytes;
  return entries;
}

std::vector<ZipEntry> with_meta(std::vector<ZipEntry> entries, const std::string& from, const std::string& to) {
  std::string& meta = entries[0].bytes;
  const size_t at = meta.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  meta.replace(at, from.size(), to);
  return entries;
}

Result<SplatFile> parse(const std::string& bytes) {
  ByteStream stream(bytes, "s.sog");
  return read_sog(stream);
}

TEST(ReadSog, GoldenVersion2) {
  const auto file = parse(zipped(golden(2)));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->format, "SOG version 2");
  EXPECT_EQ(file->producer, "a test");
  EXPECT_TRUE(file->antialiased);
  EXPECT_EQ(file->invalid_rows, 0u);
  const Gaussians& model = file->gaussians;
  ASSERT_EQ(model.size(), 3u);
  ASSERT_EQ(model.sh_degree, 1);
  EXPECT_NEAR(model.means[0], -std::expm1(1.0), 1e-6);  // x: -1 .. 1 in folded space
  EXPECT_NEAR(model.means[1], std::expm1(2.0), 1e-5);
  EXPECT_EQ(model.means[2], 0);
  EXPECT_NEAR(model.means[3], std::expm1(1.0), 1e-6);
  EXPECT_NEAR(model.means[6], std::expm1(2.0 * 0x8000 / 65535 - 1), 1e-6);
  EXPECT_NEAR(model.log_scales[0], -8, 1e-6);
  EXPECT_NEAR(model.log_scales[1], 0, 1e-6);
  EXPECT_NEAR(model.log_scales[2], -8 + 255 * 0.0625, 1e-6);
  // x, y, z of splat 0 are 1, -1 and about 0 times sqrt(1/2); w, the largest, is what is left of length 1.
  EXPECT_NEAR(model.quats[0], 0, 0.01);
  EXPECT_NEAR(model.quats[1], M_SQRT1_2, 1e-6);
  EXPECT_NEAR(model.quats[2], -M_SQRT1_2, 1e-6);
  EXPECT_NEAR(model.quats[4], -M_SQRT1_2, 1e-6);  // alpha 255: z is the largest
  EXPECT_NEAR(model.quats[5], M_SQRT1_2, 1e-6);
  EXPECT_EQ((std::vector<float>(model.quats.begin() + 8, model.quats.end())), (std::vector<float>{1, 0, 0, 0}));
  EXPECT_NEAR(model.sh[0], -2, 1e-6);
  EXPECT_NEAR(model.sh[1], 0, 1e-6);
  EXPECT_LT(model.logit_opacities[0], -13);
  EXPECT_GT(model.logit_opacities[1], 13);
  EXPECT_NEAR(splat::math::sigmoid(double(model.logit_opacities[2])), 0.2, 1e-6);
  for (size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(model.sh[3 + k], -1 + 10 * double(9 + k) * 0.0078125, 1e-6);
    EXPECT_NEAR(model.sh[12 + 3 + k], -1 + 10 * double(k) * 0.0078125, 1e-6);
  }
}

TEST(ReadSog, GoldenVersion1) {
  const auto file = parse(zipped(golden(1)));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->format, "SOG version 1");
  EXPECT_FALSE(file->antialiased);
  const Gaussians& model = file->gaussians;
  ASSERT_EQ(model.size(), 3u);
  ASSERT_EQ(model.sh_degree, 1);
  EXPECT_NEAR(model.means[1], std::expm1(2.0), 1e-5);
  EXPECT_NEAR(model.log_scales[0], -8, 1e-6);
  EXPECT_NEAR(model.log_scales[1], -7 + 8 * 128.0 / 255, 1e-6);
  EXPECT_NEAR(model.log_scales[2], 2, 1e-6);
  EXPECT_NEAR(model.sh[1], -1 + 4 * 128.0 / 255, 1e-6);
  EXPECT_NEAR(model.logit_opacities[0], -5, 1e-6);
  EXPECT_NEAR(model.logit_opacities[2], -5 + 10 * 51.0 / 255, 1e-6);
  EXPECT_NEAR(model.sh[12 + 4], -1 + 2 * 10.0 / 255, 1e-6);
}

TEST(ReadSog, AFolderIsReadLikeABundle) {
  const TempFolder folder;
  for (const ZipEntry& entry : golden(2)) folder.write("scene/" + entry.name, entry.bytes);
  std::vector<ZipEntry> nested = golden(2);
  for (ZipEntry& entry : nested) entry.name = "inside/" + entry.name;
  const fs::path bundle = folder.write("scene.sog", zipped(nested));
  const auto expected = read_splat_file(bundle);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  for (const char* name : {"scene", "scene/meta.json"}) {
    const auto file = read_splat_file(folder.path() / name);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.means, expected->gaussians.means);
    EXPECT_EQ(file->gaussians.sh, expected->gaussians.sh);
    EXPECT_EQ(file->warnings.size(), 1u);
  }
  fs::remove(folder.path() / "scene/q.webp");
  expect_sentence(read_splat_file(folder.path() / "scene"), {"q.webp"});
}

TEST(ReadSog, DamageIsASentence) {
  const std::vector<ZipEntry> good = golden(2);
  const auto expect = [](const std::vector<ZipEntry>& entries, const std::vector<std::string>& parts) {
    expect_sentence(parse(zipped(entries)), parts);
  };
  expect(with(good, "meta.json", "{"), {"s.sog", "meta.json"});
  expect(with(good, "meta.json", "[]"), {"s.sog", "means"});
  expect(with_meta(good, "\"version\":2", "\"version\":3"), {"version 3"});
  expect(with_meta(good, "\"count\":3", "\"count\":5"), {"too few"});
  expect(with_meta(good, "\"count\":3", "\"count\":200000000"), {"claims more splats"});
  expect(with_meta(good, "\"count\":3", "\"count\":-1"), {"number of splats"});
  expect(with_meta(good, "\"mins\":[-1,0,0]", "\"mins\":[-1,0]"), {"means.mins"});
  expect(with_meta(good, "\"maxs\":[1,2,0]", "\"maxs\":[1,1e9,0]"), {"means.maxs"});
  expect(with_meta(good, "s.webp", "../s.webp"), {"../s.webp", "not one beside it or below its folder"});
  expect(with_meta(good, "s.webp", "missing.webp"), {"missing.webp"});
  expect(with_meta(good, "\"count\":2,\"bands\":1", "\"count\":1,\"bands\":1"), {"colour set 1 of 1"});
  expect(with_meta(good, "\"count\":2,\"bands\":1", "\"count\":2,\"bands\":2"), {"192 pixels wide"});
  expect(with_meta(good, "\"count\":2,\"bands\":1", "\"count\":65,\"bands\":1"), {"fewer colour sets"});
  expect(with(good, "c.webp", "RIFF"), {"c.webp", "neither a WebP nor a PNG"});
  expect(with(good, "c.webp", good[5].bytes.substr(0, 30)), {"c.webp"});
  expect({{"readme.txt", "x"}}, {"without meta.json"});
}

// As older Windows archivers name entries; with the pictures in a folder of their own; behind another meta.json.
TEST(ReadSog, OtherLayoutsOfArchives) {
  const auto expected = parse(zipped(golden(2)));
  ASSERT_TRUE(expected.ok());
  const auto expect_same = [&](const std::vector<ZipEntry>& entries) {
    const auto file = parse(zipped(entries));
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.means, expected->gaussians.means);
    EXPECT_EQ(file->gaussians.sh, expected->gaussians.sh);
  };
  std::vector<ZipEntry> entries = golden(2);
  for (ZipEntry& entry : entries) entry.name = "scene\\" + entry.name;
  expect_same(entries);
  entries = golden(2);
  for (size_t i = 1; i < entries.size(); ++i) {
    const std::string plain = "\"" + entries[i].name + "\"";
    entries[i].name = "textures/" + entries[i].name;
    entries = with_meta(entries, plain, "\"" + entries[i].name + "\"");
  }
  expect_same(entries);
  entries = golden(2);
  for (ZipEntry& entry : entries) entry.name = "b/" + entry.name;
  entries.insert(entries.begin(), {"a/meta.json", R"({"author": "x"})"});
  expect_same(entries);
}

TEST(ReadSog, PlanesMayBePng) {
  std::vector<ZipEntry> entries = golden(2);
  splat::Image8 plane{2, 2, 4, {0, 128, 255, 255, 1, 2, 3, 255, 4, 5, 6, 255, 0, 0, 0, 0}};
  entries = with(entries, "s.webp", encode_png(plane));
  const auto file = parse(zipped(entries)), expected = parse(zipped(golden(2)));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.log_scales, expected->gaussians.log_scales);
}

TEST(ReadSog, WhatIsPassedOverIsNamed) {
  for (const int version : {1, 2}) EXPECT_TRUE(parse(zipped(golden(version)))->unread.empty()) << version;
  std::vector<ZipEntry> entries = with_meta(golden(2), "\"count\":3", "\"count\":3,\"extras\":{\"a\":1},\"zoom\":null");
  entries = with_meta(entries, "\"bands\":1", "\"bands\":1,\"gain\":2");
  for (const char* name : {"sky/means_l.webp", "settings.json", ".DS_Store", "__MACOSX/l.webp"})
    entries.push_back({name, "x"});
  const auto file = parse(zipped(entries));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->unread, (std::vector<std::string>{"extras", "shN.gain", "the file 'sky/means_l.webp'",
                                                    "the file 'settings.json'"}));
}

TEST(ReadSog, AntialiasingIsReadUnderBothItsNames) {
  const auto file = parse(zipped(with_meta(golden(2), "\"model\":\"antialiased\"", "\"antialias\":true")));
  EXPECT_TRUE(file->antialiased);
  EXPECT_FALSE(parse(zipped(with_meta(golden(2), "\"model\":\"antialiased\"", "\"antialias\":false")))->antialiased);
}

TEST(ReadSog, ACodebookShorterThanWhatIsUsedOfItIsRefused) {
  const auto shortened = [](const std::string& book, int values) {
    std::string cut = "[0";
    for (int i = 1; i < values; ++i) cut += ",0." + std::to_string(i);
    return parse(zipped(with_meta(golden(2), book, cut + "]")));
  };
  for (const auto& [part, book, used] : {std::tuple("scales", codebook(-8, 0.0625), 256),
                                         {"sh0", codebook(-2, 0.015625), 256},
                                         {"shN", codebook(-1, 0.0078125), 171}}) {
    EXPECT_TRUE(shortened(book, used).ok()) << part;
    expect_sentence(shortened(book, used - 1), {"s.sog", "is damaged", std::string(part) + ".codebook"});
  }
}

TEST(ReadSog, RotationsWithoutTheirTagAreCounted) {
  const auto file = parse(zipped(golden(2)));  // the third pixel of q.webp has alpha 7
  ASSERT_TRUE(file.ok());
  ASSERT_FALSE(file->warnings.empty());
  EXPECT_NE(file->warnings[0].find("1 rotation does not say"), std::string::npos) << file->warnings[0];
}

// Two leaves, of which the second has only the coarser level; a folder and an archive.
TEST(ReadSog, TheFinestLevelOfAStreamedSog) {
  const TempFolder folder;
  std::vector<ZipEntry> all{
      {"lod-meta.json", R"({"version":1,"lodLevels":2,"filenames":["0_0/meta.json","1_0/meta.json"],
      "tree":{"children":[{"lods":{"0":{"file":0,"offset":1,"count":2},"1":{"file":1,"offset":0,"count":1}}},
                          {"lods":{"1":{"file":1,"offset":2,"count":1}}}]}})"}};
  for (const char* part : {"0_0/", "1_0/"})
    for (const ZipEntry& entry : with_meta(golden(2), "\"count\":3", "\"count\":3,\"extras\":{\"a\":1}"))
      all.push_back({part + entry.name, entry.bytes});
  uint64_t bytes = 0;
  for (const ZipEntry& entry : all) folder.write("scene/" + entry.name, entry.bytes), bytes += entry.bytes.size();
  EXPECT_EQ(read_splat_file(folder.path() / "scene")->bytes, bytes);
  const auto whole = parse(zipped(golden(2)));
  ASSERT_TRUE(whole.ok());
  std::vector<float> expected(whole->gaussians.means.begin() + 3, whole->gaussians.means.end());
  expected.insert(expected.end(), whole->gaussians.means.end() - 3, whole->gaussians.means.end());
  for (const auto& file : {read_splat_file(folder.path() / "scene"),
                           read_splat_file(folder.path() / "scene/lod-meta.json"), parse(zipped(all))}) {
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.means, expected);
    EXPECT_EQ(file->format, "streamed SOG, the finest of 2 levels");
    ASSERT_EQ(file->warnings.size(), 2u);  // of q.webp, in both parts
    EXPECT_TRUE(file->warnings[0].starts_with("'0_0/meta.json': 1 rotation does not say")) << file->warnings[0];
    EXPECT_EQ(file->warnings[1], "1 more of its files has such warnings");
    EXPECT_EQ(file->unread, std::vector<std::string>{"extras"});
  }
  std::string& lod = all[0].bytes;
  lod.replace(lod.find("\"offset\":1"), 10, "\"offset\":2");
  const auto beyond = parse(zipped(all));
  ASSERT_FALSE(beyond.ok());
  EXPECT_NE(beyond.error().message.find("claims more splats than '0_0/meta.json' has"), std::string::npos);
}

// A few bytes of WebP can claim any number of pixels.
TEST(ReadSog, AFolderOfGsplatIsNamed) {
  const TempFolder folder;
  const std::string part = R"({"shape": [4, 3], "dtype": "float32", "mins": [0, 0, 0], "maxs": [1, 1, 1]})";
  folder.write("out/meta.json", R"({"means": )" + part + R"(, "scales": )" + part + R"(, "quats": )" + part +
                                    R"(, "opacities": )" + part + R"(, "sh0": )" + part + "}");
  expect_sentence(read_splat_file(folder.path() / "out"), {"gsplat (PngCompression)", "PLY"});
}

TEST(ReadSog, NoPictureMayBeMuchLargerThanTheFile) {
  std::vector<uint8_t> white(size_t(4096) * 4096 * 4, 255);
  const std::string huge = webp(4096, 4096, white);
  ASSERT_LT(huge.size(), 60000u);
  expect_sentence(parse(zipped(with(golden(2), "s.webp", huge))), {"s.webp", "claims more pixels"});
}

TEST(ReadSog, TruncationAnywhereIsASentence) {
  const std::string whole = zipped(golden(2));
  ASSERT_TRUE(parse(whole).ok());
  for (size_t length = 0; length < whole.size(); ++length) expect_sentence(parse(whole.substr(0, length)), {"s.sog"});
}

// ---- writing
struct RoundTrip {
  Gaussians before, after;  // in the same order
  SplatWriteReport report;
};

RoundTrip round_trip(const Gaussians& model, const SplatFileInfo& info = {}, const SplatWriteOptions& options = {}) {
  const TempFolder folder;
  RoundTrip result;
  const auto report = write_splat_file(folder.path() / "m.sog", model, info, options);
  EXPECT_TRUE(report.ok()) << report.error().message;
  const auto file = read_splat_file(folder.path() / "m.sog");
  EXPECT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->antialiased, info.antialiased);
  result.before = splat::gather_rows(model, splat::morton_order(model.means));
  result.after = file->gaussians;
  result.report = *report;
  return result;
}

double rms_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  return std::sqrt(sum / double(a.size()));
}

TEST(WriteSog, RoundTripStaysWithinTheStatedBounds) {
  for (int degree = 0; degree <= 3; ++degree) {
    SplatFileInfo info;
    info.antialiased = degree == 1;
    const RoundTrip trip = round_trip(random_model(3000, degree, uint64_t(degree) + 5), info);
    ASSERT_EQ(trip.after.size(), 3000u);
    ASSERT_EQ(trip.after.sh_degree, degree);
    EXPECT_EQ(trip.report.losses.size(), degree == 0 ? 1u : 2u);
    double worst_mean = 0, worst_opacity = 0, least_cosine = 1;
    for (size_t i = 0; i < 3000; ++i) {
      for (size_t c = 3 * i; c < 3 * i + 3; ++c)  // half of 1/65535 of some +-1.7 in folded space
        worst_mean = std::max(worst_mean, std::abs(double(trip.after.means[c]) - trip.before.means[c]) /
                                              (1 + std::abs(trip.before.means[c])));
      worst_opacity = std::max(worst_opacity, std::abs(splat::math::sigmoid(double(trip.after.logit_opacities[i])) -
                                                       splat::math::sigmoid(double(trip.before.logit_opacities[i]))));
      double product = 0, norm = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; ++c) {
        product += double(trip.after.quats[c]) * trip.before.quats[c];
        norm += double(trip.before.quats[c]) * trip.before.quats[c];
      }
      least_cosine = std::min(least_cosine, std::abs(product) / std::sqrt(norm));
    }
    EXPECT_LT(worst_mean, 0.55 / 65535 * 3.6);
    EXPECT_LT(worst_opacity, 1.01 / 510);
    EXPECT_GT(least_cosine, std::cos(0.01));                                          // 0.6 degrees
    EXPECT_LT(rms_difference(trip.after.log_scales, trip.before.log_scales), 0.012);  // of a standard deviation of 1
  }
}

TEST(WriteSog, AFewLargeSplatsKeepTheirSize) {
  Gaussians model = random_model(20000, 0, 9);
  for (float& scale : model.log_scales) scale = -5 + 0.5f * scale;
  for (size_t i = 0; i < 20; ++i)  // a sky
    for (size_t c = 0; c < 3; ++c) model.log_scales[3 * i + c] = 1 + 0.1f * float(i) + 0.03f * float(c);
  const RoundTrip trip = round_trip(model);
  double worst = 0;
  for (size_t i = 0; i < trip.after.log_scales.size(); ++i)
    if (trip.before.log_scales[i] > 0.5)
      worst = std::max(worst, std::abs(double(trip.after.log_scales[i]) - trip.before.log_scales[i]));
  EXPECT_LT(worst, 0.03);  // 3 % of their size
  EXPECT_LT(rms_difference(trip.after.log_scales, trip.before.log_scales), 0.012);
}

TEST(WriteSog, AFewAbsurdSplatsCostTheOthersNoPrecision) {
  Gaussians model = random_model(4000, 1, 9);
  for (float& value : model.sh) value *= 0.3f;
  const auto worst_of_others = [](const RoundTrip& trip) {
    double place = 0, colour = 0;
    for (size_t i = 0; i < trip.after.size(); ++i) {
      bool sane = true;
      for (size_t c = 0; c < 3; ++c) sane = sane && std::abs(trip.before.means[3 * i + c]) < 100;
      for (size_t c = 0; c < 12; ++c) sane = sane && std::abs(trip.before.sh[12 * i + c]) < 100;
      for (size_t c = 0; c < 3 && sane; ++c) {
        place = std::max(place, std::abs(double(trip.after.means[3 * i + c]) - trip.before.means[3 * i + c]));
        colour = std::max(colour, std::abs(double(trip.after.sh[12 * i + c]) - trip.before.sh[12 * i + c]));
      }
    }
    return std::pair(place, colour);
  };
  const auto [place, colour] = worst_of_others(round_trip(model));
  model.means[3 * 11] = 3e38f, model.means[3 * 12 + 1] = -1e20f;
  model.sh[12 * 20] = 1e30f, model.sh[12 * 21 + 2] = -5e5f, model.sh[12 * 22 + 7] = 1e6f;
  model.log_scales[90] = 1e5f;
  const RoundTrip trip = round_trip(model);
  const auto [spoiled_place, spoiled_colour] = worst_of_others(trip);
  EXPECT_LT(spoiled_place, 12 * place);  // the border lies farther out, by its logarithm
  EXPECT_LT(spoiled_colour, 2.5 * colour);
  std::string said;
  for (const std::string& loss : trip.report.losses) said += loss + "\n";
  EXPECT_NE(said.find("2 splats absurdly far"), std::string::npos) << said;
  EXPECT_NE(said.find("the colours of 2 splats lie beyond"), std::string::npos) << said;
}

TEST(WriteSog, FewDifferentColoursAreKeptAlmostExactly) {
  Gaussians model = random_model(4000, 2, 3);
  const size_t width = 27;
  for (size_t i = 0; i < model.size(); ++i)  // 500 sets, of which 2048 splats or more would get 2048 entries
    for (size_t k = 3; k < width; ++k) model.sh[i * width + k] = model.sh[(i % 500) * width + k];
  const RoundTrip trip = round_trip(model);
  EXPECT_LT(rms_difference(trip.after.sh, trip.before.sh), 0.015);
}

TEST(WriteSog, PalettesKeepMostOfSmoothColours) {
  // Higher bands that depend smoothly on the position, as in real scenes, with a little noise.
  Gaussians model = random_model(20000, 3, 4);
  const std::vector<float> noise = model.sh;
  const size_t width = 48;
  for (size_t i = 0; i < model.size(); ++i)
    for (size_t k = 3; k < width; ++k)
      model.sh[i * width + k] = 0.3f * std::sin(model.means[3 * i] + float(k) + 0.7f * model.means[3 * i + k % 3]) +
                                0.01f * noise[i * width + k];
  const RoundTrip trip = round_trip(model);
  std::vector<float> before, after;
  for (size_t i = 0; i < model.size(); ++i)
    for (size_t k = 3; k < width; ++k) {
      before.push_back(trip.before.sh[i * width + k]);
      after.push_back(trip.after.sh[i * width + k]);
    }
  EXPECT_LT(rms_difference(before, after), 0.02);  // of 0.21
}

TEST(WriteSog, BytesDoNotDependOnThreads) {
  const TempFolder folder;
  const Gaussians model = random_model(5000, 1, 8);
  std::vector<double> fractions;
  SplatWriteOptions one, three;
  one.threads = 1;
  three.threads = 3;
  one.progress = [&](double fraction) { fractions.push_back(fraction); };
  ASSERT_TRUE(write_sog(folder.path() / "1.sog", model, {}, one).ok());
  ASSERT_TRUE(write_sog(folder.path() / "3.sog", model, {}, three).ok());
  EXPECT_EQ(*read_file(folder.path() / "1.sog"), *read_file(folder.path() / "3.sog"));
  EXPECT_GE(fractions.size(), 4u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1);
}

TEST(WriteSog, SmallFlatAndBrokenModels) {
  const RoundTrip none = round_trip({});
  EXPECT_EQ(none.after.size(), 0u);
  Gaussians model = random_model(3, 3, 2);
  std::fill(model.means.begin(), model.means.end(), 0.5f);  // no extent
  EXPECT_NEAR(round_trip(model).after.means[5], 0.5, 1e-6);
  model.means[3] = std::numeric_limits<float>::quiet_NaN();
  model.logit_opacities[2] = std::numeric_limits<float>::infinity();
  const TempFolder folder;
  const auto report = write_sog(folder.path() / "m.sog", model);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->written, 2u);
  EXPECT_EQ(report->dropped, 1u);
  EXPECT_EQ(read_splat_file(folder.path() / "m.sog")->gaussians.size(), 2u);
}

// ---- a real file, beside what another program decoded it to
TEST(RealSog, FolderAndBundleGiveWhatThePlyHolds) {
  if (!fs::exists(kSplats / "playbot_31k_sh2.sog")) GTEST_SKIP() << "the real splat files are not here";
  const auto bundle = read_splat_file(kSplats / "playbot_31k_sh2.sog");
  const auto folder = read_splat_file(kSplats / "playbot_lod3_sog");
  const auto ply = read_splat_file(kSplats / "playbot_31k_sh2.ply");
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  ASSERT_TRUE(ply.ok()) << ply.error().message;
  EXPECT_EQ(bundle->gaussians.means, folder->gaussians.means);
  EXPECT_EQ(bundle->gaussians.sh, folder->gaussians.sh);
  EXPECT_EQ(bundle->producer, "splat-transform v0.16.0");
  const Gaussians &got = bundle->gaussians, &expected = ply->gaussians;
  ASSERT_EQ(got.size(), 31000u);
  ASSERT_EQ(expected.size(), 31000u);
  ASSERT_EQ(got.sh_degree, expected.sh_degree);
  using Member = std::vector<float> Gaussians::*;
  for (const auto member :
       {Member(&Gaussians::means), Member(&Gaussians::log_scales), Member(&Gaussians::quats), Member(&Gaussians::sh)}) {
    double worst = 0;
    for (size_t i = 0; i < (got.*member).size(); ++i)
      worst = std::max(worst, std::abs(double((got.*member)[i]) - (expected.*member)[i]));
    EXPECT_LT(worst, 1e-5);
  }
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(splat::math::sigmoid(double(got.logit_opacities[i])),
                splat::math::sigmoid(double(expected.logit_opacities[i])), 1e-5);
}

TEST(Sog, WhatIsWrittenFarAwayIsReadBack) {
  const TempFolder folder;
  Gaussians model;
  model.sh_degree = 1;
  model.resize(300);
  for (size_t i = 0; i < 300; ++i) {
    model.quats[4 * i] = 1;
    for (size_t c = 0; c < 3; ++c) model.means[3 * i + c] = float(i + c);
  }
  model.means[0] = 1e36f;
  model.means[4] = -3.4e38f;
  model.log_scales[7] = 1e30f;
  model.sh[20] = 1e36f;
  ASSERT_TRUE(write_splat_file(folder.path() / "far.sog", model).ok());
  const auto back = read_splat_file(folder.path() / "far.sog");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->invalid_rows, 0u);
  ASSERT_TRUE(write_splat_file(folder.path() / "far.glb", model).ok());
  const auto glb = read_splat_file(folder.path() / "far.glb");
  ASSERT_TRUE(glb.ok()) << glb.error().message;
  EXPECT_EQ(glb->invalid_rows, 0u) << "no size is infinite";
}

// Only PLY leaves open how opacities and sizes are stored.
TEST(Sog, ValuesThatLookActivatedAreNoMistakeWhereTheFormatFixesThem) {
  const TempFolder folder;
  Gaussians model;
  model.resize(500);
  for (size_t i = 0; i < 500; ++i) {
    model.quats[4 * i] = 1;
    model.logit_opacities[i] = 0.2f + 0.001f * float(i);
    for (size_t c = 0; c < 3; ++c) model.log_scales[3 * i + c] = 0.5f, model.means[3 * i + c] = float(i);
  }
  for (const char* name : {"a.ply", "a.glb", "a.spz", "a.sog"}) {
    ASSERT_TRUE(write_splat_file(folder.path() / name, model).ok());
    bool alarm = false;
    const auto file = read_splat_file(folder.path() / name);
    ASSERT_TRUE(file.ok());
    for (const std::string& warning : file->warnings) alarm = alarm || warning.find("--repair") != std::string::npos;
    EXPECT_EQ(alarm, std::string(name) == "a.ply") << name;
  }
}

}  // namespace
}  // namespace io::test
