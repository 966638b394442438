// --evaluate and --render through the program, on a splat file that --train wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "io/image_file.h"
#include "io/io.h"
#include "tests/support/dead_process.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/tiny_dataset.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

struct Trained : public testing::Test {
  SceneOnDisk scene;
  fs::path out = scene.output("out");
  fs::path splats = out / "point_cloud/iteration_60/point_cloud.ply";

  nlohmann::json train(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--train", scene.dataset(), "-o", out, "-i", "60", "--eval", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.summary();
  }
};

TEST_F(Trained, EvaluateGivesTheFiguresOfTheSummary) {
  const nlohmann::json summary = train();
  const Ran ran = run({"--evaluate", splats, "--data", scene.dataset(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json evaluation = ran.summary();
  EXPECT_EQ(evaluation["psnr"], summary["psnr"]);
  EXPECT_EQ(evaluation["ssim"], summary["ssim"]);
  EXPECT_EQ(evaluation["flip"], summary["flip"]);
  EXPECT_GT(evaluation["views"][0]["flip"], 0);
  EXPECT_EQ(evaluation["views"], summary["views"]);
  EXPECT_EQ(evaluation["splats"], summary["splats"]);
  EXPECT_GT(evaluation["views"][0]["best_tile"]["psnr"], evaluation["views"][0]["worst_tile"]["psnr"]);
  EXPECT_EQ(evaluation["training_fit"], summary["training_fit"]);
  EXPECT_EQ(nlohmann::json::parse(text_of(out / "metrics.json"))["training_fit"], summary["training_fit"]);
}

TEST_F(Trained, BothSayHowWellThePhotosTrainedOnFit) {
  const nlohmann::json summary = train();
  const nlohmann::json& fit = summary["training_fit"];
  ASSERT_EQ(fit["photos"].size(), summary["training_views"]);
  for (const auto& photo : fit["photos"])
    for (const auto& held_out : summary["views"]) EXPECT_NE(photo["name"], held_out["name"]);
  EXPECT_NEAR(fit["train_test_gap"].get<double>(), fit["psnr"].get<double>() - summary["psnr"].get<double>(), 1e-9);
  EXPECT_LE(fit["photos"][0]["psnr"], fit["median_psnr"]);
  EXPECT_LT(fit["splats_seen_by_one_photo"], summary["splats"]);
  EXPECT_NE(text_of(out / "report.html").find("Photos trained on"), std::string::npos);
  EXPECT_NE(text_of(out / "report.html").find("class=\"tile worst\""), std::string::npos);
  ASSERT_EQ(fit["held_out"]["views"].size(), summary["views"].size());
  EXPECT_EQ(fit["held_out"]["views"][0]["name"], summary["views"][0]["name"]);
  EXPECT_LT(fit["held_out"]["confirmed_by_no_photo"], 0.9);
  EXPECT_GT(fit["held_out"]["psnr_confirmed_by_two"], 5);
  EXPECT_NE(text_of(out / "report.html").find("confirmed by one photo alone"), std::string::npos);
}

TEST_F(Trained, ShortRunsLookAtFewPhotosAgain) {
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "1", "--test-images", "photo_100.png", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["training_fit"]["photos"].size(), 8u);
  EXPECT_EQ(ran.summary()["training_fit"]["training_photos"], 9);
  EXPECT_TRUE(ran.summary()["training_fit"]["splats_seen_by_one_photo"].is_null());
  EXPECT_FALSE(ran.summary()["training_fit"].contains("held_out")) << "others may confirm what these do not";
}

TEST_F(Trained, AntialiasedFilesAreEvaluatedAsTheyWereTrained) {
  const nlohmann::json summary = train({"--antialias", "--background", "white"});
  const Ran ran = run({"--evaluate", splats, "--data", scene.dataset(), "--background", "white", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["psnr"], summary["psnr"]);
}

// By its header, and by the file beside a format that has no place for it; an option wins.
TEST_F(Trained, SplatsAreEvaluatedWithTheirOwnLowPass) {
  const nlohmann::json summary = train({"--low-pass", "2"});
  const fs::path compact = scene.output("low.splat"), glb = scene.output("low.glb");
  const auto psnr = [&](const fs::path& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--evaluate", file, "--data", scene.dataset(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.summary()["psnr"].get<double>();
  };
  EXPECT_EQ(psnr(splats, {}), summary["psnr"]);
  EXPECT_EQ(psnr(splats, {"--low-pass", "2"}), summary["psnr"]);
  EXPECT_GT(std::abs(psnr(splats, {"--low-pass", "0.3"}) - summary["psnr"].get<double>()), 0.01);
  for (const fs::path& file : {compact, glb}) {
    ASSERT_EQ(run({"--convert", splats, file}).code, 0);
    EXPECT_EQ(psnr(file, {}), psnr(file, {"--low-pass", "2"})) << file;
  }
}

TEST(Evaluate, PhotosOfAnotherSceneAreNamedBelowTheFigures) {
  const SceneOnDisk scene;
  const fs::path other = scene.output("other.ply");
  ASSERT_TRUE(io::write_splat_file(other, splat::test::make_tiny_dataset({.seed = 2}).truth).ok());
  const Ran ran = run({"--evaluate", other, "--data", scene.dataset()});
  EXPECT_EQ(ran.code, 2);
  ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
  EXPECT_NE(ran.error_lines()[0].find("do not show these splats"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("mean"), std::string::npos);
}

// Only its pixels say so, after the views to measure are known: the last of nine is held out.
TEST_F(Trained, EvaluateGoesOnWithoutAPhotoThatDoesNotDecode) {
  train();
  const fs::path photo = fs::path(scene.dataset()) / "images" / "photo_104.png";
  const std::string bytes = text_of(photo);
  ASSERT_GT(bytes.size(), 100u);
  scene.write("images/photo_104.png", bytes.substr(0, bytes.size() / 2));
  const Ran ran = run({"evaluate", splats, "--data", scene.dataset(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("photo_104.png"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.summary()["views"].size(), 2u);
  for (const char* name : {"photo_100.png", "photo_108.png"})
    scene.write(std::string("images/") + name, bytes.substr(0, bytes.size() / 2));
  expect_refused(run({"evaluate", splats, "--data", scene.dataset(), "--quiet"}), 2, {"nothing to evaluate on"});
}

TEST_F(Trained, EvaluatePrintsATableForPeople) {
  train();
  const Ran ran = run({"--evaluate", splats, "--data", scene.dataset(), "--quiet"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("photo_108.png"), std::string::npos);
  EXPECT_NE(ran.out.find("mean"), std::string::npos);
  EXPECT_NE(ran.out.find("worst tile"), std::string::npos);
  EXPECT_NE(ran.out.find("gap to held out"), std::string::npos);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Trained, RefinedCamerasAreInTheFilesAndEvaluationsScoredBothWays) {
  const nlohmann::json plain = train();
  EXPECT_FALSE(plain.contains("poses"));
  EXPECT_FALSE(plain.contains("psnr_aligned"));
  const std::string given = text_of(out / "cameras.json");
  const nlohmann::json summary = train({"--poses", "on"});
  EXPECT_EQ(summary["poses"]["refined"], true);
  EXPECT_EQ(summary["poses"]["photos"].size(), summary["training_views"]);
  EXPECT_GT(summary["poses"]["photos"][0]["moved_px"], 0);
  EXPECT_NE(text_of(out / "cameras.json"), given);
  EXPECT_NE(text_of(out / "report.html").find("Cameras were refined"), std::string::npos);
  const Ran ran = run({"--evaluate", splats, "--data", scene.dataset(), "--align-poses", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["psnr_aligned"], summary["psnr_aligned"]);
  EXPECT_EQ(ran.summary()["psnr"], summary["psnr"]);
  const Ran for_people = run({"--evaluate", splats, "--data", scene.dataset(), "--align-poses", "--quiet"});
  EXPECT_NE(for_people.out.find("with cameras fitted: PSNR"), std::string::npos);
}

TEST_F(Trained, RenderWritesAPictureForEveryView) {
  train();
  const fs::path from_dataset = scene.output("a"), from_file = scene.output("b c/ü");
  fs::create_directory(from_file.parent_path());
  ASSERT_EQ(run({"--render", splats, "--cameras", scene.dataset(), "-o", from_dataset}).code, 0);
  const Ran ran = run({"--render", splats, "--cameras", out / "cameras.json", "-o", from_file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["pictures"].size(), 10u);
  for (int i = 100; i < 110; ++i) {
    const std::string name = "photo_" + std::to_string(i) + ".png";
    const auto picture = io::read_image(from_dataset / name);
    ASSERT_TRUE(picture.ok()) << picture.error().message;
    EXPECT_EQ(picture->width, 40);
    EXPECT_EQ(picture->height, 32);
    EXPECT_TRUE(text_of(from_dataset / name) == text_of(from_file / name)) << "cameras.json holds the same cameras";
  }
}

// Of a COLMAP model in text form, in other units.
void scale_model(const fs::path& sparse, double times) {
  for (const char* name : {"images.txt", "points3D.txt"}) {
    const bool images = name[0] == 'i';
    const size_t first = images ? 5 : 1;  // of three numbers in a row
    std::istringstream lines(text_of(sparse / name));
    std::ofstream scaled(sparse / name);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      size_t i = 0;
      for (std::string word; words >> word; ++i)
        scaled << (i >= first && i < first + 3 ? fmt::format("{}", std::stod(word) * times) : word) << ' ';
      scaled << '\n';
    }
  }
}

// Less than a hundredth of a unit in front of its cameras, where the near plane of other scenes is.
TEST_F(Trained, ASmallSceneIsDrawnAndEvaluatedAsALargeOne) {
  const nlohmann::json summary = train();
  const fs::path large = scene.output("large");
  ASSERT_EQ(run({"--render", splats, "--cameras", scene.dataset(), "-o", large}).code, 0);
  for (const double times : {1e-3, 1e-5}) {
    const std::string name = fmt::format("{}", times), small = scene.output(name + ".ply");
    const fs::path dataset = scene.output("in_" + name), pictures = scene.output("pictures_" + name);
    fs::copy(scene.dataset(), dataset, fs::copy_options::recursive);
    scale_model(dataset / "sparse/0", times);
    ASSERT_EQ(run({"--convert", splats, small, "--transform", "scale " + name}).code, 0);
    ASSERT_EQ(run({"--render", small, "--cameras", dataset, "-o", pictures}).code, 0);
    const auto one = io::read_image(large / "photo_103.png"), other = io::read_image(pictures / "photo_103.png");
    ASSERT_TRUE(one.ok() && other.ok());
    int worst = 0;
    for (size_t i = 0; i < one->pixels.size(); ++i)
      worst = std::max(worst, std::abs(int(one->pixels[i]) - int(other->pixels[i])));
    EXPECT_LE(worst, 3) << times;
    const Ran ran = run({"--evaluate", small, "--data", dataset, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NEAR(ran.summary()["psnr"].get<double>(), summary["psnr"].get<double>(), 0.01) << times;
  }
}

TEST_F(Trained, RenderKeepsSubFoldersAndNeverLeavesTheOutput) {
  train();
  auto cameras = nlohmann::json::parse(text_of(out / "cameras.json"));
  cameras.erase(cameras.begin() + 3, cameras.end());
  cameras[0]["img_name"] = "left/one.jpg";
  cameras[1]["img_name"] = "left/one.png";
  cameras[2]["img_name"] = "right";
  scene.write("cams.json", cameras.dump());
  const fs::path pictures = scene.output("pictures");
  const fs::path left_by_a_killed_run =
      pictures / "left" / ("one.png.hipsplat.part" + std::to_string(splat::test::dead_process()) + "-2");
  fs::create_directories(left_by_a_killed_run.parent_path());
  std::ofstream(left_by_a_killed_run) << "half";
  ASSERT_EQ(run({"--render", splats, "--cameras", scene.dataset() + "/cams.json", "-o", pictures}).code, 0);
  for (const char* name : {"left/one.png", "left/one.png.png", "right.png"})
    EXPECT_TRUE(fs::exists(pictures / name)) << name;
  EXPECT_FALSE(fs::exists(left_by_a_killed_run));

  for (const char* name : {"../escaped", "/tmp/escaped", "a/../../escaped", ".."}) {
    cameras[0]["img_name"] = name;
    scene.write("evil.json", cameras.dump());
    expect_refused(run({"--render", splats, "--cameras", scene.dataset() + "/evil.json", "-o", scene.output("evil")}),
                   2, {name});
    EXPECT_FALSE(fs::exists(scene.output("evil")));
  }
}

TEST_F(Trained, RenderStopsBetweenPicturesWhenInterrupted) {
  train();
  const auto one = nlohmann::json::parse(text_of(out / "cameras.json"))[0];
  auto cameras = nlohmann::json::array();
  for (int i = 0; i < 20'000; ++i) {
    cameras.push_back(one);
    cameras.back()["img_name"] = "view_" + std::to_string(i);
  }
  scene.write("many.json", cameras.dump());
  const fs::path pictures = scene.output("pictures");
  RunOptions interrupt;
  interrupt.signal = SIGTERM;
  interrupt.when = [&] { return fs::exists(pictures / "view_3.png"); };
  const Ran stopped = run({"--render", splats, "--cameras", scene.dataset() + "/many.json", "-o", pictures}, interrupt);
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("of 20000 pictures"), std::string::npos) << stopped.err;
  for (const auto& entry : fs::directory_iterator(pictures)) EXPECT_EQ(entry.path().extension(), ".png");
}

TEST_F(Trained, RenderingABackgroundColourShowsIt) {
  train();
  const fs::path pictures = scene.output("red");
  ASSERT_EQ(run({"--render", splats, "--cameras", scene.dataset(), "-o", pictures, "--background", "1,0,0"}).code, 0);
  const fs::path black = scene.output("black");
  ASSERT_EQ(run({"--render", splats, "--cameras", scene.dataset(), "-o", black}).code, 0);
  const auto red_corner = io::read_image(pictures / "photo_100.png"),
             black_corner = io::read_image(black / "photo_100.png");
  ASSERT_TRUE(red_corner.ok() && black_corner.ok());
  EXPECT_GT(red_corner->pixels[0], black_corner->pixels[0]);
  EXPECT_EQ(red_corner->pixels[1], black_corner->pixels[1]);
}

}  // namespace
}  // namespace app::test
