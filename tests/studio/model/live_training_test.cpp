// Training as the window does it: commands in, states and pictures out, and the same bytes as on the command line.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/cli/commands/commands.h"
#include "app/jobs/output_lock.h"
#include "devices/registry.h"
#include "io/checkpoint.h"
#include "io/image_file.h"
#include "io/io.h"
#include "splat/model/resized_camera.h"
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"
#include "studio/model/live_training.h"
#include "tests/studio/live_window.h"
#include "tests/studio/model/live_choices.h"
#include "tests/support/scene_on_disk.h"
#include "viewer/camera/camera_state.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;
using studio::RunStatus;

testing::AssertionResult opened(LiveWindow& window, const SceneOnDisk& scene) {
  window.send(studio::OpenPath{scene.dataset()});
  if (window.wait([&] { return window.dataset.has_value(); })) return testing::AssertionSuccess();
  return testing::AssertionFailure() << window.all_notices();
}

testing::AssertionResult started(LiveWindow& window, const studio::TrainingChoices& c) {
  window.send(studio::StartTraining{c});
  const bool running = window.wait(
      [&] { return window.training.status == RunStatus::kRunning || window.training.status == RunStatus::kFinished; });
  if (running) return testing::AssertionSuccess();
  return testing::AssertionFailure() << window.all_notices();
}

TEST(LiveTraining, OpensADatasetWithItsPreflight) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  const studio::OpenedDataset& dataset = *window.dataset;
  EXPECT_EQ(dataset.cameras.size(), 10u);
  EXPECT_EQ(dataset.held_out, 2u) << "every 8th, as a run would do";
  EXPECT_EQ(dataset.points.size(), 120u);
  EXPECT_EQ(dataset.up.source, viewer::UpSource::kCameras);
  EXPECT_FALSE(dataset.bounds.empty());
  EXPECT_GT(dataset.preflight.size(), 3u);
  EXPECT_GT(dataset.needed_bytes, 0u);
  EXPECT_GT(dataset.splats_that_fit, 1000u);
  EXPECT_FALSE(fs::exists(dataset.suggested_output));
  ASSERT_TRUE(window.wait([&] { return window.thumbnails.size() == 10; }));
  EXPECT_EQ(window.thumbnails[3].view, 3);
  EXPECT_EQ(window.thumbnails[3].picture.channels, 3);
  ASSERT_TRUE(window.wait([&] { return window.devices.has_value(); }));
  EXPECT_FALSE(window.devices->backends.empty());
}

// One run at a time in a folder, whether a window or a command line has it.
TEST(LiveTraining, AFolderThatAnotherProcessTrainsIntoIsRefused) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("run");
  fs::create_directory(out);
  const pid_t other = fork();
  if (other == 0) {
    OutputLock lock;
    const bool taken = lock.take(out / ".hipsplat.lock").ok();
    if (taken) pause();
    _exit(1);
  }
  while (!fs::exists(out / ".hipsplat.lock") || fs::is_empty(out / ".hipsplat.lock"))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  window.send(studio::StartTraining{choices(out, 100000)});
  EXPECT_TRUE(window.wait([&] { return window.noticed("process " + std::to_string(other), NoticeKind::kError); }))
      << window.all_notices();
  EXPECT_NE(window.training.status, RunStatus::kRunning);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  ASSERT_TRUE(started(window, choices(out, 100000)));
}

// Beside whatever the window holds, and held and gave back before.
TEST(LiveTraining, MemoryIsPredictedInTheWindowToo) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers have memory of their own";
#endif
  const SceneOnDisk scene;
  fs::remove(fs::path(scene.dataset()) / "sparse/0/points3D.txt");
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  { const std::vector<char> before(600'000'000, 'x'); }
  const std::vector<char> scene_of_the_window(200'000'000, 'x');
  viewer::RenderRequest view{window.dataset->cameras[0].view, {}};
  view.view.camera = splat::resized(view.view.camera, 800, 600);
  window.look(view);
  studio::TrainingChoices c = choices(scene.output("run"), 12);
  c.fine = {{"random-splats", "150000"}, {"densify-until", "0"}};
  ASSERT_TRUE(started(window, c));
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished, 60)) << window.all_notices();
  const auto metrics = nlohmann::json::parse(text_of(c.output / "metrics.json"));
  const double held = metrics["peak_rss_bytes"];
  EXPECT_GT(held, double(scene_of_the_window.size()));
  EXPECT_LT(held, 600e6) << "what was given back before is not the run's";
  EXPECT_NEAR(metrics["predicted_peak_bytes"].get<double>() / held, 1, 0.1) << held;
}

