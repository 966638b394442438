// Saving splats while they are looked at and edited.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"
#include "tests/studio/live_window.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace studio::test {
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

// A SOG of 200 000 splats takes seconds.
class Saving : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(file_, scene_.model).ok());
    window_.send(studio::OpenPath{file_});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); })) << window_.all_notices();
    window_.send(studio::ExportSplats{saved_});
  }
  bool written() { return window_.noticed("written to '" + saved_.string(), NoticeKind::kInfo); }

  splat::bench::Scene scene_ = splat::bench::make_scene({200'000, 64, 48});
  splat::test::TempFolder folder_;
  fs::path file_ = folder_.path() / "scene.ply", saved_ = folder_.path() / "saved.sog";
  LiveWindow window_;
};

TEST_F(Saving, PicturesAndStepsDoNotWaitForIt) {
  window_.look(viewer::RenderRequest{scene_.view, {}});
  window_.send(studio::EditScene{{splat::edit::SelectAll{}}});
  ASSERT_TRUE(window_.wait([&] { return window_.image && window_.edited; })) << window_.all_notices();
  EXPECT_FALSE(written()) << "it is still being written";
  EXPECT_EQ(window_.edited->selected, 200'000u);
  ASSERT_TRUE(window_.wait([&] { return written(); }, 60)) << window_.all_notices();
  EXPECT_TRUE(fs::exists(saved_));
}

TEST_F(Saving, TheWindowClosesOnceItIsWritten) {
  window_.send(studio::Quit{});
  ASSERT_TRUE(window_.wait([&] { return window_.quit_done; }, 60));
  EXPECT_TRUE(fs::exists(saved_));
}

TEST_F(Saving, WhatIsEditedMeanwhileIsNotSaved) {
  window_.send(studio::EditScene{{splat::edit::SelectAll{}}});
  window_.send(studio::ExportSplats{folder_.path() / "all.ply"});
  window_.send(studio::EditScene{{splat::edit::SelectByValue{splat::edit::RowValue::kOpacity, 0, 0.5}}});
  window_.send(studio::EditScene{{splat::edit::DeleteSelected{}}});
  ASSERT_TRUE(window_.wait([&] { return window_.edited && !window_.edited->saved_as.empty(); }, 60));
  EXPECT_GT(window_.edited->deleted, 0u);
  EXPECT_TRUE(window_.edited->unsaved) << "the file has what was deleted since";
  EXPECT_EQ(io::read_splat_file(folder_.path() / "all.ply")->gaussians.size(), 200'000u);
}

// That are given up as their file is opened anew: an added file is an edit that is kept at once.
TEST(GivenUp, EditsThatWereGivenUpAreNotOfferedAgain) {
  const splat::test::TempFolder folder, config;
  const auto scene = splat::bench::make_scene({500, 64, 48});
  const fs::path file = folder.path() / "scene.ply", other = folder.path() / "other.ply";
  ASSERT_TRUE(io::write_splat_file(file, scene.model).ok());
  ASSERT_TRUE(io::write_splat_file(other, scene.model).ok());
  LiveWindow window(2, config.path());
  window.send(studio::OpenPath{file});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
  window.send(studio::AddSplats{other});
  ASSERT_TRUE(window.wait([&] { return window.edited && window.edited->added; })) << window.all_notices();
  window.send(studio::AddSplats{other});
  ASSERT_TRUE(window.wait([&] { return window.edited && window.edited->objects.size() == 3; })) << window.all_notices();
  EXPECT_NE(window.edited->objects[1].object.name, window.edited->objects[2].object.name) << "one file, added twice";
  for (int time = 0; time < 3; ++time) {
    window.splats.reset();
    window.send(studio::OpenPath{file});
    ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
    window.edited.reset();
    window.send(studio::EditScene{{}});  // whose answer comes after what opening has found
    ASSERT_TRUE(window.wait([&] { return window.edited.has_value(); })) << window.all_notices();
    EXPECT_FALSE(window.edits_found) << time;
  }
}

// Each format is as large as was predicted for the splats as they are now.
void expect_sizes(LiveWindow& window, const fs::path& folder, int degree, size_t splats_at_most) {
  window.send(studio::PredictSizes{degree});
  ASSERT_TRUE(window.wait([&] { return window.predicted_sizes.has_value(); }, 60)) << window.all_notices();
  const auto formats = format_rows();
  ASSERT_EQ(window.predicted_sizes->bytes.size(), formats.size());
  EXPECT_LE(window.predicted_sizes->splats, splats_at_most);
  for (size_t i = 0; i < formats.size(); ++i) {
    const fs::path file = folder / ("saved" + formats[i].extension);
    window.send(studio::ExportSplats{file, degree});
    ASSERT_TRUE(window.wait([&] { return window.noticed(file.string(), NoticeKind::kInfo); }, 60));
    const double predicted = double(window.predicted_sizes->bytes[i].value_or(1));
    EXPECT_NEAR(double(fs::file_size(file)) / predicted, 1, formats[i].compressed ? 0.2 : 0.005) << file;
  }
}

TEST(PredictedSizes, AreOfWhatIsLeftOfAnEditedScene) {
  const splat::test::TempFolder folder;
  ASSERT_TRUE(io::write_splat_file(folder.path() / "scene.ply", splat::bench::make_scene({30'000, 64, 48}).model).ok());
  LiveWindow window;
  window.send(studio::OpenPath{folder.path() / "scene.ply"});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
  window.send(studio::EditScene{{splat::edit::SelectByValue{splat::edit::RowValue::kOpacity, 0, 0.5}}});
  window.send(studio::EditScene{{splat::edit::DeleteSelected{}}});
  expect_sizes(window, folder.path(), 1, 29'000);
}

TEST(PredictedSizes, AreOfTheDemoWhileItTrains) {
  const splat::test::TempFolder folder;
  LiveWindow window;
  window.send(studio::OpenPath{test_paths::source() / "assets/demo"});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  studio::TrainingChoices choices;
  choices.train.iterations = 1000;
  choices.output = folder.path() / "out";
  choices.device.backend = "cpu";
  window.send(studio::StartTraining{choices});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > 20; }, 120)) << window.all_notices();
  window.send(studio::PauseTraining{});
  ASSERT_TRUE(window.wait_for(studio::RunStatus::kPaused, 60));
  expect_sizes(window, folder.path(), splat::kMaxShDegree, window.training.splats);
}

}  // namespace
}  // namespace studio::test
