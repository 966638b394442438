// glTF with splats: files made here byte by byte, of today's extension and of its drafts; round trips; damage.
#include "io/splats/gltf/gltf.h"

#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "io/bytes.h"
#include "io/io.h"
#include "io/splats/spz/spz.h"
#include "splat/math/activation.h"
#include "splat/math/quat.h"
#include "splat/math/sh.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/golden_bytes.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Gaussians;
using splat::Result;
using splat::test::TempFolder;

// Two splats: attribute after attribute, tightly packed.
struct Golden {
  json root;
  std::string binary;

  Golden() {
    root = {{"asset", {{"version", "2.0"}, {"generator", "a test"}}},
            {"scenes", {{{"nodes", {0}}}}},
            {"nodes", {{{"mesh", 0}}}},
            {"meshes", {{{"primitives", {{{"attributes", json::object()}, {"mode", 0}}}}}}},
            {"bufferViews", json::array()},
            {"accessors", json::array()}};
    add("POSITION", "VEC3", {1, 2, 3, 4, 5, 6});
    add("KHR_gaussian_splatting:ROTATION", "VEC4", {0, 0, 0, 1, 1, 0, 0, 0});
    add("KHR_gaussian_splatting:SCALE", "VEC3", {0.5, 1, 2, 0.25, 0.25, 0.25});
    add("KHR_gaussian_splatting:OPACITY", "SCALAR", {0.5, 1});
    add("KHR_gaussian_splatting:SH_DEGREE_0_COEF_0", "VEC3", {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  }
  json& attributes() { return root["meshes"][0]["primitives"][0]["attributes"]; }
  json& accessor(const std::string& name) { return root["accessors"][attributes()[name].get<size_t>()]; }

  void add(const std::string& name, const std::string& type, const std::vector<float>& values) {
    const size_t components = type == "SCALAR" ? 1 : size_t(type[3] - '0');
    add_bytes(name, type, 5126, values.size() / components,
              std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
  }
  void add_bytes(const std::string& name, const std::string& type, int component, size_t count,
                 const std::string& bytes) {
    attributes()[name] = root["accessors"].size();
    root["accessors"].push_back(
        {{"bufferView", root["bufferViews"].size()}, {"componentType", component}, {"count", count}, {"type", type}});
    root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}});
    binary += bytes;
  }
  void rename(const std::string& from, const std::string& to) {
    attributes()[to] = attributes()[from];
    attributes().erase(from);
  }

  std::string glb() const {
    json whole = root;
    if (!whole.contains("buffers")) whole["buffers"] = {{{"byteLength", binary.size()}}};
    std::string text = whole.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const auto word = [](size_t value) {
      const uint32_t bits = uint32_t(value);
      return std::string(reinterpret_cast<const char*>(&bits), 4);
    };
    return "glTF" + word(2) + word(28 + text.size() + binary.size()) + word(text.size()) + "JSON" + text +
           word(binary.size()) + std::string("BIN\0", 4) + binary;
  }
};

Result<SplatFile> parse(const std::string& bytes) {
  ByteStream stream(bytes, "s.glb");
  return read_gltf(stream);
}
Result<SplatFile> parse(const Golden& golden) { return parse(golden.glb()); }

void expect_near(const std::vector<float>& values, const std::vector<double>& expected, double tolerance = 1e-6) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << i;
}

// Read into PLY's habit: half a turn about z from glTF's y-up.
void expect_golden_values(const Gaussians& model) {
  ASSERT_EQ(model.size(), 2u);
  EXPECT_EQ(model.means, (std::vector<float>{-1, -2, 3, -4, -5, 6}));
  expect_near(model.log_scales, {std::log(0.5), 0, std::log(2.0), std::log(0.25), std::log(0.25), std::log(0.25)});
  // wxyz: (0,0,0,1) times the quaternions of the file, 1 and i
  expect_near(model.quats, {0, 0, 0, 1, 0, 0, 1, 0});
  EXPECT_NEAR(model.logit_opacities[0], 0, 1e-6);
  EXPECT_NEAR(model.logit_opacities[1], 17, 1e-6);
}

TEST(ReadGltf, Golden) {
  const auto file = parse(Golden());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->format, "glTF 2.0 (KHR_gaussian_splatting)");
  EXPECT_EQ(file->producer, "a test");
  EXPECT_EQ(file->view_up, (std::array<double, 3>{0, -1, 0}));
  EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
  expect_golden_values(file->gaussians);
  expect_near(file->gaussians.sh, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
}

