// Masks painted in the window, without a window: shown, saved, and used by what reads the dataset next.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "studio/names.h"
#include "tests/studio/live_window.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
using app::test::text_of;  // studio has one of its own
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

// The left part of a photo, to this share of its width.
studio::PaintStep left(float share) {
  return {studio::PaintKind::kPolygon, false, 0, {{0, 0}, {share, 0}, {share, 9}, {0, 9}}};
}

class PaintedMasksInTheWindow : public testing::Test {
 protected:
  void open(LiveWindow& window) {
    window.send(studio::OpenPath{scene_.dataset()});
    ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  }
  static studio::MaskPhoto shown(LiveWindow& window, int view) {
    window.mask_photo.reset();
    window.send(studio::WantMaskPhoto{view});
    EXPECT_TRUE(window.wait([&] { return window.mask_photo.has_value(); })) << window.all_notices();
    return window.mask_photo.value_or(studio::MaskPhoto{});
  }
  static bool saved(LiveWindow& window, int view, float share) {
    window.mask_saved.reset();
    window.send(studio::SaveMask{view, {left(share)}});
    EXPECT_TRUE(window.wait([&] { return window.mask_saved.has_value(); })) << window.all_notices();
    return window.mask_saved && window.mask_saved->view == view && window.mask_saved->ok;
  }
  fs::path mask_of(const LiveWindow& window, int view) const {
    return fs::path(scene_.dataset()) / "masks" / (window.dataset->cameras[size_t(view)].name + ".png");
  }

  const SceneOnDisk scene_;
};

TEST_F(PaintedMasksInTheWindow, TheNextRunLeavesOutWhatWasPainted) {
  LiveWindow window;
  open(window);
  studio::MaskPhoto photo = shown(window, 3);
  ASSERT_EQ(photo.view, 3);
  EXPECT_EQ(photo.picture.width, 40);
  EXPECT_TRUE(photo.counts.empty() && photo.file.empty());
  ASSERT_TRUE(saved(window, 3, 0.25f)) << window.all_notices();
  EXPECT_TRUE(window.noticed("the next run leaves out", NoticeKind::kInfo));
  photo = shown(window, 3);
  EXPECT_EQ(photo.file, mask_of(window, 3).string());
  EXPECT_EQ(std::count(photo.counts.begin(), photo.counts.end(), 0), 10 * 32);
  EXPECT_EQ(photo.picture.pixels, shown(window, 3).picture.pixels) << "what is masked is not dimmed";

  const auto dataset = io::load_dataset(scene_.dataset(), {});  // as a run does
  ASSERT_TRUE(dataset.ok());
  for (size_t i = 0; i < dataset->views.size(); ++i) {
    const auto image = io::load_training_image(dataset->views[i]);
    ASSERT_TRUE(image.ok());
    for (size_t p = 0; p < 40 * 32; ++p) EXPECT_EQ(image->counts(p), i != 3 || p % 40 >= 10) << i << ", pixel " << p;
  }
}

TEST_F(PaintedMasksInTheWindow, OnlyMasksFromElsewhereAreKept) {
  {
    LiveWindow window;
    open(window);
    ASSERT_TRUE(saved(window, 0, 0.25f) && saved(window, 0, 0.5f));
    EXPECT_FALSE(fs::exists(mask_of(window, 0).string() + ".before"));
    const studio::MaskPhoto photo = shown(window, 0);
    EXPECT_EQ(std::count(photo.counts.begin(), photo.counts.end(), 0), 20 * 32);
  }
  LiveWindow again;
  open(again);
  const std::string before = text_of(mask_of(again, 0));
  ASSERT_TRUE(saved(again, 0, 0.75f));
  EXPECT_EQ(text_of(mask_of(again, 0).string() + ".before"), before);
  EXPECT_NE(text_of(mask_of(again, 0)), before);
}

TEST_F(PaintedMasksInTheWindow, WhereNothingCanBeWrittenOneSentenceSaysSo) {
  setenv("HOME", "/proc", 1);  // no home either
  LiveWindow window;
  open(window);
  scene_.write("masks", "a file where the folder should be");
  EXPECT_FALSE(saved(window, 0, 0.5f));
  EXPECT_TRUE(window.noticed("the dataset must be where it can be written", NoticeKind::kError));
  EXPECT_TRUE(shown(window, 0).file.empty());
}

// As of a dataset on a medium that is read only: here a file stands where the folder would be made.
TEST_F(PaintedMasksInTheWindow, WhereTheDatasetCannotBeWrittenTheyLieInAFolderOfTheirOwn) {
  const splat::test::TempFolder home;
  setenv("HOME", home.path().c_str(), 1);
  scene_.write("masks", "no folder");
  fs::path masks;
  {
    LiveWindow window;
    open(window);
    ASSERT_TRUE(saved(window, 3, 0.25f)) << window.all_notices();
    masks = window.mask_saved->masks;
    EXPECT_EQ(masks.parent_path(), home.path() / "hipsplat");
    ASSERT_TRUE(saved(window, 1, 0.5f)) << window.all_notices();
    EXPECT_EQ(window.mask_saved->masks, masks);
    EXPECT_TRUE(window.noticed(masks.string(), NoticeKind::kDone)) << "where it is, is said over the scene";
  }
  LiveWindow window;
  open(window);
  EXPECT_EQ(window.dataset->masks, masks) << "for the run";
  const studio::MaskPhoto photo = shown(window, 3);
  EXPECT_EQ(std::count(photo.counts.begin(), photo.counts.end(), 0), 10 * 32);
  io::DatasetOptions options;
  options.masks_folder = masks;
  const auto read = io::load_dataset(scene_.dataset(), options);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto masked = [](const splat::DatasetView& view) { return !view.mask_path.empty(); };
  EXPECT_EQ(std::count_if(read->views.begin(), read->views.end(), masked), 2);
}

// With this lens the corners of the undistorted picture show nothing of the photo.
TEST_F(PaintedMasksInTheWindow, CornersThatTheLensLeftBlankAreNoPartOfTheMask) {
  scene_.write("sparse/0/cameras.txt", "1 OPENCV 40 32 40 40 20 16 -0.25 0 0 0\n");
  LiveWindow window;
  open(window);
  studio::MaskPhoto photo = shown(window, 0);
  ASSERT_FALSE(photo.usable.empty());
  EXPECT_GT(std::count(photo.usable.begin(), photo.usable.end(), 0), 0);
  EXPECT_EQ(photo.counts, photo.usable);
  window.mask_saved.reset();
  window.send(studio::SaveMask{0, {{studio::PaintKind::kInvert}}});
  ASSERT_TRUE(window.wait([&] { return window.mask_saved.has_value(); })) << window.all_notices();
  const std::vector<uint8_t> usable = photo.usable;
  photo = shown(window, 0);
  EXPECT_EQ(photo.usable, usable) << "whatever the mask";
  EXPECT_EQ(std::count(photo.counts.begin(), photo.counts.end(), 255), 0) << "all of the photo is left out";
}

}  // namespace
}  // namespace studio::test
