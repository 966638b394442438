// What a path is, and that every command decides it alike.
#include "app/jobs/input/recognise.h"

#include "app/jobs/input/splat_input.h"

#include <gtest/gtest.h>

#include "io/bytes.h"
#include "io/splats/common/zip_archive.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;

TEST(Recognise, AResultFolderIsItsNewestSplats) {
  const TempFolder folder;
  for (const char* name : {"iteration_7000", "iteration_30000", "iteration_900", "other"})
    folder.write(fs::path("run/point_cloud") / name / "point_cloud.ply", "x");
  const Recognised found = recognise(folder.path() / "run");
  EXPECT_EQ(found.kind, PathKind::kSplats);
  EXPECT_EQ(found.path, folder.path() / "run/point_cloud/iteration_30000/point_cloud.ply");
  EXPECT_EQ(recognise(folder.path()).kind, PathKind::kDataset);
  folder.write("sog/meta.json", "{}");
  EXPECT_EQ(recognise(folder.path() / "sog").kind, PathKind::kSplats);
  EXPECT_EQ(recognise(folder.path() / "transforms_train.json").kind, PathKind::kDataset);
  EXPECT_EQ(recognise(folder.path() / "a.spz").kind, PathKind::kSplats);
}

TEST(Recognise, AFolderWithoutSplatsIsItsNewestCheckpoint) {
  const TempFolder folder;
  for (const char* name : {"iteration_40.checkpoint", "iteration_100.checkpoint", "iteration_200.part"})
    folder.write(fs::path("run/checkpoints") / name, "HSPLATCK");
  const Recognised found = recognise(folder.path() / "run");
  EXPECT_EQ(found.kind, PathKind::kCheckpoint);
  EXPECT_EQ(found.path, folder.path() / "run/checkpoints/iteration_100.checkpoint");
  EXPECT_EQ(recognise(found.path).kind, PathKind::kCheckpoint) << "by its content, whatever its name";
  folder.write("run/images/a.png", "x");
  EXPECT_EQ(recognise(folder.path() / "run").kind, PathKind::kDataset) << "photos that were trained on in place";
}

TEST(Recognise, JsonFilesByTheirContent) {
  const TempFolder folder;
  EXPECT_EQ(recognise(folder.write("a.json", " \n[{\"id\": 0}]")).kind, PathKind::kCameras);
  EXPECT_EQ(recognise(folder.write("b.json", "{\"frames\": []}")).kind, PathKind::kDataset);
  EXPECT_EQ(recognise(folder.write("cameras.json", "{}")).kind, PathKind::kCameras);
  EXPECT_EQ(recognise(folder.write("meta.json", "{}")).kind, PathKind::kSplats);
}

TEST(Recognise, JsonFilesOfOtherKindsAreNamed) {
  const TempFolder folder;
  const fs::path tiles = folder.write("tileset.json", R"({"asset": {}, "geometricError": 1})");
  const fs::path list = folder.write("list.json", "[1, 2]");
  EXPECT_EQ(recognise(list).kind, PathKind::kDataset);
  EXPECT_NE(foreign_json(tiles).find("3D Tiles"), std::string::npos);
  EXPECT_NE(foreign_json(list).find("neither splats nor a dataset"), std::string::npos);
  EXPECT_EQ(foreign_json(folder.write("b.json", "{\"frames\": []}")), "");
  const auto splats = read_splat_input(tiles, 1, nullptr);
  ASSERT_FALSE(splats.ok());
  EXPECT_NE(splats.error().message.find("3D Tiles"), std::string::npos) << splats.error().message;
}

// A short run, and what it left in every form that splats can have.
class EveryCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({"--train", scene_.dataset(), "-o", run_, "-i", "20", "--eval"}).code, 0);
    ASSERT_EQ(run({"--convert", run_, scene_.output("packed.sog")}).code, 0);
    const std::string packed = *io::read_file(scene_.output("packed.sog"));
    const auto zip = io::ZipReader::open(packed, "packed.sog");
    for (const char* name : {"meta.json", "means_l.webp", "means_u.webp", "scales.webp", "quats.webp", "sh0.webp",
                             "shN_centroids.webp", "shN_labels.webp"})
      for (const std::string& entry : zip->find(name))
        scene_.write_beside("sog/" + std::string(name), *zip->read(entry));
  }

  std::vector<std::string> forms() const {
    return {run_, run_ + "/point_cloud/iteration_20/point_cloud.ply", run_ + "/checkpoints/iteration_20.checkpoint",
            scene_.output("packed.sog"), scene_.output("sog")};
  }

  const SceneOnDisk scene_;
  const std::string run_ = scene_.output("run");
};

TEST_F(EveryCommand, TakesSplatsInEveryForm) {
  for (const std::string& form : forms()) {
    const Ran info = run({"--info", form, "--json"});
    ASSERT_EQ(info.code, 0) << form << ": " << info.err;
    EXPECT_GT(info.json_lines().at(0)["splats"], 0) << form;
    const Ran evaluated = run({"--evaluate", form, "--data", scene_.dataset(), "--json"});
    ASSERT_EQ(evaluated.code, 0) << form << ": " << evaluated.err;
    EXPECT_EQ(evaluated.summary()["views"].size(), 2u) << form;
    const Ran converted = run({"--convert", form, "-o", scene_.output("copy.ply"), "--json"});
    ASSERT_EQ(converted.code, 0) << form << ": " << converted.err;
    EXPECT_EQ(converted.summary()["splats"], info.json_lines().at(0)["splats"]) << form;
    EXPECT_EQ(run({"--render", form, "--cameras", scene_.dataset(), "-o", scene_.output("pictures")}).code, 0) << form;
  }
}

TEST_F(EveryCommand, GivesTheSameModelForARunItsSplatsAndItsCheckpoint) {
  std::string first;
  for (size_t i = 0; i < 3; ++i) {
    const std::string copy = scene_.output("copy.splat");
    ASSERT_EQ(run({"--convert", forms()[i], "-o", copy}).code, 0);
    if (i == 0) first = text_of(copy);
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(text_of(copy), first) << forms()[i];
  }
}

TEST_F(EveryCommand, RendersFromTheCamerasOfARun) {
  for (const std::string& cameras : {run_, run_ + "/cameras.json", run_ + "/checkpoints/iteration_20.checkpoint"}) {
    const Ran ran = run({"--render", run_, "--cameras", cameras, "-o", scene_.output("pictures"), "--json"});
    ASSERT_EQ(ran.code, 0) << cameras << ": " << ran.err;
    EXPECT_EQ(ran.summary()["pictures"].size(), 10u) << cameras;
  }
}

TEST_F(EveryCommand, RefusesWhatHoldsNoSplats) {
  const std::string cameras = run_ + "/cameras.json", copy = scene_.output("copy.ply");
  for (const std::string& input : {scene_.dataset(), cameras}) {
    expect_refused(run({"--convert", input, copy}), 2, {input, "no splats"});
    expect_refused(run({"--evaluate", input, "--data", scene_.dataset()}), 2, {input, "no splats"});
    expect_refused(run({"--render", input, "--cameras", scene_.dataset(), "-o", scene_.output("p")}), 2,
                   {input, "no splats"});
  }
  expect_refused(run({"--info", cameras}), 2, {cameras, "holds cameras"});
  EXPECT_EQ(run({"--info", scene_.dataset()}).code, 0);
}

}  // namespace
}  // namespace app::test
