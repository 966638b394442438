// A scene in blocks planned in the window: what it says before, and that the plan is the command's.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "app/jobs/blocks/city.h"
#include "app/jobs/input/run_folder.h"
#include "studio/window/error_lines.h"
#include "tests/quality/town/town.h"
#include "tests/studio/live_window.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

class PlanInTheWindow : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(town::write_town(town_, {.cameras = 16, .width = 32, .height = 24}).ok());
    window_.send(studio::OpenPath{town_});
    ASSERT_TRUE(window_.wait([&] { return window_.dataset.has_value(); })) << window_.all_notices();
  }
  studio::BlocksChoices choices(const fs::path& city, int iterations) const {
    studio::BlocksChoices choices;
    choices.training.output = city;
    choices.training.train.iterations = iterations;
    choices.blocks.cameras = 9;
    choices.blocks.memory = 4'000'000'000;
    return choices;
  }
  // Of the same plan as those.
  void plan_by_command(const fs::path& city, int iterations) const {
    const Ran ran = run({"--blocks", "plan", town_, "-o", city, "--block-cameras", "9", "--block-memory", "4G", "-i",
                         std::to_string(iterations), "--eval", "--threads", "2"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  bool planned(const studio::BlocksChoices& choices) {
    window_.planned.reset();
    window_.send(studio::PlanBlocks{choices});
    return window_.wait([&] { return window_.planned.has_value(); }, 60);
  }
  bool refused(const studio::BlocksChoices& choices, const std::string& why) {
    window_.notices.clear();
    window_.send(studio::PlanBlocks{choices});
    return window_.wait(
        [&] {
          return std::any_of(window_.notices.begin(), window_.notices.end(), [&](const studio::Notice& notice) {
            refusal_ = notice.text;
            return notice.kind == NoticeKind::kError && notice.mended_by == "Train in blocks" &&
                   notice.text.find(why) != std::string::npos;
          });
        },
        60);
  }
  studio::BlocksForecast forecast(const studio::BlocksChoices& choices) {
    window_.blocks_forecast.reset();
    window_.send(studio::WantBlocksForecast{choices});
    EXPECT_TRUE(window_.wait([&] { return window_.blocks_forecast.has_value(); })) << window_.all_notices();
    return window_.blocks_forecast.value_or(studio::BlocksForecast());
  }
  static void expect_same(const fs::path& a, const fs::path& b) {
    for (const char* name : {"city.json", "blocks.sbatch", "kubernetes.yaml"})
      EXPECT_EQ(text_of(a / name), text_of(b / name));
    const fs::path scaffold = newest_result(a / "scaffold");
    EXPECT_EQ(scaffold.filename(), "point_cloud.ply");
    EXPECT_TRUE(text_of(scaffold) == text_of(newest_result(b / "scaffold")));
  }

  const splat::test::TempFolder folder_;
  const fs::path town_ = folder_.path() / "town";
  std::string refusal_;  // the last one
  const std::string state_ = (folder_.path() / "state").string();
  const int kept_there_ = setenv("XDG_STATE_HOME", state_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no thread yet
  LiveWindow window_;
};

TEST_F(PlanInTheWindow, IsThatOfTheCommand) {
  const fs::path city = folder_.path() / "city", other = folder_.path() / "other";
  ASSERT_TRUE(planned(choices(city, 20))) << window_.all_notices();
  EXPECT_EQ(window_.planned->path, city);
  ASSERT_NO_FATAL_FAILURE(plan_by_command(other, 20));
  expect_same(city, other);
  EXPECT_EQ(read_city(city)->blocks.size(), 2u);
}

TEST_F(PlanInTheWindow, StoppedItGoesOnToTheSameBytes) {
  const fs::path city = folder_.path() / "town_city", other = folder_.path() / "other";
  const auto trains = [&] {
    return std::any_of(window_.works.begin(), window_.works.end(), [](const studio::WorkProgress& work) {
      return work.what == "town_city: the coarse model of the whole" && work.fraction > 0.02f;
    });
  };
  window_.send(studio::PlanBlocks{choices(city, 1500)});
  ASSERT_TRUE(window_.wait(trains, 60)) << window_.all_notices();
  window_.send(studio::CancelWork{});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("was stopped", NoticeKind::kInfo); })) << window_.all_notices();
  EXPECT_FALSE(window_.planned.has_value());
  ASSERT_TRUE(read_city(city).ok());
  EXPECT_TRUE(read_city(city)->blocks.empty());
  EXPECT_EQ(newest_result(city / "scaffold").extension(), ".checkpoint");
  EXPECT_EQ(forecast(choices(city, 1500)).place, city) << "it is to go on";
  ASSERT_TRUE(planned(choices(city, 1500))) << window_.all_notices();
  ASSERT_NO_FATAL_FAILURE(plan_by_command(other, 1500));
  expect_same(city, other);
  EXPECT_EQ(forecast(choices(city, 1500)).place, folder_.path() / "town_city_2");
}

