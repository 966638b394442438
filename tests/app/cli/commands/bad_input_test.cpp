// What bad input gets: exit 2, one sentence that names the file and the place, and nothing written.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/image_file.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

const char* const kCameras = "sparse/0/cameras.txt";
const char* const kImages = "sparse/0/images.txt";
const char* const kPoints = "sparse/0/points3D.txt";
const char* const kPhoto = "images/photo_103.png";

// Training on the scene warns with these words and trains on without.
void expect_training_without(const SceneOnDisk& scene, const std::vector<std::string>& parts, int views) {
  const Ran ran = run({"--train", scene.dataset(), "-o", scene.output("o.ply"), "-i", "3", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const std::string& part : parts) EXPECT_NE(ran.err.find(part), std::string::npos) << part << " in " << ran.err;
  EXPECT_EQ(ran.json_lines().front()["training_views"], views);
}

// Training on the scene is refused with these words, and leaves no output.
void expect_training_refused(const SceneOnDisk& scene, const std::vector<std::string>& parts,
                             const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"--train", scene.dataset(), "-o", scene.output("out"), "-i", "5"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  expect_refused(run(arguments), 2, parts);
  EXPECT_FALSE(fs::exists(scene.output("out"))) << "nothing may be written";
}

TEST(BadInput, AFolderThatIsNoDataset) {
  const SceneOnDisk scene;
  fs::remove_all(fs::path(scene.dataset()) / "sparse");  // photos alone would be aligned (align_test.cpp)
  fs::remove_all(fs::path(scene.dataset()) / "images");
  expect_training_refused(scene, {scene.dataset()});
  fs::remove_all(scene.dataset());
  expect_training_refused(scene, {scene.dataset()});
}

TEST(BadInput, MissingEmptyAndBrokenModelFiles) {
  for (const char* file : {kCameras, kImages}) {
    const SceneOnDisk scene;
    fs::remove(fs::path(scene.dataset()) / file);
    expect_training_refused(scene, {fs::path(file).stem()});
  }
  for (const char* file : {kCameras, kImages}) {
    const SceneOnDisk scene;
    scene.write(file, "");
    expect_training_refused(scene, {fs::path(file).filename()});
  }
  const SceneOnDisk scene;
  scene.write(kCameras, "1 PINHOLE 40 x\n");
  expect_training_refused(scene, {"cameras.txt", "line 1"});
}

TEST(BadInput, ValuesThatAreNoNumbers) {
  const SceneOnDisk scene;
  scene.write(kPoints, "1 0 0 0 1 2 3 0.5\n2 nan 0 0 1 2 3 0.5\n");
  expect_training_without(scene, {"1 3D point cannot be used", "points3D.txt", "line 2"}, 10);
  const SceneOnDisk other;
  other.write(kCameras, "1 PINHOLE 40 32 inf 48 20 16\n");
  expect_training_refused(other, {"cameras.txt", "line 1"});
}

TEST(BadInput, UnknownCameraModel) {
  const SceneOnDisk scene;
  scene.write(kCameras, "1 CRYSTAL_BALL 40 32 48 48 20 16\n");
  expect_training_refused(scene, {"cameras.txt", "CRYSTAL_BALL"});
}

TEST(BadInput, CountsLargerThanTheFile) {
  const SceneOnDisk scene;
  for (const char* file : {kCameras, kImages, kPoints}) fs::remove(fs::path(scene.dataset()) / file);
  const std::string huge(8, '\xff');
  scene.write("sparse/0/cameras.bin", huge);
  scene.write("sparse/0/images.bin", huge);
  scene.write("sparse/0/points3D.bin", huge);
  expect_training_refused(scene, {"cameras.bin", "byte"});
}

TEST(BadInput, NoPhotos) {
  const SceneOnDisk scene;
  fs::remove_all(fs::path(scene.dataset()) / "images");
  expect_training_refused(scene, {scene.dataset()});
}

TEST(BadInput, SomeMissingPhotosAreToldAndLeftOut) {
  const SceneOnDisk scene;
  fs::remove(fs::path(scene.dataset()) / kPhoto);
  const Ran ran = run({"--train", scene.dataset(), "-o", scene.output("o.ply"), "-i", "5", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("photo_103.png"), std::string::npos);
  EXPECT_EQ(ran.json_lines().front()["training_views"], 9);
}

TEST(BadInput, PhotosThatCannotBeDecoded) {
  for (const std::string& bytes :
       {std::string(), std::string("not a picture"), text_of(SceneOnDisk().dataset() + "/" + kPhoto).substr(0, 200)}) {
    const SceneOnDisk scene;
    scene.write(kPhoto, bytes);
    expect_training_without(scene, {"1 photo cannot be used and is left out: 'photo_103.png'"}, 9);
  }
}

TEST(BadInput, PhotosOfAnotherShape) {
  const SceneOnDisk scene;
  scene.write(kPhoto, io::encode_png(splat::test::wavy_picture(40, 20, 3)));
  expect_training_without(scene, {"1 photo cannot be used", "photo_103.png", "40x20", "40x32"}, 9);
  const SceneOnDisk doubled;
  doubled.write(kPhoto, io::encode_png(splat::test::wavy_picture(80, 64, 3)));
  EXPECT_EQ(run({"--train", doubled.dataset(), "-o", doubled.output("o.ply"), "-i", "3"}).code, 0)
      << "the same shape is only a scale";
}

TEST(BadInput, EverythingHeldOut) {
  const SceneOnDisk scene;
  std::string all;
  for (int i = 100; i < 110; ++i) all += (all.empty() ? "photo_" : ",photo_") + std::to_string(i) + ".png";
  expect_training_refused(scene, {"held out"}, {"--test-images", all});
  expect_training_refused(scene, {"nowhere.png"}, {"--test-images", "nowhere.png"});
}

TEST(BadInput, FoldersThatAreNotThere) {
  const SceneOnDisk scene;
  expect_training_refused(scene, {"no-photos"}, {"--images", "no-photos"});
  expect_training_refused(scene, {"no-masks"}, {"--masks", "no-masks"});
  expect_training_refused(scene, {"no-config.json"}, {"--config", "no-config.json"});
}

TEST(BadInput, TheOutputIsCheckedBeforeAnythingIsLoaded) {
  const SceneOnDisk scene;
  const std::string file = scene.dataset() + "/" + kPhoto;
  const auto train = [&](const std::string& out) {
    return run({"--train", scene.dataset(), "-o", out, "-i", "100000"});
  };
  expect_refused(train(file), 2, {file});
  expect_refused(train(file + "/below"), 2, {file});
  expect_refused(train(file + "/below/x.ply"), 2, {file});
  expect_refused(train("/proc/hipsplat"), 2, {"/proc"});
  fs::create_directories(scene.output("folder.ply"));
  expect_refused(train(scene.output("folder.ply")), 2, {"folder.ply"});
}

TEST(BadInput, AReadOnlyFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const SceneOnDisk scene;
  const fs::path out = scene.output("readonly");
  fs::create_directories(out);
  fs::permissions(out, fs::perms::owner_read | fs::perms::owner_exec);
  expect_refused(run({"--train", scene.dataset(), "-o", out, "-i", "5"}), 2, {out});
  fs::permissions(out, fs::perms::owner_all);
}

TEST(BadInput, WrongUsageIsExplained) {
  expect_refused(run({"/tmp", "two.ply"}), 2, {"there is no 'two.ply'"});
  expect_refused(run({"/nowhere/at/all.ply"}), 2, {"/nowhere/at/all.ply"});
  expect_refused(run({"--iteratons", "5"}), 2, {"did you mean --iterations?"});
  expect_refused(run({"--train", "/nowhere/at/all", "-o", "/tmp/never"}), 2, {"/nowhere/at/all"});
  EXPECT_FALSE(fs::exists("/tmp/never"));
}

TEST(BadInput, ABackendThatIsNotUsableIsNeverReplaced) {
  const SceneOnDisk scene;
  for (const char* backend : {"hip", "cuda"})
    expect_refused(run({"--train", scene.dataset(), "-o", scene.output("o.ply"), "--backend", backend}), 3, {backend});
  expect_refused(run({"--train", scene.dataset(), "-o", scene.output("o.ply"), "--backend", "cpu", "--device", "7"}), 3,
                 {"7"});
  EXPECT_FALSE(fs::exists(scene.output("o.ply")));
}

TEST(BadInput, SplatFilesThatAreNone) {
  const SceneOnDisk scene;
  const std::string good = scene.output("good.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", good, "-i", "0"}).code, 0);
  const std::string bytes = text_of(good);
  scene.write("cut.ply", bytes.substr(0, bytes.size() / 2));
  scene.write("empty.ply", "");
  scene.write("noise.ply", "ply?\n");
  std::string fewer = bytes;
  fewer.replace(fewer.find("property float f_rest_44\n"), 25, "");
  scene.write("f_rest.ply", fewer);
  for (const char* name : {"cut.ply", "empty.ply", "noise.ply", "f_rest.ply", "none.ply"}) {
    const std::string path = scene.dataset() + "/" + name;
    expect_refused(run({"--info", path}), 2, {name});
    expect_refused(run({"--evaluate", path, "--data", scene.dataset()}), 2, {name});
    expect_refused(run({"--render", path, "--cameras", scene.dataset(), "-o", scene.output("pictures")}), 2, {name});
    EXPECT_FALSE(fs::exists(scene.output("pictures")));
  }
}