TEST(ReadGltf, HigherBandsLookTheSameFromTheTurnedDirection) {
  Golden golden;
  splat::random::Sequence random(1, splat::random::kTest);
  std::vector<float> stored{0.1f, 0.2f, 0.3f};  // of splat 0, [K,3]
  for (int l = 1; l <= 3; ++l)
    for (int m = 0; m < 2 * l + 1; ++m) {
      std::vector<float> values(6);
      for (float& value : values) value = random.normal();
      stored.insert(stored.end(), values.begin(), values.begin() + 3);
      golden.add("KHR_gaussian_splatting:SH_DEGREE_" + std::to_string(l) + "_COEF_" + std::to_string(m), "VEC3",
                 values);
    }
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_EQ(file->gaussians.sh_degree, 3);
  const splat::math::Vec3<double> there{0.48, 0.6, 0.64}, here{-0.48, -0.6, 0.64};
  double basis_there[16], basis_here[16];
  splat::math::sh_basis(3, there, basis_there);
  splat::math::sh_basis(3, here, basis_here);
  for (size_t c = 0; c < 3; ++c) {
    double expected = 0, got = 0;
    for (size_t k = 0; k < 16; ++k) {
      expected += basis_there[k] * stored[3 * k + c];
      got += basis_here[k] * file->gaussians.sh[3 * k + c];
    }
    EXPECT_NEAR(got, expected, 1e-5);
  }
}

TEST(ReadGltf, DraftsWithLogarithmsAreToldApart) {
  Golden golden;
  golden.rename("KHR_gaussian_splatting:SCALE", "unused");
  golden.add("KHR_gaussian_splatting:SCALE", "VEC3", {-3, -2, 1, -1, 0, 0.5});
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.log_scales, (std::vector<float>{-3, -2, 1, -1, 0, 0.5}));
  EXPECT_TRUE(mentions(file->warnings, "logarithms"));
}

TEST(ReadGltf, DraftsWithUnderscoresAndColoursInBytes) {
  Golden golden;
  golden.rename("KHR_gaussian_splatting:ROTATION", "_ROTATION");
  golden.rename("KHR_gaussian_splatting:SCALE", "_SCALE");
  golden.rename("KHR_gaussian_splatting:OPACITY", "gone");
  golden.rename("KHR_gaussian_splatting:SH_DEGREE_0_COEF_0", "gone too");
  golden.add_bytes("COLOR_0", "VEC4", 5121, 2, std::string("\xff\x00\x33\x80\x00\xff\x00\xff", 8));
  golden.accessor("COLOR_0")["normalized"] = true;
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Gaussians& model = file->gaussians;
  EXPECT_NEAR(0.5 + splat::math::kSh0 * model.sh[0], 1, 1e-6);
  EXPECT_NEAR(0.5 + splat::math::kSh0 * model.sh[2], 0.2, 1e-6);
  EXPECT_NEAR(splat::math::sigmoid(double(model.logit_opacities[0])), 128.0 / 255, 1e-6);
}

// Those of vertices are linear in glTF: read to be shown.
TEST(ReadGltf, ColoursWithoutHarmonicsAreLinear) {
  const auto shown = [](const Golden& golden) {
    const auto file = parse(golden);
    EXPECT_TRUE(file.ok()) << file.error().message;
    std::vector<float> colours;
    for (const float dc : file->gaussians.sh) colours.push_back(float(0.5 + splat::math::kSh0 * double(dc)));
    return colours;
  };
  const std::vector<double> expected{1, 0, 94 / 255.0, 163 / 255.0, 92 / 255.0, 128 / 255.0};
  const std::vector<float> linear{1, 0, 0.1119f, 0.3663f, 0.1070f, 0.2158f};
  Golden golden;
  golden.rename("KHR_gaussian_splatting:SH_DEGREE_0_COEF_0", "gone");
  golden.add("COLOR_0", "VEC3", linear);
  expect_near(shown(golden), expected, 1e-3);
  golden.add("COLOR_0", "VEC4", {linear[0], linear[1], linear[2], 1, linear[3], linear[4], linear[5], 0.5});
  expect_near(shown(golden), expected, 1e-3);
  std::string bytes, words;
  for (size_t i = 0; i < 6; ++i) {
    bytes += char(std::lround(linear[i] * 255));
    const uint16_t word = uint16_t(std::lround(linear[i] * 65535));
    words += std::string(reinterpret_cast<const char*>(&word), 2);
    if (i % 3 == 2) bytes += '\0', words += std::string(2, '\0');  // four to a row
  }
  golden.add_bytes("COLOR_0", "VEC3", 5121, 2, bytes);
  golden.root["bufferViews"].back()["byteStride"] = 4;
  golden.accessor("COLOR_0")["normalized"] = true;
  expect_near(shown(golden), expected, 0.01);
  golden.add_bytes("COLOR_0", "VEC3", 5123, 2, words);
  golden.root["bufferViews"].back()["byteStride"] = 8;
  golden.accessor("COLOR_0")["normalized"] = true;
  expect_near(shown(golden), expected, 1e-3);
}

