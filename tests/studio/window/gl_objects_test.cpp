// Several files in one scene: opened, listed, named, hidden, locked, placed, aligned, saved and kept through a crash.
#include <gtest/gtest.h>
#include <signal.h>

#include "splat/model/gaussian_rows.h"
#include "splat/model/transform.h"
#include "studio/window/window_settings.h"
#include "tests/studio/window/gl_edit.h"

namespace {

using test::GlEdit;
using test::kSplats;
using test::WindowRun;
using test::WindowState;

constexpr size_t kOther = 700;

class GlObjects : public test::GlEditKept {
 protected:
  GlObjects() {
    const splat::Gaussians other = splat::bench::make_scene({kOther, 200, 150}).model;
    EXPECT_TRUE(io::write_splat_file(other_, other).ok());
    EXPECT_TRUE(io::write_splat_file(flat_, splat::with_sh_degree(other, 0)).ok());
  }
  static bool both(const WindowState& s) {
    return s.objects == 2 && s.splats == kSplats + kOther && s.editing && s.settled;
  }
  // Types into a field of the list of objects, until `done`.
  static void enter(WindowRun& run, const char* field, const std::string& text,
                    const std::function<bool(const WindowState&)>& done) {
    for (int tries = 0; tries < 5 && !done(*run.state()); ++tries) {
      run.click(field);
      run.input("sleep 0.7 type --delay 60 '" + text + "'");  // what is in it is selected by the click
      run.input("sleep 0.7 key Return");
      for (int i = 0; i < 100 && !done(*run.state()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(done(*run.state())) << field;
  }
  // Clicks until `done`: a click can come before the button is where it was.
  static void click_until(WindowRun& run, const char* button, const std::function<bool(const WindowState&)>& done) {
    for (int tries = 0; tries < 5 && !done(*run.state()); ++tries) {
      run.click(button);
      for (int i = 0; i < 150 && !done(*run.state()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(done(*run.state())) << button;
  }

  // As many steps; once more where a dialog was in their way, which one Enter too many may have opened again.
  static void undo_until(WindowRun& run, int steps, const std::function<bool(const WindowState&)>& done) {
    for (int tries = 0; tries < 4 && !done(*run.state()); ++tries) {
      if (tries > 0) run.input("key Escape sleep 1");
      for (int i = 0; i < steps; ++i) run.input("key ctrl+z sleep 0.3");
      for (int i = 0; i < 300 && !done(*run.state()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(done(*run.state()));
  }

  const std::filesystem::path other_ = folder_.path() / "other.ply", flat_ = folder_.path() / "flat.ply";
};

TEST_F(GlObjects, FilesOnTheCommandLineAreOneSceneAndOneFile) {
  WindowRun run({scene_.string(), other_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(both));
  EXPECT_TRUE(run.state()->unsaved);
  run.finish_frame();
  run.click("Object 1");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kOther; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), first = io::read_splat_file(scene_),
             second = io::read_splat_file(other_);
  ASSERT_TRUE(saved.ok() && first.ok() && second.ok());
  splat::Gaussians all = first->gaussians;
  splat::append_rows(second->gaussians, all);
  EXPECT_EQ(saved->gaussians.means, all.means);
  EXPECT_EQ(saved->gaussians.sh, all.sh);
  // The saved file has them.
  undo_until(run, 2, [](const WindowState& s) { return s.objects == 1 && s.splats == kSplats && s.unsaved; });
}

TEST_F(GlObjects, AreHiddenLockedPlacedAndNamed) {
  WindowRun run({scene_.string(), other_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(both));
  run.finish_frame();
  click_until(run, "Visible 1", [](const WindowState& s) { return s.shown_objects == 1; });
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; })) << "what is hidden is not selected";
  click_until(run, "Visible 1", [](const WindowState& s) { return s.shown_objects == 2; });
  click_until(run, "Object 1", [](const WindowState& s) { return s.selected == kOther; });
  enter(run, "Object name", "chair", [](const WindowState& s) { return s.object_name == "chair"; });
  enter(run, "Scale", "2", [](const WindowState& s) { return s.object_scale == 2; });
  click_until(run, "Locked", [](const WindowState& s) { return s.locked_objects == 1; });
  EXPECT_EQ(run.state()->selected, 0u);
  const std::filesystem::path alone = folder_.path() / "scene-chair.ply";
  run.click("Save 1");
  for (int i = 0; i < 60 && !std::filesystem::exists(alone); ++i) run.input("sleep 0.7 key Return");
  const auto saved = io::read_splat_file(alone), file = io::read_splat_file(other_);
  ASSERT_TRUE(saved.ok() && file.ok()) << saved.error().message;
  splat::ThreadPool pool(1);
  splat::Gaussians scaled = file->gaussians;
  splat::transform(scaled, {2.0}, pool);
  EXPECT_EQ(saved->gaussians.means, scaled.means);
  undo_until(run, 1, [](const WindowState& s) { return s.locked_objects == 0; });
  undo_until(run, 1, [](const WindowState& s) { return s.object_scale == 1 && s.object_name == "chair"; });
  undo_until(run, 1, [](const WindowState& s) { return s.object_name == "other"; });
}

class GlObjectsDrawn : public GlObjects, public testing::WithParamInterface<studio::RendererChoice> {
 protected:
  static constexpr double kSameLevels = 0.5;  // of 255, the mean over all pixels

  static splat::Image8 scene_of(WindowRun& run) {
    const WindowState s = *run.state();
    const splat::Image8 whole = run.picture();
    splat::Image8 scene{s.width, s.height, 3, {}};
    for (int y = s.y; y < s.y + s.height; ++y)
      scene.pixels.insert(scene.pixels.end(), whole.pixels.begin() + 3 * (y * whole.width + s.x),
                          whole.pixels.begin() + 3 * (y * whole.width + s.x + s.width));
    return scene;
  }
  static double difference(const splat::Image8& a, const splat::Image8& b) {
    if (a.pixels.size() != b.pixels.size()) return 255;
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int(a.pixels[i]) - int(b.pixels[i]));
    return sum / double(a.pixels.size());
  }
};

// A scene of one colour a splat, and one with directions added: what is drawn then is what the merged file shows.
TEST_P(GlObjectsDrawn, AFileOfAnotherDegreeIsDrawnInOneOrderWithTheFirst) {
  const std::filesystem::path merged = folder_.path() / "merged.ply";
  splat::Gaussians all = io::read_splat_file(flat_)->gaussians;
  const splat::Gaussians second = io::read_splat_file(scene_)->gaussians;
  all = splat::with_sh_degree(all, second.sh_degree);
  splat::append_rows(second, all);
  ASSERT_TRUE(io::write_splat_file(merged, all).ok());
  const std::string settings = R"({"show_grid": false, "renderer": )" + std::to_string(int(GetParam())) + "}";
  // The scene, once it is like the other one; of none: once it is there.
  const auto picture = [&](const std::vector<std::string>& files, const splat::Image8& like) {
    WindowRun run(files, {}, settings);
    if (!run.can_run()) return splat::Image8();
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.splats == kSplats + kOther && s.settled; }));
    if (files.size() == 1) run.input("key ctrl+e");
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.editing; }));
    run.input("sleep 1 mousemove 10 10 key Home sleep 3");
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
    splat::Image8 scene;
    for (int tries = 0; tries < (like.pixels.empty() ? 1 : 40); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      scene = scene_of(run);
      if (difference(scene, like) < kSameLevels) break;
    }
    return scene;
  };
  const splat::Image8 one = picture({merged.string()}, {});
  if (one.pixels.empty()) GTEST_SKIP() << "no display";
  const splat::Image8 two = picture({flat_.string(), scene_.string()}, one);
  EXPECT_LT(difference(two, one), kSameLevels);
}

INSTANTIATE_TEST_SUITE_P(By, GlObjectsDrawn,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

TEST_F(GlObjects, AddedFilesOutliveAKill) {
  {
    WindowRun run({scene_.string(), other_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait(both));
    run.finish_frame();
    click_until(run, "Object 1", [](const WindowState& s) { return s.selected == kOther; });
    enter(run, "Scale", "3", [](const WindowState& s) { return s.object_scale == 3; });
    std::this_thread::sleep_for(std::chrono::seconds(7));
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  WindowRun run({scene_.string()}, remembering(), "");
  run.click("Restore");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == kSplats + kOther && s.unsaved; }));
  EXPECT_EQ(run.state()->objects, 2u);
  run.input("key ctrl+e");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.editing; }));
  run.finish_frame();
  click_until(run, "Object 1", [](const WindowState& s) { return s.object_scale == 3; });
  EXPECT_EQ(run.state()->selected, kOther);
  // The selection may be a step or not: it was restored with the rest.
  undo_until(run, 1, [](const WindowState& s) { return s.splats == kSplats && s.objects == 1 && !s.unsaved; });
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlObjects, AFileThatHasChangedIsNotRestoredAndNothingIsLost) {
  {
    WindowRun run({scene_.string(), other_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait(both));
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  ASSERT_TRUE(io::write_splat_file(other_, splat::bench::make_scene({300, 200, 150}).model).ok());
  WindowRun run({scene_.string()}, remembering(), "");
  run.click("Restore");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.errors > 0; }));
  EXPECT_EQ(run.state()->splats, kSplats);
  EXPECT_EQ(files(), 1u) << "they can be had once the file is back";
}