// A pipe that nobody writes into would be waited for without end: a dataset of a stranger may hold one.
TEST(BadInput, PipesInTheFoldersOfOthersAreNotWaitedFor) {
  const auto pipe = [](const fs::path& path) {
    fs::remove_all(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  };
  for (const char* file : {kCameras, kImages, kPoints}) {
    const SceneOnDisk scene;
    pipe(fs::path(scene.dataset()) / file);
    expect_training_refused(scene, {fs::path(file).filename(), "is a pipe"});
    expect_refused(run({"--info", scene.dataset()}), 2, {fs::path(file).filename(), "is a pipe"});
  }
  const SceneOnDisk scene;
  const std::string data = scene.dataset(), out = scene.output("out"), odd = scene.output("odd");
  ASSERT_EQ(run({"--train", data, "-o", out, "-i", "5"}).code, 0);
  pipe(odd);
  pipe(odd + ".json");
  expect_refused(run({"--train", data, "-o", scene.output("a"), "--config", odd}), 2, {"odd", "is a pipe"});
  expect_refused(run({"--train", data, "-o", scene.output("a"), "--region", odd + ".json"}), 2, {"odd", "is a pipe"});
  expect_refused(run({"--train", data, "-o", scene.output("a"), "--resume", odd}), 2, {"odd", "is a pipe"});
  for (const std::string& cameras : {odd, odd + ".json"})
    expect_refused(run({"--render", out, "--cameras", cameras, "-o", scene.output("a")}), 2, {"odd", "is a pipe"});
  pipe(fs::path(data) / "scene.json");
  expect_refused(run({"--train", data, "-o", scene.output("a")}), 2, {"scene.json", "is a pipe"});
}

TEST(BadInput, PipesWhereOutputBelongsAreNotWaitedFor) {
  const SceneOnDisk scene;
  for (const char* name : {"config.json", "cameras.json", "metrics.json", "log.txt"}) {
    const fs::path out = scene.output(std::string("with_") + name);
    fs::create_directories(out);
    ASSERT_EQ(::mkfifo((out / name).c_str(), 0600), 0);
    expect_refused(run({"--train", scene.dataset(), "-o", out, "-i", "5"}), 2, {name, "is a pipe"});
  }
}

// A camera is a few numbers, and may claim any size.
TEST(BadInput, CamerasOfAbsurdSizesAreRefusedBeforeTheyTakeMemory) {
  const SceneOnDisk scene;
  const std::string out = scene.output("out"), cameras = scene.output("c.json");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "5"}).code, 0);
  scene.write_beside("c.json", R"([{"img_name": "a", "width": 65000, "height": 65000, "fx": 60000, "fy": 60000,
      "position": [0, 0, -3], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}])");
  RunOptions little;
  little.address_space_bytes = 2'000'000'000;
  const Ran ran = run({"--render", out, "--cameras", cameras, "-o", scene.output("r")}, little);
  expect_refused(ran, 2, {"c.json", "4 225 million pixels", "memory"});
  EXPECT_LT(ran.peak_rss_bytes, 300'000'000u);
}

