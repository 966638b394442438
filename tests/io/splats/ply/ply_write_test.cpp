// Writing PLY files: the layout that fragile readers need, and exact round trips.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>

#include "io/bytes.h"
#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;
using splat::test::TempFolder;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
}

TEST(WriteSplatPly, RoundTripIsBitExact) {
  const TempFolder folder;
  for (int degree = 0; degree <= 3; ++degree) {
    Gaussians model = random_model(5000, degree, uint64_t(degree) + 1);  // several blocks and several reads of the file
    model.means[0] = -0.0f;
    model.sh[1] = std::numeric_limits<float>::denorm_min();
    model.log_scales[2] = std::numeric_limits<float>::max();
    const fs::path path = folder.path() / "model.ply";
    const auto report =
        write_splat_ply(path, model, {.antialiased = degree == 2, .iteration = 7000, .view_up = {{0, 0, 1}}});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->written, 5000u);
    EXPECT_EQ(report->dropped + report->adjusted, 0u);
    const auto file = read_splat_file(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_TRUE(file->warnings.empty());
    EXPECT_EQ(file->antialiased, degree == 2);
    EXPECT_EQ(file->producer, "hipsplat at iteration 7000");
    EXPECT_EQ(file->view_up, (std::array<double, 3>{0, 0, 1}));
    EXPECT_EQ(file->gaussians.sh_degree, degree);
    expect_same_bits(file->gaussians.means, model.means);
    expect_same_bits(file->gaussians.log_scales, model.log_scales);
    expect_same_bits(file->gaussians.quats, model.quats);
    expect_same_bits(file->gaussians.logit_opacities, model.logit_opacities);
    expect_same_bits(file->gaussians.sh, model.sh);
  }
}

