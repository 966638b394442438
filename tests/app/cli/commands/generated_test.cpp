// Objects of neural networks through the program: recognised, repaired, made a mesh of without photos.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "tests/support/generated_objects.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using splat::test::Generator;
using Direction = std::array<double, 3>;

struct GeneratedObjects : public testing::Test {
  const splat::test::TempFolder folder;

  fs::path object(Generator generator, size_t splats = 2000) {
    return folder.write("object.ply", splat::test::generated_object(generator, splats));
  }
  nlohmann::json info(const fs::path& path) {
    const Ran ran = run({"--info", path, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.json_lines().at(0);
  }
};

TEST_F(GeneratedObjects, TrellisIsRecognisedAndNeedsNothing) {
  const nlohmann::json facts = info(object(Generator::kTrellis));
  EXPECT_EQ(facts["generator"], "TRELLIS");
  EXPECT_EQ(facts["up"], (Direction{0, -1, 0}));
  EXPECT_EQ(facts["up_source"], "TRELLIS's convention");
  EXPECT_EQ(facts["antialiased"], true);
  EXPECT_EQ(facts["low_pass"], 0.1);
  EXPECT_EQ(facts["warnings"].size(), 0u) << facts["warnings"];
  EXPECT_NE(run({"--info", folder.path() / "object.ply"}).out.find("generator    TRELLIS"), std::string::npos);
}

// Many programs write files as theirs: nothing is decided by it.
TEST_F(GeneratedObjects, LgmAndDreamGaussianAreGuesses) {
  for (const auto& [generator, name] :
       {std::pair{Generator::kLgm, "LGM"}, std::pair{Generator::kDreamGaussian, "DreamGaussian"}}) {
    const nlohmann::json facts = info(object(generator));
    EXPECT_EQ(facts["generator"], nullptr);
    EXPECT_EQ(facts["resembles"], name);
    EXPECT_EQ(facts["up"], nullptr);
    EXPECT_EQ(facts["antialiased"], false);
    ASSERT_EQ(facts["warnings"].size(), 1u) << facts["warnings"];
    EXPECT_NE(facts["warnings"][0].get<std::string>().find("--transform \"rotate 180 0 0\""), std::string::npos);
    EXPECT_NE(run({"--info", folder.path() / "object.ply"}).out.find(std::string("perhaps ") + name),
              std::string::npos);
    const fs::path plain = folder.path() / "plain.ply", glb = folder.path() / "object.glb";
    ASSERT_EQ(run({"--convert", folder.path() / "object.ply", "-o", plain}).code, 0);
    EXPECT_EQ(info(plain)["up"], nullptr) << "a guess is not written";
    ASSERT_EQ(run({"--convert", folder.path() / "object.ply", "-o", glb}).code, 0);
    const auto before = io::read_splat_ply(folder.path() / "object.ply");
    const auto after = io::read_splat_file(glb);
    ASSERT_TRUE(before.ok() && after.ok());
    EXPECT_EQ(after->gaussians.means, before->gaussians.means);
  }
}

TEST_F(GeneratedObjects, TheProposedRepairUndoesWhatLgmActivates) {
  const fs::path activated = object(Generator::kLgmActivated), repaired = folder.path() / "repaired.ply",
                 usual = folder.write("usual.ply", splat::test::generated_object(Generator::kLgm, 2000));
  const nlohmann::json facts = info(activated);
  EXPECT_EQ(facts["resembles"], "LGM");
  ASSERT_EQ(facts["warnings"].size(), 2u) << facts["warnings"];
  EXPECT_NE(facts["warnings"][0].get<std::string>().find("--repair opacity,scale,colour"), std::string::npos);
  ASSERT_EQ(run({"--convert", activated, repaired, "--repair", "opacity,scale,colour"}).code, 0);
  const auto a = io::read_splat_ply(repaired), b = io::read_splat_ply(usual);
  ASSERT_TRUE(a.ok() && b.ok());
  ASSERT_EQ(a->gaussians.size(), b->gaussians.size());
  EXPECT_EQ(a->view_up, b->view_up) << "who has been repaired is still upright";
  const auto expect_equal = [](const std::vector<float>& x, const std::vector<float>& y) {
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 2e-4) << i;
  };
  expect_equal(a->gaussians.logit_opacities, b->gaussians.logit_opacities);
  expect_equal(a->gaussians.log_scales, b->gaussians.log_scales);
  expect_equal(a->gaussians.sh, b->gaussians.sh);
  expect_equal(a->gaussians.quats, b->gaussians.quats);
}

// One mark that is missing, and it is any file.
TEST_F(GeneratedObjects, OtherFilesAreNotTakenForThem) {
  EXPECT_EQ(info(object(Generator::kTrellis, 400))["generator"], nullptr) << "too few to show anything";
  std::string bytes = splat::test::generated_object(Generator::kLgm, 2000);
  const auto with = [&](size_t offset, float value) {
    std::string changed = bytes;
    std::memcpy(changed.data() + changed.find("end_header\n") + 11 + offset, &value, sizeof value);
    return info(folder.write("changed.ply", changed))["resembles"];
  };
  EXPECT_EQ(with(0, 0.1f), "LGM");
  EXPECT_EQ(with(0, 1.5f), nullptr) << "out of its cube";
  EXPECT_EQ(with(4 * 10, 2), nullptr) << "not a unit";
  EXPECT_EQ(with(4 * 6, -6), nullptr) << "more transparent than it leaves in";
  EXPECT_EQ(with(4 * 3, 3), nullptr) << "brighter than it paints";
  bytes.insert(bytes.find("element"), "comment Generated by another program\n");
  EXPECT_EQ(with(0, 0.1f), nullptr);
}

std::array<float, 3> at(const std::string& bytes, size_t offset) {
  std::array<float, 3> p{};
  std::memcpy(p.data(), bytes.data() + offset, sizeof p);
  return p;
}

TEST_F(GeneratedObjects, AMeshIsTheObject) {
  for (const Generator generator : {Generator::kTrellis, Generator::kDreamGaussian}) {
    const fs::path out = folder.path() / "mesh.ply";
    const double turned = generator == Generator::kTrellis ? -1 : 1;  // y and z, in the file
    const Ran ran = run({"--mesh", object(generator, 30000), "-o", out, "--mesh-detail", "coarse", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.summary()["crowded_edges"], 0);
    EXPECT_EQ(ran.summary()["degenerate_faces"], 0);
    const std::string bytes = text_of(out);
    const size_t data = bytes.find("end_header\n") + 11, vertices = ran.summary()["vertices"].get<size_t>();
    ASSERT_GT(vertices, 2000u);
    size_t near = 0, coloured = 0;
    double right = 0;
    for (size_t v = 0; v < vertices; ++v) {
      const auto p = at(bytes, data + 27 * v);
      near += std::abs(splat::test::distance_to_object({p[0], turned * p[1], turned * p[2]})) < 0.01;
      right = std::max(right, double(p[0]));
      const auto red = uint8_t(bytes[data + 27 * v + 24]);
      const double above = turned * p[1] - splat::test::kObjectNeck;
      coloured += std::abs(above) < 0.01 || (above > 0) == (red > 128);
    }
    EXPECT_GT(double(near), 0.98 * double(vertices)) << int(generator);
    EXPECT_GT(double(coloured), 0.97 * double(vertices)) << int(generator);
    EXPECT_GT(right, splat::test::kObjectRight - 0.02) << "the hand is there";
  }
}

// As glTF has it, whichever way the generator does.
TEST_F(GeneratedObjects, AMeshInGltfStandsUpright) {
  for (const Generator generator : {Generator::kTrellis, Generator::kLgm}) {
    const fs::path out = folder.path() / "mesh.glb";
    fs::path file = object(generator, 30000);
    if (generator == Generator::kLgm) {  // as --info proposes
      const fs::path turned = folder.path() / "turned.ply";
      ASSERT_EQ(run({"--convert", file, "-o", turned, "--transform", "rotate 180 0 0"}).code, 0);
      file = turned;
    }
    const Ran ran = run({"--mesh", file, "-o", out, "--mesh-detail", "coarse", "--texture", "1024", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string bytes = text_of(out);
    uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, sizeof length);
    const auto document = nlohmann::json::parse(bytes.substr(20, length));
    const size_t positions = document["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    const nlohmann::json& accessor = document["accessors"][positions];
    EXPECT_NEAR(accessor["max"][1], splat::test::kObjectTop, 0.02) << int(generator);
    EXPECT_NEAR(accessor["min"][1], splat::test::kObjectBottom, 0.02) << int(generator);
  }
}

}  // namespace
}  // namespace app::test