TEST(LiveTraining, StartPauseResumeCheckpointStopExport) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  const fs::path out = scene.output("run");
  ASSERT_TRUE(started(window, choices(out, 100000)));
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > 20; }));
  EXPECT_GT(window.training.iterations_per_second, 0);
  EXPECT_GT(window.training.seconds_left, 0);
  EXPECT_GT(window.training.loss, 0);
  EXPECT_GT(window.training.memory_bytes, 1'000'000u);
  EXPECT_EQ(window.training.backend, "cpu");
  EXPECT_FALSE(window.training.reason.empty());

  window.send(studio::PauseTraining{});
  ASSERT_TRUE(window.wait_for(RunStatus::kPaused));
  const int paused_at = window.training.iteration;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  window.pump();
  EXPECT_EQ(window.training.iteration, paused_at);

  window.send(studio::SaveCheckpoint{});
  ASSERT_TRUE(window.wait([&] { return !window.training.last_checkpoint.empty(); }));
  EXPECT_TRUE(io::read_checkpoint(window.training.last_checkpoint).ok());

  window.send(studio::ResumeTraining{});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > paused_at + 10; }));

  const fs::path exported = scene.output("export.ply");
  window.send(studio::ExportSplats{exported});
  ASSERT_TRUE(window.wait([&] { return window.noticed("export.ply", NoticeKind::kInfo); })) << window.all_notices();
  EXPECT_TRUE(io::read_splat_file(exported).ok());
  EXPECT_EQ(window.training.status, RunStatus::kRunning);

  window.splats.reset();
  window.send(studio::StopTraining{});
  ASSERT_TRUE(window.wait_for(RunStatus::kStopped));
  const int last = window.training.iteration;
  EXPECT_TRUE(window.training.psnr.has_value()) << "two photos are held out";
  EXPECT_FALSE(window.training.history.empty());
  EXPECT_FALSE(window.training.speed.empty());
  const auto written =
      io::read_splat_file(out / "point_cloud" / ("iteration_" + std::to_string(last)) / "point_cloud.ply");
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written->gaussians.size(), window.training.splats);
  for (const char* name : {"metrics.json", "report.html", "log.txt"}) EXPECT_TRUE(fs::exists(out / name)) << name;
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << "the model comes for the GL renderer";
  EXPECT_EQ(window.splats->rows, window.training.splats);
  EXPECT_EQ(window.splats->packed.splats.count, window.training.splats);
  EXPECT_EQ(window.splats->iteration, last);
  for (const studio::Notice& notice : window.notices) EXPECT_NE(notice.kind, NoticeKind::kError) << notice.text;
}

TEST(LiveTraining, GivesTheSameBytesAsTheCommandLineWhateverIsLookedAt) {
  constexpr int kLength = 1200;  // iterations; long enough for some pictures at a tenth of the time
  const SceneOnDisk scene;
  const fs::path live = scene.output("live"), headless = scene.output("headless");
  auto options = options_of(scene.dataset(), choices(headless, kLength));
  ASSERT_TRUE(options.ok()) << options.error().message;
  options->device.threads = 1;
  ASSERT_TRUE(run_train(*options).ok());

  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  ASSERT_TRUE(started(window, choices(live, kLength)));
  splat::View view = window.dataset->cameras[0].view;
  bool paused = false;
  ASSERT_TRUE(window.wait([&] {
    view.cam_from_world.translation[0] += 0.001;  // always moving
    window.look(viewer::RenderRequest{view, {}});
    if (window.training.iteration > 100 && !paused) {
      paused = true;
      window.send(studio::PauseTraining{});
      window.send(studio::WantComparison{0});
      window.send(studio::PickPoint{view, 20, 16});
      window.send(studio::ResumeTraining{});
    }
    return window.training.status == RunStatus::kFinished;
  }));
  EXPECT_GT(window.images, 3) << "nothing was drawn meanwhile: this proves little";
  EXPECT_TRUE(window.comparison.has_value());
  const std::string name = "point_cloud/iteration_" + std::to_string(kLength) + "/point_cloud.ply";
  ASSERT_GT(text_of(live / name).size(), 1000u);
  EXPECT_EQ(text_of(live / name), text_of(headless / name));
}

