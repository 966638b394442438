// The window's own state, without a window.
#include "viewer/workspace.h"

#include <gtest/gtest.h>

namespace viewer {
namespace {

TEST(Workspace, OfSeveralDroppedFilesTheFirstIsOpenedAndTheOthersJoinIt) {
  AppState app;
  Workspace work(app);
  const auto expect_three = [&] {
    const auto command = app.commands.take();
    ASSERT_TRUE(command && std::holds_alternative<OpenPath>(*command));
    EXPECT_EQ(std::get<OpenPath>(*command).path, "/a/first.ply");
    for (const char* path : {"/a/second.ply", "/a/third.ply"}) {
      const auto next = app.commands.take();
      ASSERT_TRUE(next && std::holds_alternative<AddSplats>(*next));
      EXPECT_EQ(std::get<AddSplats>(*next).path, path);
    }
    EXPECT_FALSE(app.commands.take());
  };
  work.drop({"/a/first.ply", "/a/second.ply", "/a/third.ply"});
  expect_three();
  work.received.training.status = RunStatus::kRunning;
  work.drop({"/a/first.ply", "/a/second.ply", "/a/third.ply"});
  EXPECT_FALSE(app.commands.take()) << "asks first";
  EXPECT_TRUE(work.dialogs.show_open_question);
  work.open_now(work.dialogs.opening_after_question, work.dialogs.adding_after_question);
  expect_three();
}

TEST(Workspace, AFileIsAddedOnlyToSplatsOfAFile) {
  AppState app;
  Workspace work(app);
  work.add("/a/more.ply");
  EXPECT_FALSE(app.commands.take());
  EXPECT_NE(work.said.find("open one first"), std::string::npos) << work.said;
  EXPECT_GT(work.said_until, work.now);
  ASSERT_EQ(work.received.log.size(), 1u);
  work.received.splats.emplace();
  const auto scale_asked_for = [&] {
    work.add("/a/more.ply");
    const auto command = app.commands.take();
    return command && std::holds_alternative<AddSplats>(*command) ? std::get<AddSplats>(*command).metres_per_unit
                                                                  : std::nullopt;
  };
  EXPECT_EQ(scale_asked_for(), 0) << "not known";
  work.edit.measure.set_scale(0.5);
  EXPECT_EQ(scale_asked_for(), 0.5);
  work.edit.measure.follow({2, {1, 0, 0, 0}, {}}, 1);
  EXPECT_EQ(scale_asked_for(), 0.25) << "all of it is twice as large now";
}

TEST(Workspace, TheDegreeOfColourIsThatOfWhatIsShown) {
  AppState app;
  Workspace work(app);
  work.received.splats.emplace();
  work.received.splat_degree = 0;
  EXPECT_EQ(work.received.sh_degree(), 0);
  work.received.training.status = RunStatus::kRunning;
  work.received.training.sh_degree = 2;
  EXPECT_EQ(work.received.sh_degree(), 2) << "of the run, not of what was opened before";
}

// Whoever started it: the window, or the application once cameras were found.
TEST(Workspace, TrainingIsShownInPlaceOfThePhoto) {
  AppState app;
  Workspace work(app);
  work.look.photo_blend = 1;
  TrainingState state;
  state.status = RunStatus::kPreparing;
  app.training.put(state);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0);
  work.look.photo_blend = 0.5f;  // by the user, meanwhile
  state.status = RunStatus::kRunning;
  app.training.put(state);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0.5f);
}

TEST(Workspace, ProposesHowFarARunGoesOn) {
  const auto proposed = [](int iteration, int iterations) {
    AppState app;
    Workspace work(app);
    work.received.training.status = RunStatus::kStopped;
    work.received.training.continuation = Continuation{"run/checkpoint", "run", iteration, iterations};
    return work.continue_to();
  };
  EXPECT_EQ(proposed(1347, 7000), 7000) << "as long as it was to be";
  EXPECT_EQ(proposed(2000, 2000), 7000) << "the next usual length";
  EXPECT_EQ(proposed(7000, 7000), 30000);
  EXPECT_EQ(proposed(30000, 30000), 40000);
}

