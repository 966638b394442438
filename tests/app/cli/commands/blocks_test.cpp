// A small town trained in blocks through the program: plan, train in any order, killed and resumed, merged.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "io/image_file.h"
#include "io/io.h"
#include "tests/quality/town/town.h"
#include "tests/support/grey16_png.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

constexpr int kIterations = 120;

class Town {
 public:
  Town() {
    const splat::Status written = town::write_town(folder() / "town", {.cameras = 36, .width = 48, .height = 36});
    EXPECT_TRUE(written.ok());
  }
  const fs::path& folder() const { return folder_.path(); }
  std::vector<std::string> plan(const fs::path& city, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"--blocks",
                                   "plan",
                                   folder() / "town",
                                   "-o",
                                   city,
                                   "--block-count",
                                   "3",
                                   "-i",
                                   std::to_string(kIterations),
                                   "--eval",
                                   "--checkpoint-every",
                                   "20"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  fs::path planned(const std::string& name) const {
    const Ran ran = run(plan(folder() / name));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return folder() / name;
  }

 private:
  splat::test::TempFolder folder_;
};

Ran train(const fs::path& city, int block, const RunOptions& options = {}) {
  return run({"--blocks", "train", city, std::to_string(block), "--threads", "1"}, options);
}

std::vector<std::string> states(const fs::path& city) {
  std::vector<std::string> names;
  for (const auto& line : run({"--blocks", "status", city, "--json"}).json_lines()) names.push_back(line["state"]);
  return names;
}

using Names = std::vector<std::string>;

TEST(Blocks, TrainedInAnyOrderTheyMergeIntoTheSameBytes) {
  const Town town;
  const fs::path city = town.planned("city"), other = town.planned("other");
  EXPECT_EQ(states(city), (Names{"waiting", "waiting", "waiting"}));
  expect_refused(run({"--blocks", "merge", city}), 2, {"0, 1, 2", "not trained"});
  for (const int block : {2, 0}) ASSERT_EQ(train(city, block).code, 0);
  EXPECT_EQ(states(city), (Names{"done", "waiting", "done"}));
  expect_refused(run({"--blocks", "merge", city}), 2, {" 1;"});
  ASSERT_EQ(train(city, 1).code, 0);
  ASSERT_EQ(run({"--blocks", "merge", city}).code, 0);
  const Ran all = run({"--blocks", "all", other, "--threads", "2"});
  ASSERT_EQ(all.code, 0) << all.err;
  const std::string merged = text_of(city / "city.ply");
  EXPECT_GT(merged.size(), 100'000u);
  EXPECT_TRUE(merged == text_of(other / "city.ply"));

  const auto written = fs::last_write_time(city / "blocks/001/block.json");
  ASSERT_EQ(train(city, 1).code, 0);
  EXPECT_EQ(fs::last_write_time(city / "blocks/001/block.json"), written) << "a block that is done stays as it is";
  uint64_t trained = 0;
  for (const auto& line : run({"--blocks", "status", city, "--json"}).json_lines()) {
    trained += line["splats"].get<uint64_t>();
    EXPECT_EQ(line["iteration"], kIterations);
    EXPECT_GT(line["psnr"], 15);
    EXPECT_GT(line["peak_rss_bytes"], 1'000'000);
  }
  const auto file = io::read_splat_file(city / "city.ply");
  ASSERT_TRUE(file.ok());
  EXPECT_LT(file->gaussians.size(), trained) << "what was trained beside the cells is not taken twice";
  EXPECT_GT(file->gaussians.size(), trained / 2);
  const Ran scored = run({"--evaluate", city / "city.ply", "--data", town.folder() / "town", "--json"});
  EXPECT_GT(scored.summary()["psnr"], 15);
}

TEST(Blocks, AKilledOneGoesOnToTheSameBytes) {
  const Town town;
  const fs::path city = town.planned("city"), whole = town.planned("whole");
  const fs::path splats = "point_cloud/iteration_120/point_cloud.ply", block = "blocks/000";
  ASSERT_EQ(train(whole, 0).code, 0);
  const auto when = [&] { return fs::exists(city / block / "checkpoints/iteration_40.checkpoint"); };
  RunOptions killed;
  killed.signal = SIGKILL;
  killed.when = when;
  EXPECT_EQ(train(city, 0, killed).code, 128 + SIGKILL);
  EXPECT_EQ(states(city)[0], "stopped");
  const Ran again = train(city, 0);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(states(city)[0], "done");
  EXPECT_TRUE(text_of(city / block / splats) == text_of(whole / block / splats));
}

TEST(Blocks, AnInterruptedOneSaysHowItGoesOn) {
  const Town town;
  const fs::path city = town.planned("city");
  RunOptions interrupted;
  interrupted.signal = SIGTERM;
  interrupted.when = [&] { return fs::exists(city / "blocks/001/checkpoints/iteration_20.checkpoint"); };
  const Ran ran = train(city, 1, interrupted);
  EXPECT_EQ(ran.code, 130);
  EXPECT_NE(ran.err.find("the same command goes on"), std::string::npos) << ran.err;
  EXPECT_EQ(states(city)[1], "stopped");
  EXPECT_EQ(train(city, 1).code, 0);
}

TEST(Blocks, APlanGoesOnAndIsNotMadeTwice) {
  const Town town;
  const fs::path city = town.folder() / "city";
  RunOptions killed;
  killed.signal = SIGKILL;
  killed.when = [&] { return fs::exists(city / "scaffold/checkpoints/iteration_40.checkpoint"); };
  EXPECT_EQ(run(town.plan(city), killed).code, 128 + SIGKILL);
  expect_refused(train(city, 0), 2, {"not complete"});
  ASSERT_EQ(run(town.plan(city)).code, 0);
  EXPECT_NE(text_of(city / "scaffold/log.txt").find("20"), std::string::npos);
  const std::string plan = text_of(city / "city.json");
  ASSERT_EQ(run(town.plan(city)).code, 0);
  EXPECT_EQ(text_of(city / "city.json"), plan);
  expect_refused(run(town.plan(city, {"--sh-degree", "1"})), 2, {"another dataset", "other settings"});
  EXPECT_EQ(text_of(city / "city.json"), plan);
  EXPECT_EQ(text_of(town.planned("again") / "city.json"), plan) << "what was killed ends in the same plan";
}

TEST(Blocks, ACityMayBeMovedWithItsDataset) {
  const Town town;
  town.planned("city");
  fs::create_directories(town.folder() / "elsewhere");
  for (const char* name : {"city", "town"}) fs::rename(town.folder() / name, town.folder() / "elsewhere" / name);
  EXPECT_EQ(train(town.folder() / "elsewhere/city", 0).code, 0);
  fs::rename(town.folder() / "elsewhere/town", town.folder() / "elsewhere/village");
  expect_refused(train(town.folder() / "elsewhere/city", 1), 2, {"dataset", "elsewhere/town"});
}

TEST(Blocks, WhatDoesNotBelongToThePlanIsRecognised) {
  const Town town;
  const fs::path city = town.planned("city");
  ASSERT_EQ(run(town.plan(town.folder() / "other", {"--sh-degree", "1"})).code, 0);
  ASSERT_EQ(train(town.folder() / "other", 0).code, 0);
  fs::create_directories(city / "blocks");
  fs::copy(town.folder() / "other/blocks/000", city / "blocks/000", fs::copy_options::recursive);
  expect_refused(train(city, 0), 2, {"blocks/000", "does not belong"});
  EXPECT_EQ(states(city)[0], "failed");
  fs::remove(city / "blocks/000/block.json");
  expect_refused(train(city, 0), 2, {"does not belong"});
  fs::remove_all(city / "blocks/000");
  EXPECT_EQ(train(city, 0).code, 0);
  fs::remove_all(city / "blocks/000/point_cloud");
  EXPECT_EQ(states(city)[0], "failed");
  std::ofstream(city / "blocks/000/block.json") << "{";
  expect_refused(train(city, 0), 2, {"block.json"});
}

nlohmann::json json_of(const fs::path& file) { return nlohmann::json::parse(text_of(file)); }

void change(const fs::path& file, const std::string& key, const nlohmann::json& value) {
  nlohmann::json object = json_of(file);
  object[nlohmann::json::json_pointer(key)] = value;
  std::ofstream(file) << object;
}

TEST(Blocks, OneThatCannotBeRecordedAsDoneHasFailed) {
  const Town town;
  const fs::path city = town.planned("city"), state = city / "blocks/000/block.json";
  std::atomic<bool> ended{false}, put{false};
  std::thread in_the_way([&] {
    while (!ended && !fs::exists(city / "blocks/000/checkpoints/iteration_40.checkpoint")) std::this_thread::yield();
    if (ended) return;
    fs::remove(state);
    put = fs::create_directories(state);
  });
  const Ran ran = train(city, 0);
  ended = true;
  in_the_way.join();
  ASSERT_TRUE(put);
  EXPECT_EQ(ran.code, 1);
  ASSERT_EQ(ran.error_lines().size(), 1u);
  EXPECT_NE(ran.error_lines()[0].find("block.json"), std::string::npos) << ran.err;
  fs::remove(state);
  fs::remove_all(city / "blocks/000/point_cloud");  // without a record it is nobody's
  fs::remove_all(city / "blocks/000/checkpoints");
  EXPECT_EQ(train(city, 0).code, 0);
  EXPECT_EQ(states(city)[0], "done");
}

// Exit code 2 says that nothing was written.
TEST(Blocks, APlanThatIsRefusedLeavesNothing) {
  const Town town;
  const fs::path city = town.folder() / "city";
  RunOptions little;
  little.largest_file_bytes = 6000;  // city.json has room, the first files of the scaffold have none
  const Ran ran = run(town.plan(city), little);
  expect_refused(ran, 2, {"scaffold", "cannot write"});
  EXPECT_FALSE(fs::exists(city));
}

// Left by a process that was killed while it wrote the first file, with a number that another one may have by now.
TEST(Blocks, APlanThatWasKilledAtItsFirstFileGoesOn) {
  const Town town;
  const fs::path city = town.folder() / "city";
  fs::create_directories(city);
  std::ofstream(city / ("city.json.hipsplat.part" + std::to_string(getpid()) + "-0")) << "{";
  EXPECT_EQ(run(town.plan(city)).code, 0);
  EXPECT_FALSE(fs::exists(city / ("city.json.hipsplat.part" + std::to_string(getpid()) + "-0")));
}

TEST(Blocks, MergeTakesWhatWasTrainedAlone) {
  const Town town;
  const fs::path city = town.planned("city"), state = city / "blocks/001/block.json";
  ASSERT_EQ(run({"--blocks", "all", city}).code, 0);
  const std::string merged = text_of(city / "city.ply"), good = text_of(state);
  const fs::path splats = city / "blocks/001/point_cloud/iteration_120/point_cloud.ply",
                 other = city / "blocks/000/point_cloud/iteration_120/point_cloud.ply";
  EXPECT_EQ(json_of(state)["splats"], io::read_splat_file(splats)->gaussians.size());
  for (const std::string& place : {std::string("../000/point_cloud/iteration_120/point_cloud.ply"), other.string(),
                                   std::string("point_cloud/../../000/block.json"), std::string("."), std::string()}) {
    change(state, "/splat_file", place);
    expect_refused(run({"--blocks", "merge", city}), 2, {"block.json", "damaged"});
  }
  std::ofstream(state) << good;
  const std::string own = text_of(splats);
  fs::copy_file(other, splats, fs::copy_options::overwrite_existing);
  expect_refused(run({"--blocks", "merge", city}), 2, {"point_cloud.ply", "were trained", "block 1"});
  EXPECT_TRUE(text_of(city / "city.ply") == merged) << "what was merged before is still there";
  std::ofstream(splats, std::ios::binary) << own;
  EXPECT_EQ(run({"--blocks", "merge", city}).code, 0);
}

TEST(Blocks, NumbersThatNoProgramWroteAreRefused) {
  const Town town;
  const fs::path city = town.planned("city"), plan = city / "city.json";
  const std::string good = text_of(plan);
  for (const nlohmann::json& number : {nlohmann::json(4294967346), nlohmann::json(-4294967246), nlohmann::json(1e18),
                                       nlohmann::json(0.5), nlohmann::json(-3), nlohmann::json("120")}) {
    change(plan, "/blocks/0/iterations", number);
    expect_refused(train(city, 0), 2, {"city.json", "damaged"});
    std::ofstream(plan) << good;
  }
  change(plan, "/version", 4294967297);
  expect_refused(train(city, 0), 2, {"city.json", "later"});
}

TEST(Blocks, DamagedFilesOfOneAreOfOneExitCodeInAllCommands) {
  const Town town;
  const fs::path city = town.planned("city");
  ASSERT_EQ(run({"--blocks", "all", city}).code, 0);
  const std::string merged = text_of(city / "city.ply");
  for (const char* text : {"", "{", R"({"state": "done", "psnr": "high"})"}) {
    std::ofstream(city / "blocks/002/block.json") << text;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--blocks", "train", city, "2"}, std::vector<std::string>{"--blocks", "merge", city},
          std::vector<std::string>{"--blocks", "all", city}})
      expect_refused(run(words), 2, {"block.json"});
  }
  EXPECT_TRUE(text_of(city / "city.ply") == merged);
}