TEST(LiveTraining, PicturesShowTheViewAskedForAndTakeATenthAtMost) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  splat::View view = window.dataset->cameras[0].view;
  view.camera = {640, 480, 560, 560, 320, 240};
  window.look(viewer::RenderRequest{view, {}});
  ASSERT_TRUE(started(window, choices(scene.output("run"), 100000)));
  const auto begin = std::chrono::steady_clock::now();
  window.wait([&] {
    view.cam_from_world.translation[0] += 1e-4;
    window.look(viewer::RenderRequest{view, {}});
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(3);
  });
  EXPECT_GT(window.images, 5);
  EXPECT_GT(window.training.view_share, 0);
  EXPECT_LE(window.training.view_share, 0.1);
  ASSERT_TRUE(window.image.has_value());
  EXPECT_GT(window.image->iteration, 0);
  EXPECT_EQ(window.image->request.view.camera.width, 640);

  window.send(studio::PauseTraining{});
  ASSERT_TRUE(window.wait_for(RunStatus::kPaused));
  ASSERT_TRUE(window.wait([&] {
    return window.image->divisor == 1 &&
           window.image->request.view.cam_from_world.translation == view.cam_from_world.translation;
  })) << "at rest it is sharp";
  EXPECT_EQ(window.image->width, 640);
}

// A window that draws seldom does not pay for pictures that it never shows.
TEST(LiveTraining, AtRestAPictureWaitsUntilTheLastWasLookedAt) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  splat::View view = window.dataset->cameras[0].view;
  window.look(viewer::RenderRequest{view, {}});
  ASSERT_TRUE(started(window, choices(scene.output("run"), 100000)));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  window.image.reset();
  window.pump();
  ASSERT_TRUE(window.image.has_value());
  EXPECT_LT(2 * window.image->iteration, window.training.iteration) << "it was drawn again and again";
  window.pump();
  EXPECT_TRUE(window.wait([&] { return 2 * window.image->iteration > window.training.iteration; }));
}

TEST(LiveTraining, NoCallOfTheWindowEverWaits) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  ASSERT_TRUE(started(window, choices(scene.output("run"), 400)));
  splat::View view = window.dataset->cameras[0].view;
  int i = 0;
  ASSERT_TRUE(window.wait([&] {
    view.cam_from_world.translation[1] += 0.001;
    window.look(viewer::RenderRequest{view, {}});
    if (++i % 20 == 0) window.send(studio::SaveCheckpoint{});
    if (i % 30 == 0) window.send(studio::ExportSplats{scene.output("some.ply")});
    if (i % 40 == 0) window.send(studio::PublishModel{});
    return window.training.status == RunStatus::kFinished;
  }));
  EXPECT_LT(window.longest_call_ms(), 50) << "on a busy machine a thread may lose the processor, but not for longer";
}