TEST(ReadGltf, NormalizedIntegersStridesAndOffsets) {
  Golden golden;
  golden.add_bytes("KHR_gaussian_splatting:ROTATION", "VEC4", 5120, 2,
                   std::string("\x00\x00\x00\x7f??", 6) + std::string("\x81\x00\x00\x00", 4));
  golden.accessor("KHR_gaussian_splatting:ROTATION")["normalized"] = true;
  golden.root["bufferViews"].back()["byteStride"] = 6;
  expect_near(parse(golden)->gaussians.quats, {0, 0, 0, 1, 0, 0, -1, 0});
  // Interleaved: opacity and a filler, read with an offset.
  const std::vector<float> pairs{9, 0.5f, 9, 1.0f};
  golden.add_bytes("KHR_gaussian_splatting:OPACITY", "SCALAR", 5126, 2,
                   std::string(reinterpret_cast<const char*>(pairs.data()), 16));
  golden.root["bufferViews"].back()["byteStride"] = 8;
  golden.accessor("KHR_gaussian_splatting:OPACITY")["byteOffset"] = 4;
  EXPECT_NEAR(parse(golden)->gaussians.logit_opacities[0], 0, 1e-6);
}

TEST(ReadGltf, NodesMoveTheirSplatsAndMeshesAddUp) {
  Golden golden;
  golden.root["nodes"] = {{{"mesh", 0}, {"children", {1}}, {"translation", {10, 0, 0}}},
                          {{"mesh", 0}, {"scale", {2, 2, 2}}, {"rotation", {0, 0, M_SQRT1_2, M_SQRT1_2}}}};
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_EQ(file->gaussians.size(), 4u);
  expect_near(file->gaussians.means, {-11, -2, 3, -14, -5, 6, -(10 - 4), -2, 6, -(10 - 10), -8, 12}, 1e-5);
  EXPECT_NEAR(file->gaussians.log_scales[6], std::log(0.5) + std::log(2.0), 1e-6);
  golden.root["nodes"] = {{{"mesh", 0}, {"matrix", {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1}}}};
  expect_near(parse(golden)->gaussians.means, {-(10 - 4), -2, 6, -(10 - 10), -8, 12}, 1e-5);
}