// A job asks for the memory of what it will train with.
TEST(Blocks, DepthMapsAreInThePrediction) {
  const Town town;
  const auto bytes = [&](const char* depths, const char* name) {
    const Ran ran = run(town.plan(town.folder() / name, {"--depths", depths, "--json"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.summary()["blocks"][0]["predicted_bytes"].get<uint64_t>();
  };
  for (const auto& photo : fs::directory_iterator(town.folder() / "town/images")) {
    const fs::path map = town.folder() / "town/depths" / photo.path().stem();
    fs::create_directories(map.parent_path());
    std::ofstream(map.string() + ".png", std::ios::binary)
        << splat::test::grey16_png(48, 36, std::vector<uint16_t>(48 * 36, 1000));
  }
  EXPECT_GT(bytes("auto", "with"), bytes("off", "without"));
}

// Survey coordinates of millions of metres: the same quality, and the place is kept.
TEST(Blocks, FarFromZeroNothingIsLost) {
  const splat::test::TempFolder folder;
  town::Options options{.cameras = 36, .width = 48, .height = 36};
  ASSERT_TRUE(town::write_town(folder.path() / "here", options).ok());
  options.offset = {1'500'000.25, 5'400'321.5, 117.125};
  ASSERT_TRUE(town::write_town(folder.path() / "there", options).ok());
  double psnr[2];
  for (const bool far : {false, true}) {
    const fs::path out = folder.path() / (far ? "far" : "near");
    const Ran ran =
        run({"--train", folder.path() / (far ? "there" : "here"), "-o", out, "-i", "120", "--eval", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    psnr[far] = ran.summary()["psnr"];
    EXPECT_EQ(fs::exists(out / "scene.json"), far);
  }
  EXPECT_NEAR(psnr[0], psnr[1], 0.1);
  const auto scene = nlohmann::json::parse(text_of(folder.path() / "far/scene.json"));
  EXPECT_NEAR(scene["origin"][1], 5'400'321.5, 20);
}

TEST(Blocks, TheWholeIsWrittenInSurveyCoordinates) {
  const splat::test::TempFolder folder;
  const fs::path town = folder.path() / "town", city = folder.path() / "city";
  const std::array<double, 3> offset{1'500'000.25, 5'400'321.5, 117.125};
  ASSERT_TRUE(town::write_town(town, {.cameras = 12, .width = 32, .height = 24, .offset = offset}).ok());
  std::ofstream(town / "scene.json") << R"({"epsg": 25832})";
  ASSERT_EQ(run({"--blocks", "plan", town, "-o", city, "--block-count", "2", "-i", "20"}).code, 0);
  expect_refused(run({"--blocks", "train", city, "0", "--survey"}), 2, {"--survey"});
  ASSERT_EQ(run({"--blocks", "all", city}).code, 0);
  ASSERT_EQ(run({"--blocks", "merge", city, "-o", folder.path() / "survey.ply", "--survey"}).code, 0);
  expect_refused(run({"--blocks", "merge", city, "-o", folder.path() / "survey.spz", "--survey"}), 2, {"double"});
  const auto local = io::read_splat_file(city / "city.ply"), survey = io::read_splat_file(folder.path() / "survey.ply");
  ASSERT_TRUE(local.ok() && survey.ok());
  EXPECT_EQ(local->frame, survey->frame);
  EXPECT_EQ(survey->frame.epsg, 25832);
  const std::string bytes = text_of(folder.path() / "survey.ply");
  const size_t data = bytes.find("end_header\n") + 11, rows = local->gaussians.size();
  ASSERT_GT(rows, 300u);
  ASSERT_EQ((bytes.size() - data) % rows, 0u);
  size_t in_town = 0;
  for (size_t r = 0; r < rows; ++r) {
    double at[3];
    std::memcpy(at, bytes.data() + data + r * ((bytes.size() - data) / rows), sizeof(at));
    for (size_t k = 0; k < 3; ++k)
      ASSERT_NEAR(at[k], double(local->gaussians.means[3 * r + k]) + local->frame.origin[k], 1e-8);
    in_town += at[0] > offset[0] && at[0] < offset[0] + 16 && at[1] > offset[1] && at[1] < offset[1] + 8;
  }
  EXPECT_GT(in_town, rows * 3 / 4);
}

uint64_t asked_for(const fs::path& city) {
  const std::string script = text_of(city / "blocks.sbatch"), option = "--mem=";
  return 1'000'000 * std::stoull(script.substr(script.find(option) + option.size()));
}

// Cells become smaller until each block fits; a job asks for no more than that.
TEST(Blocks, CellsFitTheMemoryOfAJob) {
  const splat::test::TempFolder folder;
  const fs::path town = folder.path() / "town", free = folder.path() / "free", small = folder.path() / "small";
  ASSERT_TRUE(town::write_town(town, {.cameras = 48, .width = 160, .height = 120}).ok());
  const std::vector<std::string> settings{"-i", "20", "--quiet"};
  const auto plan = [&](const fs::path& city, std::vector<std::string> words) {
    words.insert(words.begin(), {"--blocks", "plan", town, "-o", city});
    words.insert(words.end(), settings.begin(), settings.end());
    return run(words);
  };
  const Ran whole = plan(free, {"--json"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_EQ(whole.summary()["blocks"].size(), 1u);
  const uint64_t needed = asked_for(free), less = needed * 4 / 5;
  const Ran cut = plan(small, {"--block-memory", std::to_string(less), "--json"});
  ASSERT_EQ(cut.code, 0) << cut.err;
  EXPECT_GE(cut.summary()["blocks"].size(), 2u);
  for (const auto& block : cut.summary()["blocks"]) {
    const uint64_t bytes = block["predicted_bytes"];
    EXPECT_LE(bytes + bytes / 10, less);
    EXPECT_LT(block["training_photos"], 48);
  }
  EXPECT_LE(asked_for(small), less + 1'000'000) << "rounded up to a whole megabyte";
  expect_refused(plan(folder.path() / "none", {"--block-memory", "30M"}), 2, {"--block-memory", "30 MB", "scaffold"});
  expect_refused(plan(folder.path() / "odd", {"--block-memory", "much"}), 2, {"--block-memory", "much"});
  expect_refused(plan(folder.path() / "odd", {"--block-memory", "8G", "--block-count", "2"}), 2, {"leave out one"});
}

// Without -i blocks get as many as their photos would get in the whole.
TEST(Blocks, IterationsFollowFromThePhotos) {
  const Town town;
  const fs::path city = town.folder() / "city";
  const Ran ran = run({"--blocks", "plan", town.folder() / "town", "-o", city, "--block-count", "3",
                       "--scaffold-iterations", "60", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["iterations"], 30000) << "of the whole: as without blocks, for so few photos";
  for (const auto& block : ran.summary()["blocks"])
    EXPECT_NEAR(block["iterations"].get<double>(), 30000 * block["training_photos"].get<double>() / 36, 0.5);
  const auto lines = run({"--blocks", "status", city, "--json"}).json_lines();
  ASSERT_EQ(lines.size(), 3u);
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(lines[k]["iterations"], ran.summary()["blocks"][k]["iterations"]);
}

// Photos of the east were taken at dusk, of the west by day: blocks that fitted the light each for itself would differ.
class Dusk {
 public:
  Dusk() {
    town::Options options{.cameras = 60, .width = 48, .height = 36};
    EXPECT_TRUE(town::write_town(folder() / "day", options).ok());
    options.dusk = options.dusk_in_the_east = true;
    EXPECT_TRUE(town::write_town(folder() / "dusk", options).ok());
    photos_ = town::photos_of(options);
  }
  const fs::path& folder() const { return folder_.path(); }
  const std::vector<town::Photo>& photos() const { return photos_; }

  fs::path trained(const std::string& name, const char* exposure) const {
    fs::path city = folder() / name;
    const Ran plan = run({"--blocks", "plan", folder() / "dusk", "-o", city, "--block-count", "2", "-i", "300",
                          "--scaffold-iterations", "1200", "--exposure", exposure});
    EXPECT_EQ(plan.code, 0) << plan.err;
    const Ran all = run({"--blocks", "all", city});
    EXPECT_EQ(all.code, 0) << all.err;
    return city;
  }

  // By how many stops splats look brighter in the west than in the east, beside the town by day.
  double brighter_in_the_west(const fs::path& splats) const {
    const fs::path pictures = folder() / "pictures";
    const Ran ran = run({"--render", splats, "--cameras", folder() / "day", "-o", pictures});
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::array<double, 2> drawn{}, real{};
    for (const town::Photo& photo : photos_) {
      const size_t east = photo.cam_from_world.origin_in_source()[0] > 8;
      drawn[east] += mean_of(pictures / photo.name), real[east] += mean_of(folder() / "day/images" / photo.name);
    }
    return std::log2(drawn[0] / real[0] * real[1] / drawn[1]);
  }

 private:
  static double mean_of(const fs::path& png) {
    const auto image = io::read_image(png);
    EXPECT_TRUE(image.ok());
    double sum = 0;
    for (const uint8_t value : image->pixels) sum += value;
    return sum / double(image->pixels.size());
  }

  splat::test::TempFolder folder_;
  std::vector<town::Photo> photos_;
};

TEST(Blocks, AgreeAboutTheLight) {
  const Dusk dusk;
  const fs::path city = dusk.trained("city", "auto");
  const auto plan = nlohmann::json::parse(text_of(city / "city.json"));
  ASSERT_EQ(plan["colours"].size(), dusk.photos().size()) << "that photos differ is found by itself";
  double found[2]{};
  for (size_t i = 0; i < dusk.photos().size(); ++i) {
    ASSERT_EQ(plan["colours"][i]["view"], dusk.photos()[i].name);
    const bool dark = dusk.photos()[i].gain[1] < 0.65;
    found[dark] += std::log2(plan["colours"][i]["gain"][1].get<double>()) / 30;
  }
  EXPECT_LT(found[1] - found[0], -0.3) << "stops: photos of the dusk are darker";
  for (const char* block : {"000", "001"}) {
    const auto metrics = nlohmann::json::parse(text_of(city / "blocks" / block / "metrics.json"));
    ASSERT_GT(metrics["exposure"]["photos"].size(), 20u);
    for (const auto& photo : metrics["exposure"]["photos"]) {
      const auto planned = std::find_if(plan["colours"].begin(), plan["colours"].end(),
                                        [&](const auto& colour) { return colour["view"] == photo["name"]; });
      ASSERT_NE(planned, plan["colours"].end());
      EXPECT_EQ((*planned)["gain"], photo["gain"]) << "held as the plan has it";
    }
  }
  const double whole = dusk.brighter_in_the_west(city / "scaffold"), merged = dusk.brighter_in_the_west(city);
  EXPECT_NEAR(merged, whole, 0.04) << "neighbours agree as well as if they had been trained together";
  EXPECT_LT(std::abs(merged), 0.15);
  EXPECT_GT(dusk.brighter_in_the_west(dusk.trained("free", "off")), 0.25) << "without it the east is darker";
}

TEST(Blocks, BadInputIsOneSentence) {
  const Town town;
  const fs::path city = town.planned("city");
  expect_refused(run({"--blocks", "paint", city}), 2, {"plan, train, merge, all or status", "paint"});
  expect_refused(run({"--blocks", "plan", town.folder() / "town"}), 2, {"-o CITY"});
  expect_refused(run({"--blocks", "train", city}), 2, {"number of a block"});
  expect_refused(train(city, 3), 2, {"no block 3", "0 to 2"});
  expect_refused(run({"--blocks", "train", city, "x"}), 2, {"'x'"});
  expect_refused(run({"--blocks", "train", city, "0", "-i", "9"}), 2, {"--iterations", "by blocks plan"});
  expect_refused(run({"--blocks", "status", town.folder() / "town"}), 2, {"no plan"});
  expect_refused(run(town.plan(town.folder() / "town")), 2, {"not empty"});
  expect_refused(run(town.plan(town.folder() / "many", {"--block-count", "99"})), 2, {"so many blocks"});
  EXPECT_FALSE(fs::exists(town.folder() / "many"));
  std::ofstream(city / "city.json") << R"({"version": 9})";
  expect_refused(run({"--blocks", "status", city}), 2, {"later hipsplat"});
  std::ofstream(city / "city.json") << R"({"version": 1})";
  expect_refused(run({"--blocks", "status", city}), 2, {"damaged"});
}

}  // namespace
}  // namespace app::test