TEST(Workspace, ARunIsAmongWhatWasOpenedLatelyFromItsStart) {
  AppState app;
  Workspace work(app);
  const auto report = [&](RunStatus status, const char* output) {
    TrainingState state;
    state.status = status;
    state.output = output;
    app.training.put(state);
    work.receive();
  };
  report(RunStatus::kPreparing, "/out/refused");
  report(RunStatus::kFailed, "/out/refused");
  EXPECT_TRUE(work.settings.recent.empty()) << "it never began";
  report(RunStatus::kPreparing, "/out/run");
  report(RunStatus::kRunning, "/out/run");
  EXPECT_EQ(work.settings.recent, std::vector<std::string>{"/out/run"});
  work.settings.recent.clear();  // by the user, meanwhile
  report(RunStatus::kPaused, "/out/run");
  EXPECT_TRUE(work.settings.recent.empty());
}

TEST(Workspace, AReopenedRunShowsItsSplatsNotThePhotoOfBefore) {
  AppState app;
  Workspace work(app);
  OpenedDataset photos;
  photos.cameras.resize(1);
  app.dataset.put(photos);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 1);
  OpenedSplats run;
  run.cameras = photos.cameras;
  app.splats.put(std::move(run));
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0);
}

RunHistory history_with(std::optional<Continuation> newest) {
  RunHistory history;
  history.runs.resize(2);
  history.runs[0].stopped = std::move(newest);
  history.runs[1].stopped = Continuation{"/old/checkpoint", "/old", 5, 10};
  return history;
}

TEST(Workspace, AStoppedRunOfTheDatasetIsOfferedAndGoesOn) {
  AppState app;
  Workspace work(app);
  OpenedDataset photos;
  photos.path = "/data/photos";
  app.dataset.put(photos);
  work.receive();
  const auto asked = app.commands.take();
  ASSERT_TRUE(asked && std::holds_alternative<WantRunHistory>(*asked));
  EXPECT_FALSE(work.received.continuation());
  app.run_history.put(history_with(std::nullopt));
  work.receive();
  EXPECT_FALSE(work.received.continuation()) << "a newer one has come to its end";
  app.run_history.put(history_with(Continuation{"/run/checkpoint", "/run", 953, 2000}));
  work.receive();
  ASSERT_TRUE(work.received.continuation());
  EXPECT_EQ(work.continue_to(), 2000);
  work.train();
  const auto started = app.commands.take();
  ASSERT_TRUE(started && std::holds_alternative<StartTraining>(*started));
  EXPECT_EQ(std::get<StartTraining>(*started).choices.resume, "/run/checkpoint");
  EXPECT_EQ(std::get<StartTraining>(*started).choices.output, "/run");
  EXPECT_EQ(std::get<StartTraining>(*started).choices.iterations, 2000);
  work.start_anew();
  EXPECT_TRUE(std::get<StartTraining>(*app.commands.take()).choices.resume.empty());
  app.dataset.put(photos);
  work.receive();
  EXPECT_FALSE(work.received.continuation()) << "until it is known of this one";
}

TEST(Workspace, TheMessageOfWhatWasOpenGoesWithIt) {
  AppState app;
  Workspace work(app);
  app.notices.put({NoticeKind::kWarning, "it is not packed"});
  work.receive();
  EXPECT_EQ(work.received.message, "it is not packed");
  work.open("/a/other.ply");
  EXPECT_EQ(work.received.message, "");
  EXPECT_EQ(work.received.log.size(), 1u) << "there it stays";
}

TEST(Workspace, WhatIsDoneIsSaidOverTheScene) {
  AppState app;
  Workspace work(app);
  work.now = 5;
  app.notices.put({NoticeKind::kDone, "7 splats written to 'a.ply'"});
  work.receive();
  EXPECT_EQ(work.said, "7 splats written to 'a.ply'");
  EXPECT_GT(work.said_until, work.now);
  EXPECT_TRUE(work.received.log.empty()) << "it has its own line there";
}