// Opacity 0.25 for these elements, instead of what the accessor has.
void make_sparse(Golden& golden, const std::vector<uint16_t>& elements) {
  const auto view_of = [&](const std::string& bytes) {
    golden.root["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", golden.binary.size()}, {"byteLength", bytes.size()}});
    golden.binary += bytes;
    return golden.root["bufferViews"].size() - 1;
  };
  const std::vector<float> values(elements.size(), 0.25f);
  const size_t at = view_of({reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(uint16_t)});
  const size_t with = view_of({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  golden.accessor("KHR_gaussian_splatting:OPACITY")["sparse"] = {
      {"count", elements.size()},
      {"indices", {{"bufferView", at}, {"componentType", 5123}}},
      {"values", {{"bufferView", with}}}};
}

// As tiles of a globe have them: a place far away, within which the numbers of the file are small.
TEST(ReadGltf, NodesFarAwayKeepThePlacesOfTheirSplats) {
  const std::vector<double> kFar{-1714128.6290202274, 4991800.286158917, 3569099.835459654};
  const auto check = [&](Golden& golden, const std::string& what) {
    const auto file = parse(golden);
    ASSERT_TRUE(file.ok()) << what << file.error().message;
    const auto& origin = file->frame.origin;
    for (const size_t row : {0, 1})
      for (size_t c = 0; c < 3; ++c) {
        const double sign = c < 2 ? -1 : 1, stored = double(1 + 3 * row + c);
        EXPECT_NEAR(file->gaussians.means[3 * row + c] + origin[c], sign * (kFar[c] + stored), 2e-6) << what;
      }
    EXPECT_TRUE(mentions(file->warnings, "far from 0")) << what;
  };
  Golden golden;
  json& node = golden.root["nodes"][0];
  node["translation"] = kFar;
  check(golden, "translation");
  node.erase("translation");
  node["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, kFar[0], kFar[1], kFar[2], 1};
  check(golden, "matrix");
  golden.root["nodes"] = {{{"children", {1}}, {"translation", {kFar[0], 0, 0}}},
                          {{"children", {2}}, {"translation", {0, kFar[1], 0}}},
                          {{"mesh", 0}, {"translation", {0, 0, kFar[2]}}}};
  check(golden, "nested");
  golden.root["nodes"] = {{{"mesh", 0}}};
  golden.root["extensions"]["CESIUM_RTC"]["center"] = kFar;
  golden.root["extensionsUsed"] = golden.root["extensionsRequired"] = {"CESIUM_RTC"};
  check(golden, "CESIUM_RTC");
  golden.root["extensions"]["CESIUM_RTC"]["center"] = "here";
  expect_sentence(parse(golden), {"CESIUM_RTC", "no list of three numbers"});
  // Two tiles of a file stay apart.
  Golden tiles;
  tiles.root["scenes"][0]["nodes"] = {0, 1};
  tiles.root["nodes"] = {{{"mesh", 0}, {"translation", kFar}},
                         {{"mesh", 0}, {"translation", {kFar[0] + 5, kFar[1], kFar[2]}}}};
  const auto file = parse(tiles);
  ASSERT_TRUE(file.ok()) << file.error().message;
  for (const size_t row : {0, 1})
    EXPECT_NEAR(file->gaussians.means[6 + 3 * row] - file->gaussians.means[3 * row], -5, 2e-6);
}

TEST(ReadGltf, SparseAccessorsAndThoseWithoutABufferView) {
  Golden golden;
  make_sparse(golden, {1});
  auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_near(file->gaussians.logit_opacities, {0, splat::math::logit(0.25)});
  golden.accessor("KHR_gaussian_splatting:OPACITY").erase("bufferView");  // all 0 but that one
  golden.accessor("POSITION").erase("bufferView");
  file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_near(file->gaussians.logit_opacities, {-17, splat::math::logit(0.25)});
  for (const float value : file->gaussians.means) EXPECT_EQ(std::abs(value), 0);
}

TEST(ReadGltf, AMissingBandIsSaid) {
  Golden golden;
  for (int m = 0; m < 5; ++m)
    golden.add("KHR_gaussian_splatting:SH_DEGREE_2_COEF_" + std::to_string(m), "VEC3", std::vector<float>(6, 0.1f));
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.sh_degree, 0);
  ASSERT_EQ(file->warnings.size(), 1u);
  EXPECT_NE(file->warnings[0].find("band of spherical harmonics is missing"), std::string::npos);
}

// tests/splat/model has what becomes of shapes and colours.
TEST(ReadGltf, WhatIsPassedOverIsNamed) {
  Golden golden;
  EXPECT_TRUE(parse(golden)->unread.empty());
  golden.add("COLOR_0", "VEC4", {1, 1, 1, 1, 1, 1, 1, 1});  // for who does not know the extension
  golden.add("_FEATURE_ID_0", "SCALAR", {0, 1});
  golden.add("KHR_gaussian_splatting:TIME", "SCALAR", {0, 1});
  json& primitive = golden.root["meshes"][0]["primitives"][0];
  primitive["extensions"] = {{"KHR_gaussian_splatting", {{"kernel", "box"}, {"projection", "perspective"}}},
                             {"EXT_mesh_features", json::object()}};
  golden.root["extensionsUsed"] = {"KHR_gaussian_splatting", "KHR_lights_punctual", "KHR_mesh_quantization"};
  golden.root["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", 0}}}}, json::object()}}});
  golden.root["cameras"] = json::array({json::object()});
  golden.root["animations"] = {json::object(), json::object()};
  golden.root["skins"] = json::array({json::object()});
  golden.root["scenes"].push_back(json::object());
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->unread,
            (std::vector<std::string>{"the extension 'EXT_mesh_features'", "the extension 'KHR_lights_punctual'",
                                      "the attribute 'KHR_gaussian_splatting:TIME'", "the attribute '_FEATURE_ID_0'",
                                      "the kernel 'box'", "2 parts of meshes without splats", "1 camera",
                                      "2 animations", "1 skin", "1 other scene"}));
  expect_golden_values(file->gaussians);
}

TEST(ReadGltf, NodesThatMirrorOrStretchAreRead) {
  Golden golden;
  golden.root["nodes"][0]["scale"] = {1, 1, -2};
  auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_near(file->gaussians.means, {-1, -2, -6, -4, -5, -12});
  EXPECT_TRUE(file->warnings.empty());
  golden.root["nodes"][0]["scale"] = {3, 1, 1};
  file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_near(file->gaussians.means, {-3, -2, 3, -12, -5, 6}, 1e-5);
  EXPECT_TRUE(file->warnings.empty()) << "without view-dependent colours nothing is lost";
  for (int m = 0; m < 3; ++m)
    golden.add("KHR_gaussian_splatting:SH_DEGREE_1_COEF_" + std::to_string(m), "VEC3", std::vector<float>(6, 0.1f));
  file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_EQ(file->warnings.size(), 1u);
  EXPECT_NE(file->warnings[0].find("a node stretches its splats"), std::string::npos);
}