// A file that joins at once must not take the place of edits that may still be wanted.
TEST_F(GlObjects, EditsThatWaitToBeRestoredComeFirst) {
  size_t part = 0;
  {
    WindowRun run({scene_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    part = delete_a_part(run);
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  WindowRun run({scene_.string(), other_.string()}, remembering(), "");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.errors > 0; })) << "the other file is named";
  EXPECT_EQ(run.state()->splats, kSplats);
  click_until(run, "OK", [](const WindowState& s) { return s.errors == 0; });
  run.click("Restore");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == part; }));
}

// One on the other by clicks and by its surface.
TEST_F(GlObjects, OneIsLaidOnTheOther) {
  splat::Gaussians off = splat::bench::make_scene({kSplats, 400, 300}).model;
  splat::ThreadPool pool(1);
  splat::transform(off, {1, splat::quat_about({0, 1, 0}, 1), {0.02, 0, 0}}, pool);
  ASSERT_TRUE(io::write_splat_file(other_, off).ok());
  WindowRun run({scene_.string(), other_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.objects == 2 && s.editing && s.settled; }));
  run.input("key u");
  run.finish_frame();
  const int places[3][2] = {{0, 0}, {60, 0}, {0, 60}};
  for (int i = 0; i < 3; ++i)
    for (int of_pair = 1; of_pair <= 2; ++of_pair)
      click_beside_middle(run, places[i][0], places[i][1], &WindowState::pair_points, size_t(2 * i + of_pair));
  run.input("key BackSpace");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.pair_points == 4; }));
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.pair_points == 0; }));
  click_until(run, "Refine", [](const WindowState& now) { return now.refined >= 0; });
  EXPECT_LT(run.state()->refined, 0.05);
  EXPECT_EQ(run.state()->selected, 0u);
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.landed; }));
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return !now.landed && now.refined >= 0; }));
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.landed; }));
  click_until(run, "Apply", [](const WindowState& now) { return now.refined < 0; });
  const std::filesystem::path alone = folder_.path() / "scene-other.ply";
  run.input("key r");  // whose part of the panel is small
  run.finish_frame();
  run.click("Save 1");
  for (int i = 0; i < 60 && !std::filesystem::exists(alone); ++i) run.input("sleep 0.7 key Return");
  const auto saved = io::read_splat_file(alone), there = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && there.ok()) << saved.error().message;
  double worst = 0;
  for (size_t i = 0; i < there->gaussians.means.size(); ++i)
    worst = std::max(worst, std::abs(double(saved->gaussians.means[i]) - double(there->gaussians.means[i])));
  EXPECT_LT(worst, 0.005) << "the same points, so that they can lie exactly on each other";
}