// With the memory of the others': Devices lends what it draws by, of the device that trains, and gets it back.
TEST(LiveTraining, WhatItDrawsOtherModelsByIsLent) {
  const SceneOnDisk scene;
  const auto options = options_of(scene.dataset(), choices(scene.output("run"), 100000));
  ASSERT_TRUE(options.ok()) << options.error().message;
  std::atomic<int> lent{0}, pictures{0};
  Devices devices(options->device, [&](const DeviceOptions& wanted, bool) {
    lent += wanted.backend == "cpu";
    return splat::make_backend(wanted.backend, wanted.index, wanted.threads);
  });
  viewer::Bus reports;
  LiveTraining live(*options, devices, reports);
  viewer::RenderRequest request{splat::test::make_tiny_dataset().dataset.views[0].view(), {}};
  const auto draw = [&](viewer::RenderMode mode) {
    request.settings.mode = mode;
    const int before = pictures;
    live.draw_once(request, [&](const viewer::EngineImage& image) { pictures += !image.rgba.empty(); });
    for (int i = 0; i < 5000 && pictures == before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(pictures, before + 1);
  };
  draw(viewer::RenderMode::kSplats);
  EXPECT_EQ(lent, 0) << "by the backend that trains";
  draw(viewer::RenderMode::kDepth);
  EXPECT_EQ(lent, 1);
}

// It once went to sleep for an hour: what was to wake it had been taken with the jobs.
TEST(LiveTraining, ARequestThatComesWithTheJobsIsSeen) {
  const SceneOnDisk scene;
  const auto options = options_of(scene.dataset(), choices(scene.output("run"), 10));
  ASSERT_TRUE(options.ok()) << options.error().message;
  viewer::Bus reports;
  Devices devices(options->device);
  LiveTraining live(*options, devices, reports);
  const auto wait_for = [](const auto& condition) {
    for (int i = 0; i < 5000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  };
  // The second is taken together with what it puts itself.
  const auto ask_behind_another = [&](LiveTraining::Job job) {
    live.ask([](TrainingRun&) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
    live.ask(std::move(job));
  };
  live.pause();
  ASSERT_TRUE(wait_for([&] {
    const auto state = reports.take<studio::TrainingState>();
    return state && state->status == RunStatus::kPaused;
  }));
  ask_behind_another([&](TrainingRun&) { live.resume(); });
  EXPECT_TRUE(wait_for([&] { return live.finished(); })) << "it goes on";
  ask_behind_another([&](TrainingRun&) { live.leave(false); });
  EXPECT_TRUE(wait_for([&] { return live.left(); })) << "it ends";
  live.ask({});  // wakes it in any case, so that the test ends
}

TEST(LiveTraining, QuittingSavesACheckpointThatGoesOn) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("run");
  int left_at = 0;
  {
    LiveWindow window;
    ASSERT_TRUE(opened(window, scene));
    ASSERT_TRUE(started(window, choices(out, 5000)));
    ASSERT_TRUE(window.wait([&] { return window.training.iteration > 30; }));
    left_at = window.training.iteration;
    window.send(studio::Quit{});
    ASSERT_TRUE(window.wait([&] { return window.quit_done; }));
  }
  fs::path checkpoint;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints")) checkpoint = entry.path();
  ASSERT_FALSE(checkpoint.empty());
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  studio::TrainingChoices c = choices(scene.output("resumed"), 5000);
  c.resume = checkpoint;
  c.fine.clear();
  ASSERT_TRUE(started(window, c));
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > left_at; }));
  EXPECT_EQ(window.training.seed, 3u) << "the checkpoint's";
  EXPECT_EQ(window.training.iterations, 5000);
}

TEST(LiveTraining, ClosingTheSessionWithoutQuitSavesTheRunToo) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("run");
  {
    LiveWindow window;
    ASSERT_TRUE(opened(window, scene));
    ASSERT_TRUE(started(window, choices(out, 5000)));
    ASSERT_TRUE(window.wait([&] { return window.training.iteration > 5; }));
  }
  EXPECT_FALSE(fs::is_empty(out / "checkpoints"));
}

TEST(LiveTraining, ComparesAHeldOutPhotoWithTheModel) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  ASSERT_TRUE(started(window, choices(scene.output("run"), 100000)));
  window.send(studio::WantComparison{5});
  ASSERT_TRUE(window.wait([&] { return window.comparison.has_value(); }));
  const studio::Comparison early = *window.comparison;
  EXPECT_EQ(early.view, 5);
  EXPECT_EQ(early.photo.width, early.render.width);
  EXPECT_EQ(early.photo.pixels.size(), early.render.pixels.size());
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > early.iteration + 200; }));
  window.comparison.reset();
  window.send(studio::WantComparison{5});
  ASSERT_TRUE(window.wait([&] { return window.comparison.has_value(); }));
  EXPECT_GT(window.comparison->psnr, early.psnr) << "it has learnt";
  EXPECT_EQ(window.comparison->photo.pixels, early.photo.pixels);
}

TEST(LiveTraining, TheWindowKnowsWhatARunHoldsOut) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  studio::TrainingChoices c = choices(scene.output("run"), 100000);
  c.fine.clear();
  c.dataset.test_every = 3;
  window.send(studio::WantRunPreview{c});
  ASSERT_TRUE(window.wait([&] { return window.preflight.has_value(); })) << window.all_notices();
  const auto& cameras = window.dataset->cameras;
  EXPECT_EQ(window.preflight->held_out,
            (std::vector<std::string>{cameras[0].name, cameras[3].name, cameras[6].name, cameras[9].name}));
  EXPECT_NE(window.preflight->lines, window.dataset->preflight) << "the lines tell the numbers of photos";
  window.preflight.reset();
  c.dataset.eval = false;
  window.send(studio::WantRunPreview{c});
  ASSERT_TRUE(window.wait([&] { return window.preflight.has_value(); }));
  EXPECT_TRUE(window.preflight->held_out.empty());
  window.preflight.reset();
  ASSERT_TRUE(started(window, choices(scene.output("run"), 100000)));
  ASSERT_TRUE(window.wait([&] { return window.preflight.has_value(); })) << "a run reports by itself";
  EXPECT_EQ(window.preflight->held_out, (std::vector<std::string>{cameras[0].name, cameras[5].name}));
}