TEST(ReadGltf, InstancesAreCopies) {
  Golden golden;
  const json splats = golden.attributes();
  golden.add("TRANSLATION", "VEC3", {0, 0, 0, 10, 0, 0});
  golden.add("SCALE", "VEC3", {1, 1, 1, 2, 2, 2});
  const json instances{{"TRANSLATION", golden.attributes()["TRANSLATION"]}, {"SCALE", golden.attributes()["SCALE"]}};
  golden.attributes() = splats;
  golden.root["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
  golden.root["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = instances;
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.means, (std::vector<float>{-1, -2, 3, -4, -5, 6, -12, -4, 6, -18, -10, 12}));
  EXPECT_NEAR(file->gaussians.log_scales[6], std::log(1.0), 1e-6);
}

// Packed as gltfpack does, its buffer a placeholder without bytes.
TEST(ReadGltf, ViewsPackedByMeshoptimizer) {
  Golden golden;
  const json view = golden.root["bufferViews"][0];  // positions
  const std::string plain = golden.binary.substr(view["byteOffset"], view["byteLength"]);
  std::string packed(meshopt_encodeVertexBufferBound(2, 12), '\0');
  packed.resize(
      meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(packed.data()), packed.size(), plain.data(), 2, 12));
  golden.root["bufferViews"][0] = {{"buffer", 1},
                                   {"byteLength", plain.size()},
                                   {"extensions",
                                    {{"EXT_meshopt_compression",
                                      {{"buffer", 0},
                                       {"byteOffset", golden.binary.size()},
                                       {"byteLength", packed.size()},
                                       {"byteStride", 12},
                                       {"count", 2},
                                       {"mode", "ATTRIBUTES"}}}}}};
  golden.binary += packed;
  golden.root["buffers"] = {
      {{"byteLength", golden.binary.size()}},
      {{"byteLength", plain.size()}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  golden.root["extensionsRequired"] = {"EXT_meshopt_compression"};
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_golden_values(file->gaussians);
  golden.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = 5000;
  expect_sentence(parse(golden), {"buffer view, number 0", "packed by meshoptimizer", "claims 5000 elements"});
  golden.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["byteLength"] = 1'000'000;
  expect_sentence(parse(golden), {"buffer view, number 0", "reaches beyond its buffer"});
  golden.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["byteLength"] = packed.size();
  golden.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = 2;
  EXPECT_TRUE(parse(golden).ok());
  golden.binary[golden.binary.size() - packed.size()] = 0;  // where the packer's mark stands
  expect_sentence(parse(golden), {"buffer view, number 0", "meshoptimizer cannot unpack"});
}

TEST(ReadGltf, BuffersInDataUrisAndFilesBesideIt) {
  const TempFolder folder;
  Golden golden;
  golden.root["buffers"] = {{{"byteLength", golden.binary.size()}, {"uri", "sub%20folder/splats.bin"}}};
  folder.write("sub folder/splats.bin", golden.binary);
  const fs::path outside = folder.write("s.gltf", golden.root.dump());
  const auto file = read_splat_file(outside);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_golden_values(file->gaussians);
  EXPECT_EQ(file->bytes, golden.binary.size() + fs::file_size(outside));

  std::string base64;
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < golden.binary.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < golden.binary.size() ? uint8_t(golden.binary[i + k]) : 0);
    for (int k = 3; k >= 0; --k) base64 += digits[bits >> (6 * k) & 63];
  }
  golden.root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64;
  expect_golden_values(parse(golden.root.dump())->gaussians);

  golden.root["buffers"][0]["uri"] = "../../etc/passwd";
  expect_sentence(parse(golden.root.dump()), {"not a file beside it"});
  golden.root["buffers"][0]["uri"] = "/etc/passwd";
  expect_sentence(parse(golden.root.dump()), {"not a file beside it"});
  golden.root["buffers"][0]["uri"] = "missing.bin";
  expect_sentence(read_splat_file(folder.write("t.gltf", golden.root.dump())), {"missing.bin"});
}

// Two splats at (1, -2, 0.5) in the numbers of the file, as SPZ version 2 that is stored, in a glTF as the extension's
// text shows it; its attributes have no data.
Golden packed_golden() {
  Bytes spz;
  spz.put(0x5053474eu).put(2u).put(2u).put_all<uint8_t>({0, 12, 1, 0});
  for (int row = 0; row < 2; ++row)
    for (const int32_t fixed : {4096, -8192, 2048})
      spz.put(uint8_t(fixed)).put(uint8_t(fixed >> 8)).put(uint8_t(fixed >> 16));
  spz.put_all<uint8_t>({204, 204}).put_all<uint8_t>({127, 255, 0, 128, 128, 128});
  spz.put_all<uint8_t>({0, 160, 255, 80, 80, 80});
  spz.put_all<uint8_t>({255, 128, 128, 128, 128, 64});
  Golden golden;
  golden.binary = stored_gzip(spz);
  golden.root["bufferViews"] = {{{"buffer", 0}, {"byteLength", golden.binary.size()}}};
  json& primitive = golden.root["meshes"][0]["primitives"][0];
  for (json& accessor : golden.root["accessors"]) accessor.erase("bufferView");
  primitive["extensions"]["KHR_gaussian_splatting"] = {
      {"kernel", "ellipse"},
      {"colorSpace", "srgb_rec709_display"},
      {"extensions", {{"KHR_gaussian_splatting_compression_spz_2", {{"bufferView", 0}}}}}};
  return golden;
}