TEST(Workspace, SplatsThatAreDeletedAreNotCounted) {
  AppState app;
  Workspace work(app);
  EXPECT_EQ(work.splats_left(), 0u);
  EXPECT_FALSE(work.received.has_splats());
  work.received.splats.emplace();
  work.received.splat_rows = 31'000;
  work.edit.scene.emplace();
  work.edit.scene->deleted = 454;
  EXPECT_EQ(work.splats_left(), 30'546u);
  EXPECT_TRUE(work.received.has_splats());
}

splat::Box some_box() { return splat::box_about({1, 2, 3}, {0.1, 0.2, 0.3}, splat::quat_about({1, 1, 0}, 20)); }

TEST(WindowSettings, TheBoxUsedLastIsKept) {
  WindowSettings settings;
  settings.last_box = some_box();
  EXPECT_EQ(settings_from_text(settings_text(settings)).last_box, settings.last_box);
  EXPECT_FALSE(settings_from_text(R"({"last_box": [0, 0, 0, 1, 1, 0, 1, 0, 0, 0]})").last_box) << "it has no height";
  EXPECT_FALSE(settings_from_text(R"({"last_box": [0, 0, 0, 1, 1, "1", 1, 0, 0, 0]})").last_box);
}

TEST(Workspace, TheCropBoxIsOfTheSceneAndRemembered) {
  AppState app;
  Workspace work(app);
  OpenedDataset opened;
  opened.path = "/data/photos";
  opened.memory.crop_box = some_box();
  app.dataset.put(std::move(opened));
  work.receive();
  EXPECT_EQ(work.edit.crop.box(), some_box());
  EXPECT_FALSE(work.crops()) << "nothing is done with it";
  work.choices.region = work.edit.crop.box();
  EXPECT_TRUE(work.crops());
  while (app.commands.take()) continue;
  work.remember_scene();
  EXPECT_FALSE(app.commands.take()) << "it is as it was";
  work.edit.crop.begin_drag();
  work.edit.crop.drag({1, {1, 0, 0, 0}, {5, 0, 0}});
  work.remember_scene();
  EXPECT_FALSE(app.commands.take()) << "it is still dragged";
  work.edit.crop.end_drag();
  work.remember_scene();
  const auto command = app.commands.take();
  ASSERT_TRUE(command && std::holds_alternative<RememberScene>(*command));
  EXPECT_EQ(std::get<RememberScene>(*command).memory.crop_box, work.edit.crop.box());
  OpenedDataset other;
  other.path = "/data/others";
  app.dataset.put(std::move(other));
  work.receive();
  EXPECT_FALSE(work.edit.crop.box());
  EXPECT_FALSE(work.choices.region);
}

TEST(Workspace, ARunGoesOnWithoutThePhotosThatAreNotTicked) {
  AppState app;
  Workspace work(app);
  OpenedDataset opened;
  opened.path = "/data/photos";
  for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) opened.cameras.push_back({name, {}, false, false});
  app.dataset.put(std::move(opened));
  TrainingState state;
  state.status = RunStatus::kFinished;
  state.continuation = Continuation{"/out/checkpoints/iteration_9.checkpoint", "/out", 9, 9};
  app.training.put(std::move(state));
  work.receive();
  while (app.commands.take()) continue;
  const auto started = [&]() -> TrainingChoices {
    work.continue_run();
    const auto command = app.commands.take();
    const bool starts = command && std::holds_alternative<StartTraining>(*command);
    EXPECT_TRUE(starts);
    return starts ? std::get<StartTraining>(*command).choices : TrainingChoices();
  };
  EXPECT_FALSE(started().leave_out) << "the checkpoint has them";
  work.compare.left_out = {1};
  EXPECT_EQ(started().leave_out, std::vector<std::string>{"b.jpg"});
}

}  // namespace
}  // namespace viewer