TEST(LiveTraining, EveryModeAtRestAndSplatsWhileItTrains) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  viewer::RenderRequest request{window.dataset->cameras[0].view, {}};
  request.settings.mode = viewer::RenderMode::kDepth;
  request.settings.splat_scale = 0.5f;
  window.look(request);
  ASSERT_TRUE(started(window, choices(scene.output("run"), 100000)));
  ASSERT_TRUE(window.wait([&] { return window.image.has_value(); }));
  EXPECT_EQ(window.image->request.settings, viewer::DisplaySettings{}) << "it says what it shows instead";
  window.send(studio::PauseTraining{});
  ASSERT_TRUE(window.wait_for(RunStatus::kPaused));
  const auto shown = [&](viewer::RenderMode mode) {
    return window.wait([&] { return window.image->divisor == 1 && window.image->request.settings.mode == mode; });
  };
  ASSERT_TRUE(shown(viewer::RenderMode::kDepth)) << window.all_notices();
  EXPECT_EQ(window.image->request.settings.splat_scale, 0.5f);
  const std::vector<uint8_t> depth = window.image->rgba;
  bool grey = true;
  for (size_t i = 0; i < depth.size(); i += 4) grey = grey && depth[i] == depth[i + 1] && depth[i] == depth[i + 2];
  EXPECT_TRUE(grey);
  for (const auto mode : {viewer::RenderMode::kCentres, viewer::RenderMode::kEllipsoids, viewer::RenderMode::kOpacity,
                          viewer::RenderMode::kSplats}) {
    request.settings.mode = mode;
    window.look(request);
    ASSERT_TRUE(shown(mode));
    EXPECT_NE(window.image->rgba, depth);
  }
  // A picture of any size, in the mode that is looked at; and training goes on from where it was.
  request.settings.mode = viewer::RenderMode::kDepth;
  request.view.camera.width = 101;
  window.send(studio::SaveRendering{request, scene.output("depth.png")});
  ASSERT_TRUE(window.wait([&] { return window.noticed("depth.png", NoticeKind::kInfo); })) << window.all_notices();
  EXPECT_EQ(io::read_image_size(scene.output("depth.png"))->width, 101);
  const int paused_at = window.training.iteration;
  window.send(studio::ResumeTraining{});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > paused_at + 5; }));
  ASSERT_TRUE(window.wait([&] { return window.image->iteration > paused_at + 5; }));
  EXPECT_EQ(window.image->request.settings.splat_scale, 1);
}

TEST(LiveTraining, WrongChoicesAndLostDataAreSentences) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::StartTraining{choices(scene.output("run"), 10)});
  ASSERT_TRUE(window.wait([&] { return window.noticed("open one first", NoticeKind::kError); }));
  ASSERT_TRUE(opened(window, scene));
  studio::TrainingChoices c = choices(scene.output("run"), 10);
  c.fine["no-such-option"] = "1";
  window.send(studio::StartTraining{c});
  ASSERT_TRUE(window.wait([&] { return window.noticed("no-such-option", NoticeKind::kError); }));
  for (const studio::DatasetCamera& camera : window.dataset->cameras)  // a single one would be left out
    scene.write("images/" + camera.name, "not a picture");
  window.send(studio::StartTraining{choices(scene.output("run"), 10)});
  ASSERT_TRUE(window.wait_for(RunStatus::kFailed)) << window.all_notices();
  EXPECT_FALSE(window.training.sentence.empty());
  EXPECT_FALSE(fs::exists(scene.output("run")));
}

TEST(LiveTraining, ANewStartEndsTheRunBefore) {
  const SceneOnDisk scene;
  LiveWindow window;
  ASSERT_TRUE(opened(window, scene));
  ASSERT_TRUE(started(window, choices(scene.output("one"), 100000)));
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > 10; }));
  window.send(studio::StartTraining{choices(scene.output("two"), 60)});
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished));
  EXPECT_EQ(window.training.output, scene.output("two"));
  EXPECT_EQ(window.training.iteration, 60);
  window.send(studio::Quit{});
  ASSERT_TRUE(window.wait([&] { return window.quit_done; }));
  EXPECT_FALSE(fs::is_empty(fs::path(scene.output("one")) / "checkpoints")) << "it saved a checkpoint first";
}

}  // namespace
}  // namespace studio::test