TEST(ReadGltf, SplatsPackedAsSpz) {
  Golden golden = packed_golden();
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->format, "glTF 2.0 (KHR_gaussian_splatting, SPZ version 2)");
  EXPECT_TRUE(file->antialiased);
  EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
  // SPZ's frame inside, y up and z backward: the same as the .spz file alone.
  ByteStream alone(golden.binary, "s.spz");
  const Gaussians spz = read_spz(alone)->gaussians, &model = file->gaussians;
  EXPECT_EQ(model.means, (std::vector<float>{1, 2, -0.5f, 1, 2, -0.5f}));
  EXPECT_EQ(model.means, spz.means);
  EXPECT_EQ(model.quats, spz.quats);
  EXPECT_EQ(model.log_scales, spz.log_scales);
  EXPECT_EQ(model.logit_opacities, spz.logit_opacities);
  EXPECT_EQ(model.sh, spz.sh);
  // Nodes move them as glTF's axes lie: x left, y up, z forward.
  golden.root["nodes"][0]["translation"] = {10, 20, 30};
  expect_near(parse(golden)->gaussians.means, {1 - 10, 2 - 20, -0.5 + 30, 1 - 10, 2 - 20, -0.5 + 30}, 1e-5);
}

TEST(ReadGltf, SplatsPackedAsSpzInTheDraftsOfCesium) {
  // Neither kernel nor colour space: the stored numbers are glTF's own, half a turn about z from ours.
  Golden golden = packed_golden();
  golden.attributes().erase("KHR_gaussian_splatting:SH_DEGREE_0_COEF_0");
  json& extensions = golden.root["meshes"][0]["primitives"][0]["extensions"];
  extensions["KHR_gaussian_splatting"].erase("kernel");
  extensions["KHR_gaussian_splatting"].erase("colorSpace");
  const std::vector<float> expected{-1, 2, 0.5f, -1, 2, 0.5f};
  EXPECT_EQ(parse(golden)->gaussians.means, expected);
  extensions = {{"KHR_spz_gaussian_splats_compression", {{"bufferView", 0}}}};  // the first draft
  const auto file = parse(golden);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.means, expected);
}

TEST(ReadGltf, DamagedSpzInsideIsASentence) {
  const auto expect = [](const std::vector<std::string>& parts, auto&& damage) {
    Golden golden = packed_golden();
    damage(golden, golden.root["meshes"][0]["primitives"][0]["extensions"]["KHR_gaussian_splatting"]["extensions"]
                              ["KHR_gaussian_splatting_compression_spz_2"]);
    expect_sentence(parse(golden), parts);
  };
  expect({"s.glb", "lacks buffer view 7"}, [](Golden&, json& spz) { spz["bufferView"] = 7; });
  expect({"name no buffer view"}, [](Golden&, json& spz) { spz["bufferView"] = "0"; });
  expect({"lacks buffer view"}, [](Golden&, json& spz) { spz.erase("bufferView"); });
  expect({"reaches beyond"}, [](Golden& g, json&) { g.root["bufferViews"][0]["byteOffset"] = 1; });
  expect({"where its bytes are"}, [](Golden& g, json&) { g.root["bufferViews"][0]["buffer"] = 1; });
  expect({"s.glb, buffer view 0", "no SPZ file"}, [](Golden& g, json&) { g.binary[0] = 'x'; });
  expect({"s.glb, buffer view 0", "truncated"}, [](Golden& g, json&) { g.root["bufferViews"][0]["byteLength"] = 40; });
  // Shown by a thousand nodes, it would fill the memory.
  expect({"more splats than it has bytes"}, [](Golden& g, json&) {
    json& primitives = g.root["meshes"][0]["primitives"];
    for (int i = 0; i < 300; ++i) primitives.push_back(primitives[0]);
  });
  EXPECT_EQ(parse(packed_golden())->gaussians.size(), 2u);
}

