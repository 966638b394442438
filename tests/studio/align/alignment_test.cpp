// Photos without cameras in the window: the question, the scene as it grows, and what follows; with the stand-in for
// colmap.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "app/jobs/align/alignment.h"
#include "app/settings/align.h"
#include "io/image_file.h"
#include "studio/documents/opening.h"
#include "tests/studio/live_window.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace studio::test {
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

constexpr int kPhotos = 14;

class AlignmentInTheWindow : public testing::Test {
 protected:
  AlignmentInTheWindow() {
    setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
    for (int i = 0; i < kPhotos; ++i)
      folder_.write("photos/" + std::to_string(10 + i) + ".jpg",
                    io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, i), 90));
  }
  ~AlignmentInTheWindow() override {
    for (const char* name : {"HIPSPLAT_COLMAP", "FAKE_COLMAP_DELAY_MS", "FAKE_COLMAP_FAIL", "FAKE_COLMAP_HOLD"})
      unsetenv(name);
  }
  fs::path photos() const { return folder_.path() / "photos"; }
  fs::path scene() const { return folder_.path() / "photos_scene"; }
  // Opens the photos; the answer to the question that comes.
  studio::StartAlignment asked(LiveWindow& window) {
    window.unaligned.reset();
    window.send(studio::OpenPath{photos()});
    EXPECT_TRUE(window.wait([&] { return window.unaligned.has_value(); })) << window.all_notices();
    studio::StartAlignment answer;
    answer.request.input = window.unaligned->input;
    answer.request.scene = window.unaligned->scene;
    return answer;
  }

  splat::test::TempFolder folder_;
};

TEST_F(AlignmentInTheWindow, AFolderThatAnotherRunHasIsLeftToIt) {
  LiveWindow window;
  const studio::StartAlignment answer = asked(window);
  fs::create_directory(scene());
  const int other = ::open((scene() / ".hipsplat.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  window.send(answer);
  ASSERT_TRUE(window.wait([&] { return window.noticed("is in use", NoticeKind::kError); })) << window.all_notices();
  EXPECT_FALSE(fs::exists(scene() / "sparse"));
  ::close(other);
}

TEST_F(AlignmentInTheWindow, TheSceneGrowsAndCanThenBeTrained) {
  setenv("FAKE_COLMAP_DELAY_MS", "25", 1);
  LiveWindow window;
  studio::StartAlignment answer = asked(window);
  EXPECT_EQ(window.unaligned->input, photos());
  EXPECT_EQ(window.unaligned->scene, scene());
  EXPECT_FALSE(window.unaligned->video || window.unaligned->begun);
  EXPECT_EQ(window.unaligned->holds, std::to_string(kPhotos) + " photos");
  EXPECT_EQ(window.unaligned->impossible, "");
  EXPECT_FALSE(fs::exists(scene())) << "nothing is written before the answer";

  window.send(answer);
  size_t cameras = 0;
  ASSERT_TRUE(window.wait([&] {
    if (window.dataset && window.dataset->growing) {
      cameras = window.dataset->cameras.size();
      EXPECT_EQ(window.dataset->path, scene()) << "it is called what it will be";
      const viewer::Bounds& seen = window.dataset->bounds;
      for (const viewer::PhotoCamera& camera : window.dataset->cameras) {
        const viewer::Vec3 at = viewer::vec3(camera.view.cam_from_world.origin_in_source());
        EXPECT_TRUE(at.x >= seen.low.x && at.y >= seen.low.y && at.z >= seen.low.z && at.x <= seen.high.x &&
                    at.y <= seen.high.y && at.z <= seen.high.z)
            << "cameras are in the picture: " << camera.name;
      }
    }
    return window.dataset && !window.dataset->growing;
  })) << window.all_notices();
  EXPECT_GE(cameras, 3u) << "before the end some were shown";
  EXPECT_EQ(window.dataset->cameras.size(), size_t(kPhotos));
  EXPECT_EQ(window.dataset->path, scene());
  EXPECT_EQ(window.dataset->cameras.front().name, "10.jpg");
  ASSERT_TRUE(window.wait([&] { return !window.works.empty() && window.works.back().what.empty(); }));
  bool reported = false;
  std::string asked_first;
  for (const studio::WorkProgress& work : window.works) {
    reported |= work.what.find("photos: ") == 0 && work.can_cancel;
    if (!work.if_closed.empty()) asked_first = work.if_closed;
  }
  EXPECT_TRUE(reported);
  EXPECT_FALSE(asked_first.empty()) << "the window asks before it is closed";
  EXPECT_EQ(window.works.back().if_closed, "");
  EXPECT_EQ(window.training.status, studio::RunStatus::kNone);
}

TEST_F(AlignmentInTheWindow, PhotosAreSeenAsTheirCamerasAreFound) {
  setenv("FAKE_COLMAP_HOLD", folder_.write("hold", "").c_str(), 1);
  LiveWindow window;
  window.send(asked(window));
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); }, 60)) << window.all_notices();
  ASSERT_TRUE(window.dataset->growing);
  const size_t first = window.dataset->cameras.size();
  ASSERT_TRUE(window.wait([&] { return window.thumbnails.size() == first; }, 60)) << window.all_notices();
  EXPECT_EQ(window.thumbnails.front().name, window.dataset->cameras[size_t(window.thumbnails.front().view)].name);
  window.dataset.reset();
  fs::remove(folder_.path() / "hold");
  ASSERT_TRUE(window.wait([&] { return window.dataset && !window.dataset->growing; }, 60)) << window.all_notices();
}