TEST(BadInput, PhotosOfAbsurdSizesAreRefusedBeforeTheyTakeMemory) {
  const SceneOnDisk scene;
  const std::string out = scene.output("out.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "5"}).code, 0);
  scene.write("sparse/0/cameras.txt", "1 PINHOLE 65000 65000 60000 60000 32500 32500\n");
  RunOptions little;
  little.address_space_bytes = 2'000'000'000;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--evaluate", out, "--data", scene.dataset()},
        std::vector<std::string>{"--mesh", out, "--data", scene.dataset(), "-o", scene.output("m.ply")}}) {
    const Ran ran = run(words, little);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(ran.error_lines().size(), 1u) << ran.err;
    EXPECT_LT(ran.peak_rss_bytes, 300'000'000u);
  }
}

TEST(BadInput, ANameIsOneLineOfTheResults) {
  const SceneOnDisk scene;
  const std::string out = scene.output("out"), odd = scene.output("a\nerror: b.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", odd, "-i", "2"}).code, 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--info", odd},
                                                std::vector<std::string>{"--convert", odd, scene.output("b\nc.spz")}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out.find("\nerror"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("\nc.spz"), std::string::npos) << ran.out;
  }
}

TEST(BadInput, AViewNameThatNoFileCanHave) {
  const SceneOnDisk scene;
  const std::string out = scene.output("out");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "2"}).code, 0);
  scene.write_beside("c.json", R"([{"img_name": "a\u0000b", "width": 8, "height": 8, "fx": 8, "fy": 8,
      "position": [0, 0, -3], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}])");
  expect_refused(run({"--render", out, "--cameras", scene.output("c.json"), "-o", scene.output("r")}), 2, {"a?b"});
}

}  // namespace
}  // namespace app::test