TEST(ReadGltf, DamageIsASentence) {
  const auto expect = [](const std::vector<std::string>& parts, auto&& damage) {
    Golden golden;
    damage(golden);
    expect_sentence(parse(golden), parts);
  };
  expect({"is a triangle mesh, which the window shows, without splats"},
         [](Golden& g) { g.rename("KHR_gaussian_splatting:ROTATION", "x"); });
  expect({"SCALE"}, [](Golden& g) { g.rename("KHR_gaussian_splatting:SCALE", "x"); });
  expect({"OPACITY"}, [](Golden& g) { g.rename("KHR_gaussian_splatting:OPACITY", "x"); });
  expect({"'s.glb': accessor ", " reaches beyond its buffer"}, [](Golden& g) { g.accessor("POSITION")["count"] = 3; });
  expect({"differ in number"}, [](Golden& g) { g.accessor("POSITION")["count"] = 1; });
  expect({"beyond its buffer"}, [](Golden& g) { g.accessor("POSITION")["count"] = uint64_t(1) << 62; });
  expect({"beyond its buffer"}, [](Golden& g) { g.accessor("POSITION")["byteOffset"] = uint64_t(1) << 63; });
  expect({"accessor 77"}, [](Golden& g) { g.attributes()["POSITION"] = 77; });
  expect({"sparse"}, [](Golden& g) { g.accessor("POSITION")["sparse"] = 1; });
  expect({"sparse", "not there"}, [](Golden& g) { make_sparse(g, {0, 2}); });
  expect({"more elements than the file has bytes"}, [](Golden& g) {
    g.accessor("POSITION").erase("bufferView");
    g.accessor("POSITION")["count"] = 100'000;
  });
  expect({"Draco"}, [](Golden& g) { g.root["extensionsRequired"] = {"KHR_draco_mesh_compression"}; });
  expect({"'s.glb' requires the extension 'EXT_of_tomorrow'"}, [](Golden& g) {
    g.root["extensionsRequired"] = {"KHR_gaussian_splatting", "KHR_materials_unlit", "EXT_of_tomorrow"};
  });
  for (const char* name : {"KHR_gaussian_splatting_lgsc", "KHR_gaussian_splatting_compression_spz_4",
                           "KHR_gaussian_splatting2", "KHR_spz_compression_next", "KHR_materials_of_tomorrow"})
    expect({"requires the extension '" + std::string(name) + "'"}, [&](Golden& g) {
      g.root["extensionsUsed"] = g.root["extensionsRequired"] = {"KHR_gaussian_splatting", name};
    });
  expect({"packed by the extension 'KHR_gaussian_splatting_lgsc'"}, [](Golden& g) {  // used, and not required
    for (json& accessor : g.root["accessors"]) accessor.erase("bufferView");
    g.root["meshes"][0]["primitives"][0]["extensions"]["KHR_gaussian_splatting"]["extensions"] = {
        {"KHR_gaussian_splatting_lgsc", {{"bufferView", 0}}}};
  });
  expect({"kind"}, [](Golden& g) { g.accessor("POSITION")["componentType"] = 5127; });
  expect({"components"}, [](Golden& g) { g.accessor("POSITION")["type"] = "VEC2"; });
  expect({"contain themselves"}, [](Golden& g) { g.root["nodes"][0]["children"] = {0}; });
  expect({"presses its splats flat"}, [](Golden& g) { g.root["nodes"][0]["scale"] = {1, 0, 1}; });
  expect({"node which is not there"}, [](Golden& g) { g.root["scenes"][0]["nodes"] = {5}; });
  expect({"lacks 4 of the"}, [](Golden& g) { g.root["buffers"] = {{{"byteLength", g.binary.size() + 4}}}; });
  expect({"EXT_other_packing", "uncompressed"}, [](Golden& g) {
    g.rename("KHR_gaussian_splatting:ROTATION", "x");
    g.root["meshes"][0]["primitives"][0]["extensions"]["KHR_gaussian_splatting"]["extensions"]["EXT_other_packing"] = {
        {"bufferView", 0}};
  });
  std::string version1 = Golden().glb();
  version1[4] = 1;
  expect_sentence(parse(version1), {"version 1"});
}

// A mesh that many nodes show must not fill the memory.
TEST(ReadGltf, MoreSplatsThanBytesAreRefused) {
  Golden golden;
  golden.root["nodes"] = json::array();
  golden.root["scenes"][0]["nodes"] = json::array();
  for (int i = 0; i < 500; ++i) {
    golden.root["nodes"].push_back({{"mesh", 0}});
    golden.root["scenes"][0]["nodes"].push_back(i);
  }
  expect_sentence(parse(golden), {"more splats than it has bytes"});
}

TEST(ReadGltf, TruncationAnywhereIsASentence) {
  const std::string whole = Golden().glb();
  for (size_t length = 0; length < whole.size(); ++length) expect_sentence(parse(whole.substr(0, length)), {"s.glb"});
}