TEST_F(PlanInTheWindow, WhatWouldComeOfItIsSaidBefore) {
  studio::BlocksChoices wanted = choices("", 0);
  wanted.blocks.memory = 0;
  const studio::BlocksForecast some = forecast(wanted);
  EXPECT_EQ(some.problem, "");
  EXPECT_EQ(some.place, folder_.path() / "town_city");
  EXPECT_EQ(some.blocks, 2u);
  EXPECT_GE(some.least_photos, 7u);
  EXPECT_LE(some.most_photos, 14u);
  EXPECT_EQ(some.scaffold_iterations, 7000);
  EXPECT_GT(some.least_iterations, 14'000) << "their photos' part of 30 000";
  EXPECT_GT(some.most_bytes, 1'000'000u);
  EXPECT_GT(some.memory, 0u) << "of the device, as nothing was chosen";
  EXPECT_EQ(some.memory % 100'000'000, 0u);
  EXPECT_EQ(forecast(choices("", 500)).most_iterations, 500);

  wanted.blocks.memory = 1'000'000;
  EXPECT_NE(forecast(wanted).problem.find("still needs"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_.path() / "town_city"));
}

TEST_F(PlanInTheWindow, BadPlacesAreErrorsThatAskAgain) {
  std::ofstream(folder_.path() / "file") << "text";
  const fs::path taken = folder_.path() / "taken";
  fs::create_directories(taken);
  std::ofstream(taken / "notes.txt") << "mine";
  EXPECT_TRUE(refused(choices(folder_.path() / "file" / "city", 20), "it is not a folder; choose another place"))
      << window_.all_notices();
  EXPECT_TRUE(refused(choices(folder_.path() / "no" / "where", 20), "no/where")) << window_.all_notices();
  EXPECT_TRUE(refused(choices(taken, 20), "holds no plan: choose another place")) << window_.all_notices();
  EXPECT_EQ(text_of(taken / "notes.txt"), "mine");
  const fs::path city = folder_.path() / "city";
  ASSERT_TRUE(planned(choices(city, 20))) << window_.all_notices();
  const std::string before = text_of(city / "city.json");
  EXPECT_TRUE(refused(choices(city, 30), "of other settings: choose another place")) << window_.all_notices();
  EXPECT_EQ(text_of(city / "city.json"), before);
}

// Before anything is written, before the coarse model is trained, and when that has outgrown the disk.
TEST_F(PlanInTheWindow, AFullDiskIsSaidAndThePlanGoesOnOnceThereIsRoom) {
  const fs::path disk = folder_.path() / "disk", city = disk / "city";
  const splat::test::SmallDisk small(disk, "64k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here: " << std::strerror(errno);
  studio::BlocksChoices wanted = choices(city, 40);
  for (const auto& [name, value] : {std::pair{"strategy", "adc"},
                                    {"densify-from", "5"},
                                    {"densify-every", "5"},
                                    {"densify-gradient", "0.00000001"},
                                    {"densify-until", "30"},
                                    {"opacity-reset-every", "0"}})
    wanted.training.fine[name] = value;
  wanted.training.train.max_splats = 200'000;
  wanted.training.train.sh_degree = 0;
  std::ofstream(disk / "filler") << std::string(100'000, 'x');
  EXPECT_TRUE(refused(wanted, "No space left")) << window_.all_notices();
  EXPECT_FALSE(fs::exists(city));
  fs::remove(disk / "filler");
  EXPECT_TRUE(refused(wanted, "free some space or choose")) << window_.all_notices();
  EXPECT_TRUE(fs::is_empty(disk));
  ASSERT_TRUE(small.resize("8m"));  // the 24 000 splats at the start fit, those at the end do not
  EXPECT_TRUE(refused(wanted, "No space left")) << window_.all_notices();
  const studio::ErrorLines lines = studio::lines_of_error(refusal_);
  EXPECT_TRUE(lines.what.starts_with("Cannot write '" + city.string())) << lines.what;
  EXPECT_TRUE(lines.why.starts_with("No space left on device: the splats are kept in '" + state_)) << lines.why;
  EXPECT_EQ(lines.now, "Free some space or choose another output folder");
  ASSERT_TRUE(small.resize("128m"));
  window_.works.clear();
  EXPECT_TRUE(planned(wanted)) << window_.all_notices();
  EXPECT_EQ(read_city(city)->blocks.size(), 2u);
  for (const studio::WorkProgress& work : window_.works)
    EXPECT_EQ(work.what.find("the coarse model"), std::string::npos) << "what was trained is lost";
}

}  // namespace
}  // namespace studio::test