// Part of the picture, without what panels and marks say.
splat::Image8 middle_of(const splat::Image8& picture, const WindowState& s) {
  splat::Image8 part{s.width / 2, s.height / 2, picture.channels, {}};
  for (int y = 0; y < part.height; ++y) {
    const auto row = picture.pixels.begin() +
                     ptrdiff_t((size_t(s.y + s.height / 4 + y) * size_t(picture.width) + size_t(s.x + s.width / 4)) *
                               size_t(picture.channels));
    part.pixels.insert(part.pixels.end(), row, row + ptrdiff_t(part.width) * picture.channels);
  }
  return part;
}

class GlObjectsAligned : public GlObjects, public testing::WithParamInterface<studio::RendererChoice> {};

// Where it would lie is what is seen once it lies there; until then it can be put back, and there is no step.
TEST_P(GlObjectsAligned, IsSeenWhereItWouldLieBeforeItIsTaken) {
  splat::Gaussians off = splat::bench::make_scene({kSplats, 400, 300}).model;
  splat::ThreadPool pool(1);
  splat::transform(off, {1, splat::quat_about({0, 1, 0}, 3), {0.15, 0.05, 0}}, pool);
  ASSERT_TRUE(io::write_splat_file(other_, off).ok());
  WindowRun run({scene_.string(), other_.string()}, {}, test::drawn_by(GetParam()));
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.objects == 2 && s.editing && s.settled; }));
  run.input("key u mousemove 5 5");
  run.finish_frame();
  const auto seen = [&] {
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
    run.finish_frame();
    run.input("sleep 1");
    return middle_of(run.picture(), *run.state());
  };
  const splat::Image8 before = seen();
  run.input("key shift+Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.landed; }));
  const splat::Image8 shown = seen();
  const double moved = test::mean_difference(before, shown);
  EXPECT_GT(moved, 1) << "nothing is to be seen";
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.landed; }));
  EXPECT_LT(test::mean_difference(before, seen()), 0.1 * moved);
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.landed; }));
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.landed && s.refined < 0; }));
  EXPECT_LT(test::mean_difference(shown, seen()), 0.1 * moved);
  run.input("key ctrl+z");
  for (int i = 0; i < 100 && test::mean_difference(before, seen()) > 0.1 * moved; ++i) {
  }
  EXPECT_LT(test::mean_difference(before, seen()), 0.1 * moved) << "one step";
}

INSTANTIATE_TEST_SUITE_P(By, GlObjectsAligned,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

}  // namespace