TEST_F(AlignmentInTheWindow, TrainingFollowsWhereThatWasChosen) {
  LiveWindow window;
  studio::StartAlignment answer = asked(window);
  answer.request.train = true;
  answer.training.train.iterations = 3;
  window.send(answer);
  ASSERT_TRUE(window.wait_for(studio::RunStatus::kFinished, 60)) << window.all_notices();
  EXPECT_EQ(window.dataset->path, scene());
}

TEST_F(AlignmentInTheWindow, CancelledItGoesOnLater) {
  setenv("FAKE_COLMAP_DELAY_MS", "60", 1);
  LiveWindow window;
  window.send(asked(window));
  ASSERT_TRUE(window.wait([&] {
    return !window.works.empty() && window.works.back().what.find("finding features") != std::string::npos;
  })) << window.all_notices();
  window.send(studio::CancelWork{});
  ASSERT_TRUE(window.wait([&] { return window.noticed("open it again to go on", NoticeKind::kInfo); }));
  EXPECT_TRUE(window.works.back().what.empty());
  EXPECT_FALSE(window.dataset.has_value());
  unsetenv("FAKE_COLMAP_DELAY_MS");
  const studio::StartAlignment again = asked(window);
  EXPECT_TRUE(window.unaligned->begun);
  EXPECT_EQ(again.request.scene, scene());
  window.send(again);
  ASSERT_TRUE(window.wait([&] { return window.dataset && !window.dataset->growing; })) << window.all_notices();
}

TEST_F(AlignmentInTheWindow, WhatFailsIsSaid) {
  setenv("FAKE_COLMAP_FAIL", "mapper=segv", 1);
  LiveWindow window;
  window.send(asked(window));
  ASSERT_TRUE(window.wait([&] { return window.noticed("signal 11", NoticeKind::kError); })) << window.all_notices();
  window.send(studio::StartTraining{});
  ASSERT_TRUE(window.wait([&] { return window.noticed("no dataset to train on", NoticeKind::kError); }));
  setenv("HIPSPLAT_COLMAP", "/no/colmap", 1);
  asked(window);
  EXPECT_NE(window.unaligned->impossible.find("is not installed"), std::string::npos);
}

TEST_F(AlignmentInTheWindow, AnotherFolderIsTakenForOtherPhotos) {
  folder_.write("photos_scene/align.json", R"({"input": "/elsewhere"})");
  EXPECT_EQ(suggested_scene(photos()), folder_.path() / "photos_scene_2");
  folder_.write("photos_scene/align.json", "{\"input\": \"" + photos().string() + "\"}");
  EXPECT_EQ(suggested_scene(photos()), scene());
  folder_.write("film.mp4", "");
  EXPECT_EQ(suggested_scene(folder_.path() / "film.mp4"), folder_.path() / "film_scene");
}

}  // namespace
}  // namespace studio::test