// ---- writing
TEST(WriteGlb, RoundTripChangesNothingButTheLastDigits) {
  const TempFolder folder;
  const fs::path path = folder.path() / "m.glb";
  for (int degree = 0; degree <= 3; ++degree) {
    const Gaussians model = random_model(5000, degree, uint64_t(degree) + 1);
    SplatFileInfo info;
    info.antialiased = degree == 2;
    info.flat = degree == 3;
    const auto report = write_splat_file(path, model, info);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report->losses.empty());
    const auto file = read_splat_file(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->antialiased, degree == 2);
    EXPECT_EQ(file->flat, degree == 3);
    const Gaussians& got = file->gaussians;
    ASSERT_EQ(got.size(), 5000u);
    EXPECT_EQ(got.means, model.means);
    ASSERT_EQ(got.sh.size(), model.sh.size());
    for (size_t i = 0; i < got.sh.size(); ++i) ASSERT_NEAR(got.sh[i], model.sh[i], 1e-6);
    for (size_t i = 0; i < got.log_scales.size(); ++i) ASSERT_NEAR(got.log_scales[i], model.log_scales[i], 1e-6);
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(got.logit_opacities[i], model.logit_opacities[i], 1e-5);
      double product = 0, norm = 0;
      for (size_t k = 4 * i; k < 4 * i + 4; ++k) {
        product += double(got.quats[k]) * model.quats[k];
        norm += double(model.quats[k]) * model.quats[k];
      }
      ASSERT_NEAR(std::abs(product) / std::sqrt(norm), 1, 1e-6);
    }
  }
}

TEST(WriteGlb, IsYUpWhateverTheModelSays) {
  const TempFolder folder;
  const fs::path path = folder.path() / "m.glb";
  Gaussians model = random_model(1, 0, 1);
  const auto position_up = [&](std::array<double, 3> up) {
    for (size_t c = 0; c < 3; ++c) model.means[c] = float(3 * up[c]);  // 3 units up
    SplatFileInfo info;
    info.view_up = up;
    EXPECT_TRUE(write_splat_file(path, model, info).ok());
    const auto file = read_splat_file(path);
    EXPECT_TRUE(file.ok());
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(file->gaussians.means[c], model.means[c], 1e-6) << "read, it is where it was";
      EXPECT_NEAR(file->view_up.value()[c], up[c], 1e-9);
    }
    const std::string bytes = *read_file(path);
    uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, sizeof length);
    const json root = json::parse(bytes.substr(20, length));
    return root["accessors"][0]["min"].get<std::vector<float>>();
  };
  for (const std::array<double, 3>& up :
       {std::array<double, 3>{0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0.6, 0.8}})
    expect_near(position_up(up), {0, 3, 0});
}

TEST(WriteGlb, EmptyModelsAndOtherExtensionsAreRefused) {
  const TempFolder folder;
  expect_sentence(write_splat_file(folder.path() / "m.glb", Gaussians()), {"no splats are left"});
  expect_sentence(write_splat_file(folder.path() / "m.gltf", random_model(2, 0, 1)), {".glb"});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WriteGlb, TheContainerIsAsTheSpecificationSays) {
  const TempFolder folder;
  const fs::path path = folder.path() / "m.glb";
  Gaussians model = random_model(7, 1, 1);
  std::copy_n(std::array{0.5f, -0.5f, 0.0f}.data(), 3, model.sh.data());
  ASSERT_TRUE(write_splat_file(path, model).ok());
  const std::string bytes = *read_file(path);
  const auto word = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  };
  EXPECT_EQ(word(8), bytes.size());
  const size_t text = word(12);
  EXPECT_EQ(text % 4, 0u);
  EXPECT_EQ(word(20 + text), bytes.size() - 28 - text);
  const json root = json::parse(bytes.substr(20, text));
  EXPECT_EQ(root["extensionsUsed"][0], "KHR_gaussian_splatting");
  const json& primitive = root["meshes"][0]["primitives"][0];
  EXPECT_EQ(primitive["mode"], 0);
  EXPECT_EQ(primitive["extensions"]["KHR_gaussian_splatting"]["kernel"], "ellipse");
  EXPECT_EQ(primitive["attributes"].size(), 5u + 4u);
  for (const json& view : root["bufferViews"]) EXPECT_EQ(view["byteOffset"].get<size_t>() % 4, 0u);
  EXPECT_EQ(root["accessors"][0]["min"].size(), 3u);
  // Colours of vertices are linear: 0.641, 0.359, 0.5 as they are shown.
  const size_t view = root["accessors"][primitive["attributes"]["COLOR_0"].get<size_t>()]["bufferView"];
  const auto* colour = reinterpret_cast<const uint8_t*>(bytes.data()) + 28 + text +
                       root["bufferViews"][view]["byteOffset"].get<size_t>();
  EXPECT_EQ(std::vector<int>(colour, colour + 3), (std::vector<int>{94, 27, 55}));
}

}  // namespace
}  // namespace io::test
