// Saving splats while they are looked at and edited.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/live_window.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using viewer::NoticeKind;

// A SOG of 200 000 splats takes seconds.
class Saving : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(file_, scene_.model).ok());
    window_.send(viewer::OpenPath{file_});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); })) << window_.all_notices();
    window_.send(viewer::ExportSplats{saved_});
  }
  bool written() { return window_.noticed("written to '" + saved_.string(), NoticeKind::kInfo); }

  splat::bench::Scene scene_ = splat::bench::make_scene({200'000, 64, 48});
  splat::test::TempFolder folder_;
  fs::path file_ = folder_.path() / "scene.ply", saved_ = folder_.path() / "saved.sog";
  LiveWindow window_;
};

TEST_F(Saving, PicturesAndStepsDoNotWaitForIt) {
  window_.look(viewer::RenderRequest{scene_.view, {}});
  window_.send(viewer::EditScene{{splat::edit::SelectAll{}}});
  ASSERT_TRUE(window_.wait([&] { return window_.image && window_.edited; })) << window_.all_notices();
  EXPECT_FALSE(written()) << "it is still being written";
  EXPECT_EQ(window_.edited->selected, 200'000u);
  ASSERT_TRUE(window_.wait([&] { return written(); }, 60)) << window_.all_notices();
  EXPECT_TRUE(fs::exists(saved_));
}

TEST_F(Saving, TheWindowClosesOnceItIsWritten) {
  window_.send(viewer::Quit{});
  ASSERT_TRUE(window_.wait([&] { return window_.quit_done; }, 60));
  EXPECT_TRUE(fs::exists(saved_));
}

TEST_F(Saving, WhatIsEditedMeanwhileIsNotSaved) {
  window_.send(viewer::EditScene{{splat::edit::SelectAll{}}});
  window_.send(viewer::ExportSplats{folder_.path() / "all.ply"});
  window_.send(viewer::EditScene{{splat::edit::SelectByValue{splat::edit::RowValue::kOpacity, 0, 0.5}}});
  window_.send(viewer::EditScene{{splat::edit::DeleteSelected{}}});
  ASSERT_TRUE(window_.wait([&] { return window_.edited && !window_.edited->saved_as.empty(); }, 60));
  EXPECT_GT(window_.edited->deleted, 0u);
  EXPECT_TRUE(window_.edited->unsaved) << "the file has what was deleted since";
  EXPECT_EQ(io::read_splat_file(folder_.path() / "all.ply")->gaussians.size(), 200'000u);
}

}  // namespace
}  // namespace app::test