// Coordinates of millions of metres, of which a float keeps half a metre.
constexpr std::array<double, 3> kOrigin{512'345.25, 5'400'000.125, 117.0625};

TEST(WriteSplatPly, SurveyCoordinatesKeepEveryDigit) {
  const TempFolder folder;
  const Gaussians model = random_model(3000, 1, 5);
  const fs::path path = folder.path() / "model.ply";
  const SplatFileInfo info{.frame = {kOrigin, 25832}, .survey = true};
  ASSERT_TRUE(write_splat_file(path, model, info).ok());
  const std::string bytes = *read_file(path);
  const size_t data = bytes.find("end_header\n") + 11, row = 3 * 8 + 23 * 4;
  ASSERT_EQ(bytes.size() - data, 3000 * row);
  for (const char* name : {"x", "y", "z"})
    EXPECT_NE(bytes.find("property double " + std::string(name) + "\n"), std::string::npos);
  for (size_t r = 0; r < 3000; ++r)
    for (size_t k = 0; k < 3; ++k) {
      double value = 0;
      std::memcpy(&value, bytes.data() + data + r * row + 8 * k, 8);
      ASSERT_NEAR(value - kOrigin[k], double(model.means[3 * r + k]), 1e-9);
    }
  const auto file = read_splat_file(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->frame, info.frame);
  for (size_t i = 0; i < model.means.size(); ++i) ASSERT_NEAR(file->gaussians.means[i], model.means[i], 1e-9);
  expect_same_bits(file->gaussians.log_scales, model.log_scales);
  expect_same_bits(file->gaussians.sh, model.sh);
}

TEST(WriteSplatPly, WhereItLiesIsKeptByEveryFormat) {
  const TempFolder folder;
  const Gaussians model = random_model(300, 0, 5);
  const SplatFileInfo info{.frame = {kOrigin, 25832}};
  for (const char* name : {"a.ply", "a.compressed.ply", "a.spz", "a.sog", "a.glb", "a.splat"}) {
    const fs::path path = folder.path() / name;
    ASSERT_TRUE(write_splat_file(path, model, info).ok()) << name;
    const auto file = read_splat_file(path);
    ASSERT_TRUE(file.ok()) << name;
    EXPECT_EQ(file->frame, info.frame) << name;
    const auto sum = [](const std::vector<float>& means) { return std::accumulate(means.begin(), means.end(), 0.0); };
    EXPECT_NEAR(sum(file->gaussians.means), sum(model.means), 0.5) << name << " is local, in whatever order";
    EXPECT_EQ(fs::exists(scene_json_of(path)), std::string(name).find(".ply") == std::string::npos) << name;
    ASSERT_TRUE(write_splat_file(path, model).ok());
    EXPECT_FALSE(read_splat_file(path)->frame.says_something()) << name << " has what was there before";
    SplatFileInfo survey = info;
    survey.survey = true;
    const auto report = write_splat_file(path, model, survey);
    EXPECT_EQ(report.ok(), std::string(name) == "a.ply");
    if (!report) expect_sentence(report, {name, "double precision", "what to add"});
  }
}

TEST(WriteSplatPly, TheLowPassIsKeptByEveryFormat) {
  const TempFolder folder;
  const Gaussians model = random_model(300, 0, 7);
  for (const char* name : {"a.ply", "a.compressed.ply", "a.spz", "a.sog", "a.glb", "a.splat"}) {
    const fs::path path = folder.path() / name;
    const bool says = std::string(name).ends_with(".ply") || std::string(name).ends_with(".glb");
    for (const float low_pass : {0.0f, 0.1f}) {
      ASSERT_TRUE(write_splat_file(path, model, {.low_pass = low_pass}).ok()) << name;
      const auto file = read_splat_file(path);
      ASSERT_TRUE(file.ok()) << file.error().message;
      EXPECT_EQ(file->low_pass, low_pass) << name;
      EXPECT_TRUE(file->frame.empty()) << name;
      EXPECT_EQ(fs::exists(scene_json_of(path)), !says) << name;
    }
    ASSERT_TRUE(write_splat_file(path, model).ok());
    EXPECT_EQ(read_splat_file(path)->low_pass, splat::kUsualLowPass) << name << " has what was there before";
    EXPECT_FALSE(fs::exists(scene_json_of(path))) << name;
  }
  // What somebody wrote beside a file of another program.
  std::ofstream(folder.path() / "a.ply.scene.json") << R"({"low_pass": 0.1})";
  EXPECT_EQ(read_splat_file(folder.path() / "a.ply")->low_pass, 0.1f);
}

// What a header says and cannot be is no reason to refuse splats, but to say so.
TEST(WriteSplatPly, ALowPassOrAFrameThatCannotBeIsSaid) {
  const TempFolder folder;
  const auto read = [&](const char* name, const std::string& said, const std::string& instead) {
    const fs::path path = folder.path() / name;
    EXPECT_TRUE(
        write_splat_file(path, random_model(30, 0, 7), {.frame = {{1, 2, 3}, 25832, 2}, .low_pass = 0.1f}).ok());
    std::string bytes = *read_file(path);
    const size_t at = bytes.find(said);
    EXPECT_NE(at, std::string::npos) << name << " " << said;
    std::ofstream(path, std::ios::binary) << bytes.replace(at, said.size(), instead);
    auto file = read_splat_file(path);
    EXPECT_TRUE(file.ok()) << name;
    return *file;
  };
  constexpr std::pair<const char*, const char*> kWrong[] = {{"px^2: 0.1", "px^2: -1 "},
                                                            {"px^2: 0.1", "px^2: nan"},
                                                            {"EPSG: 25832", "EPSG: -5832"},
                                                            {"Metres per unit: 2", "Metres per unit: 0"}};
  for (const char* name : {"a.ply", "a.compressed.ply"})
    for (const auto& [said, instead] : kWrong) {
      const SplatFile file = read(name, said, instead);
      ASSERT_EQ(file.warnings.size(), 1u) << name << " " << instead;
      EXPECT_NE(file.warnings[0].find("which cannot be, and is not used"), std::string::npos) << file.warnings[0];
    }
  EXPECT_EQ(read("a.ply", "px^2: 0.1", "px^2: -1 ").low_pass, splat::kUsualLowPass);
  const SplatFile gltf = read("a.glb", "\"low_pass\":0.1", "\"low_pass\":-1 ");
  EXPECT_EQ(gltf.low_pass, splat::kUsualLowPass);
  EXPECT_TRUE(std::ranges::any_of(gltf.warnings, [](const std::string& warning) {
    return warning.find("low pass") != std::string::npos;
  })) << "the file beside it says that it is of another file, too";
}

// glTF counts in metres; the others say how long a unit is.
TEST(WriteSplatPly, HowLongAUnitIsIsKeptByEveryFormat) {
  const TempFolder folder;
  const Gaussians model = random_model(300, 1, 6);
  SplatFileInfo info;
  info.frame.metres_per_unit = 0.1 + 1e-15;
  for (const char* name : {"a.ply", "a.compressed.ply", "a.spz", "a.sog", "a.splat"}) {
    const fs::path path = folder.path() / name;
    ASSERT_TRUE(write_splat_file(path, model, info).ok()) << name;
    EXPECT_EQ(read_splat_file(path)->frame.metres_per_unit, info.frame.metres_per_unit) << name;
    ASSERT_TRUE(write_splat_file(path, model).ok());
    EXPECT_TRUE(read_splat_file(path)->frame.empty()) << name << " has what was there before";
  }
  const fs::path path = folder.path() / "a.glb", plain = folder.path() / "plain.glb";
  ASSERT_TRUE(write_splat_file(path, model, info).ok() && write_splat_file(plain, model).ok());
  EXPECT_FALSE(fs::exists(scene_json_of(path)));
  const auto metric = read_splat_file(path), units = read_splat_file(plain);
  ASSERT_TRUE(metric.ok() && units.ok());
  EXPECT_EQ(metric->frame.metres_per_unit, 1);
  EXPECT_TRUE(units->frame.empty());
  for (size_t i = 0; i < model.means.size(); ++i) {
    EXPECT_NEAR(metric->gaussians.means[i], 0.1 * units->gaussians.means[i], 1e-6);
    EXPECT_NEAR(metric->gaussians.log_scales[i], units->gaussians.log_scales[i] + std::log(0.1), 1e-5);
  }
  info.frame.epsg = 25832;  // its units are those of the reference system
  ASSERT_TRUE(write_splat_file(path, model, info).ok());
  EXPECT_EQ(read_splat_file(path)->gaussians.means, units->gaussians.means);
}

// SIBR ignores names: the count stands on line 3, then a fixed structure follows the header.
TEST(WriteSplatPly, ReadersWithAFixedLayoutCanReadIt) {
  const TempFolder folder;
  const Gaussians model = random_model(3, 3, 9);
  const fs::path path = folder.path() / "model.ply";
  ASSERT_TRUE(write_splat_ply(path, model, {.view_up = {{0, -1, 0}}}).ok());
  const std::string bytes = *read_file(path);
  EXPECT_TRUE(bytes.starts_with("ply\nformat binary_little_endian 1.0\nelement vertex 3\n"));
  const size_t data = bytes.find("end_header\n") + 11;
  ASSERT_EQ(bytes.size() - data, 3u * 62 * 4);
  std::vector<std::string> properties;
  for (size_t at = bytes.find("property float "); at < data; at = bytes.find("property float ", at + 1))
    properties.push_back(bytes.substr(at + 15, bytes.find('\n', at) - at - 15));
  EXPECT_EQ(properties, inria_properties(3));
  std::vector<float> rows(3 * 62);
  std::memcpy(rows.data(), bytes.data() + data, rows.size() * sizeof(float));
  for (size_t r = 0; r < 3; ++r) {
    const float* row = rows.data() + 62 * r;
    EXPECT_EQ(row[0], model.means[3 * r]);
    for (int normal = 3; normal < 6; ++normal) EXPECT_EQ(row[normal], 0);
    EXPECT_EQ(row[6], model.sh[r * 48]);
    EXPECT_EQ(row[9], model.sh[r * 48 + 3]);        // red of coefficient 1
    EXPECT_EQ(row[9 + 15], model.sh[r * 48 + 4]);   // green of coefficient 1
    EXPECT_EQ(row[9 + 44], model.sh[r * 48 + 47]);  // blue of coefficient 15
    EXPECT_EQ(row[54], model.logit_opacities[r]);
    EXPECT_EQ(row[55], model.log_scales[3 * r]);
    EXPECT_EQ(row[58], model.quats[4 * r]);
  }
}

TEST(WriteSplatPly, FilesHoldFiniteValuesOnly) {
  const TempFolder folder;
  Gaussians model = random_model(3000, 1, 5);
  model.means[3 * 7] = kNan;
  model.sh[12 * 1500 + 5] = kInfinity;
  model.log_scales[3 * 2999] = kInfinity;
  model.logit_opacities[20] = kInfinity;
  model.logit_opacities[21] = -kInfinity;
  model.log_scales[3 * 22 + 1] = -kInfinity;
  const fs::path path = folder.path() / "model.ply";
  const auto report = write_splat_ply(path, model);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->written, 2997u);
  EXPECT_EQ(report->dropped, 3u);
  EXPECT_EQ(report->adjusted, 3u);
  const auto file = read_splat_ply(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.size(), 2997u);
  EXPECT_EQ(file->invalid_rows, 0u);
  for (const float value : file->gaussians.logit_opacities) EXPECT_TRUE(std::isfinite(value));
  for (const float value : file->gaussians.log_scales) EXPECT_TRUE(std::isfinite(value));
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  EXPECT_EQ(sigmoid(file->gaussians.logit_opacities[19]), 1.0f);  // row 7 is gone
  EXPECT_LT(sigmoid(file->gaussians.logit_opacities[20]), 1e-6f);
  EXPECT_EQ(file->gaussians.means[3 * 7], model.means[3 * 8]);
}

TEST(WriteSplatPly, UnwritablePathsAreNamed) {
  const TempFolder folder;
  const Gaussians model = random_model(1, 0, 1);
  expect_sentence(write_splat_ply(folder.path() / "none" / "m.ply", model), {"none/m.ply", "cannot"});
  expect_sentence(write_splat_ply("/dev/full", random_model(20000, 3, 1)), {"/dev/full", "is a device"});
  expect_sentence(write_splat_file(folder.path() / "m.ksplat", model), {"m.ksplat", "cannot write", ".ply"});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WritePointCloudPly, IsReadBack) {
  const TempFolder folder;
  const fs::path path = folder.path() / "input.ply";
  const splat::PointCloud points{{1, 2, 3, -4.5, 5, 6}, {1, 2, 3, 255, 0, 128}};
  ASSERT_TRUE(write_point_cloud_ply(path, points).ok());
  const std::string bytes = *read_file(path);
  EXPECT_TRUE(bytes.starts_with("ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\n"));
  EXPECT_EQ(bytes.size() - bytes.find("end_header\n") - 11, 2u * 27);
  const auto read = read_point_cloud_ply(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->xyz, points.xyz);
  EXPECT_EQ(read->rgb, points.rgb);
}

}  // namespace
}  // namespace io::test
