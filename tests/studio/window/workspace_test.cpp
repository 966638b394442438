// The window's own state, without a window.
#include "studio/window/workspace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studio/edit/feature.h"
#include "studio/runs/messages.h"
#include "studio/window/dropped.h"
#include "studio/window/features.h"
#include "studio/window/photo_frusta.h"
#include "studio/window/window_actions.h"

namespace studio {
namespace {

TEST(Workspace, OfSeveralDroppedFilesTheFirstIsOpenedAndTheOthersJoinIt) {
  Bridge bridge;
  Workspace work(bridge);
  std::vector<std::string> asked;
  bridge.requests.on<OpenPath>([&](OpenPath&& wanted) { asked.push_back("open " + wanted.path.string()); });
  bridge.requests.on<AddSplats>([&](AddSplats&& wanted) { asked.push_back("add " + wanted.path.string()); });
  const auto expect_three = [&] {
    bridge.requests.deliver();
    EXPECT_EQ(std::exchange(asked, {}),
              (std::vector<std::string>{"open /a/first.ply", "add /a/second.ply", "add /a/third.ply"}));
  };
  drop(work, {"/a/first.ply", "/a/second.ply", "/a/third.ply"});
  expect_three();
  work.received.training.status = RunStatus::kRunning;
  drop(work, {"/a/first.ply", "/a/second.ply", "/a/third.ply"});
  EXPECT_TRUE(bridge.requests.empty()) << "asks first";
  EXPECT_TRUE(work.dialogs.show_open_question);
  work.open_now(work.dialogs.opening_after_question, work.dialogs.adding_after_question);
  expect_three();
}

TEST(Workspace, AClickOnNothingIsAnsweredWhereAToolNeedsAPoint) {
  for (const std::string tool : {"Measure", "Align", ""}) {
    Bridge bridge;
    Workspace work(bridge);
    bridge.reports.put(PickedPoint{{}, tool, {}});
    work.receive();
    EXPECT_EQ(work.said, tool.empty() ? "" : "nothing is there");
    EXPECT_TRUE(work.edit.measure.points().empty());
  }
}

TEST(Workspace, AClickThatSelectsByAPlaceWithNothingIsAnswered) {
  Bridge bridge;
  Workspace work(bridge);
  EditFeature feature(work);
  work.received.splats.emplace();
  for (const bool missed : {false, true}) {
    EditedScene answer;
    answer.missed = missed;
    bridge.reports.put(std::move(answer));
    work.receive();
    feature.each_frame();
    EXPECT_EQ(work.said, missed ? "nothing is there" : "");
  }
}

// Counts what it is asked for, and has an action in each menu.
class Counted final : public Feature {
 public:
  using Feature::Feature;
  void add_actions(const std::string& menu, std::vector<Action>& actions) override {
    asked.push_back(menu);
    actions.push_back({.name = "Count in " + menu, .possible = possible});
  }

  std::vector<std::string> asked;
  bool possible = true;
};

TEST(Workspace, AButtonFindsItsActionWithoutTheWholeTable) {
  Bridge bridge;
  Workspace work(bridge);
  work.features.push_back(std::make_unique<Counted>(work));
  Counted& feature = static_cast<Counted&>(*work.features.back());
  const auto found = feature_action(work, "File", "Count in File");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->possible);
  EXPECT_EQ(feature.asked, std::vector<std::string>{"File"}) << "other menus need not be made";
  feature.possible = false;
  EXPECT_FALSE(feature_action(work, "File", "Count in File")->possible) << "as it is now";
  EXPECT_FALSE(feature_action(work, "File", "Open")) << "that is the window's";
}

// Has paint until it was asked for, and the answer is given.
class Painted final : public Feature {
 public:
  using Feature::Feature;
  bool unsaved() const override { return !saved; }
  void leave(const std::function<void()>& then) override { waits = then; }

  std::function<void()> waits;
  bool saved = false;
};

TEST(Workspace, WhatAFeatureHasNotSavedIsAskedForBeforeItWouldBeLost) {
  const auto asked_for = [](const std::function<void(Workspace&)>& act, const auto& was_sent) {
    Bridge bridge;
    Workspace work(bridge);
    work.received.training.status = RunStatus::kStopped;
    work.received.training.continuation = Continuation{"run/checkpoint", "run", 5, 10};
    work.features.push_back(std::make_unique<Painted>(work));
    Painted& feature = static_cast<Painted&>(*work.features.back());
    EXPECT_TRUE(work.unsaved()) << "the title says so";
    act(work);
    EXPECT_TRUE(bridge.requests.empty());
    if (!feature.waits) return false;
    feature.saved = true;
    EXPECT_FALSE(work.unsaved());
    feature.waits();
    return was_sent(bridge);
  };
  EXPECT_TRUE(asked_for([](Workspace& w) { w.open("/a.ply"); },
                        [](auto& b) { return b.requests.template take<OpenPath>().has_value(); }));
  EXPECT_TRUE(asked_for([](Workspace& w) { w.ask_to_close(); },
                        [](auto& b) { return b.requests.template take<Quit>().has_value(); }));
  for (const auto& start : {&Workspace::start_anew, &Workspace::continue_run})
    EXPECT_TRUE(asked_for([&](Workspace& w) { (w.*start)(); },
                          [](auto& b) { return b.requests.template take<StartTraining>().has_value(); }));
}

TEST(Workspace, AFileIsAddedOnlyToSplatsOfAFile) {
  Bridge bridge;
  Workspace work(bridge);
  work.add("/a/more.ply");
  EXPECT_TRUE(bridge.requests.empty());
  EXPECT_NE(work.said.find("open one first"), std::string::npos) << work.said;
  EXPECT_GT(work.said_until, work.now);
  ASSERT_EQ(work.received.log.size(), 1u);
  work.received.splats.emplace();
  const auto scale_asked_for = [&] {
    work.add("/a/more.ply");
    const auto wanted = bridge.requests.take<AddSplats>();
    return wanted ? wanted->metres_per_unit : std::nullopt;
  };
  EXPECT_EQ(scale_asked_for(), 0) << "not known";
  work.edit.measure.set_scale(0.5);
  EXPECT_EQ(scale_asked_for(), 0.5);
  work.edit.measure.follow({2, {1, 0, 0, 0}, {}}, 1);
  EXPECT_EQ(scale_asked_for(), 0.25) << "all of it is twice as large now";
}

TEST(Workspace, TheDegreeOfColourIsThatOfWhatIsShown) {
  Bridge bridge;
  Workspace work(bridge);
  work.received.splats.emplace();
  work.received.splat_degree = 0;
  EXPECT_EQ(work.received.sh_degree(), 0);
  work.received.training.status = RunStatus::kRunning;
  work.received.training.sh_degree = 2;
  EXPECT_EQ(work.received.sh_degree(), 2) << "of the run, not of what was opened before";
}

// Whoever started it: the window, or the application once cameras were found.
TEST(Workspace, TrainingIsShownInPlaceOfThePhoto) {
  Bridge bridge;
  Workspace work(bridge);
  work.look.photo_blend = 1;
  TrainingState state;
  state.status = RunStatus::kPreparing;
  bridge.reports.put(state);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0);
  work.look.photo_blend = 0.5f;  // by the user, meanwhile
  state.status = RunStatus::kRunning;
  state.filter = {true, 0.1f};
  bridge.reports.put(state);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0.5f);
  EXPECT_EQ(work.look.display.filter, state.filter) << "as the run draws";
  work.look.display.filter.low_pass = 1;
  bridge.reports.put(state);
  work.receive();
  EXPECT_EQ(work.look.display.filter.low_pass, 1) << "by the user, meanwhile";
}

TEST(Workspace, ProposesHowFarARunGoesOn) {
  const auto proposed = [](int iteration, int iterations) {
    Bridge bridge;
    Workspace work(bridge);
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
  Bridge bridge;
  Workspace work(bridge);
  const auto report = [&](RunStatus status, const char* output) {
    TrainingState state;
    state.status = status;
    state.output = output;
    bridge.reports.put(state);
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

TEST(Workspace, ARunThatNeverBeganIsNotShown) {
  Received received;
  received.training.status = RunStatus::kFailed;
  EXPECT_FALSE(received.shows_run()) << "the settings are";
  received.training.iteration = 1;
  EXPECT_TRUE(received.shows_run());
}

TEST(Workspace, AReopenedRunShowsItsSplatsNotThePhotoOfBefore) {
  Bridge bridge;
  Workspace work(bridge);
  OpenedDataset photos;
  photos.cameras.resize(1);
  bridge.reports.put(photos);
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 1);
  OpenedSplats run;
  run.cameras = photos.cameras;
  bridge.reports.put(std::move(run));
  work.receive();
  EXPECT_EQ(work.look.photo_blend, 0);
}

// As pages, films and thumbnails: glTF's front is +z.
TEST(Workspace, SplatsAreFirstSeenFromTheirFront) {
  for (const bool front_at_z : {false, true}) {
    Bridge bridge;
    Workspace work(bridge);
    OpenedSplats opened;
    opened.bounds = {{-1, -1, -1}, {1, 1, 1}};
    opened.front_at_z = front_at_z;
    bridge.reports.put(std::move(opened));
    work.receive();
    EXPECT_EQ(work.look.navigator.camera().position.z > 0, front_at_z);
  }
}

TEST(Workspace, OfSplatsWithoutCamerasTheirSubjectIsFramed) {
  Bridge bridge;
  Workspace work(bridge);
  OpenedSplats opened;
  opened.bounds = {{-100, -100, -100}, {100, 100, 100}};
  opened.framed = {{3, 3, 3}, {5, 5, 5}};
  bridge.reports.put(std::move(opened));
  work.receive();
  const auto expect_framed = [&](const Vec3& middle, double radius) {
    const CameraState& camera = work.look.navigator.camera();
    EXPECT_LT(length(camera.pivot() - middle), 1e-9);
    EXPECT_LT(camera.focus_distance, 3 * radius);
  };
  expect_framed({4, 4, 4}, std::sqrt(3.0));
  EXPECT_NEAR(work.look.navigator.scene_radius(), 100 * std::sqrt(3.0), 1e-9) << "steps are those of all of it";
  ChangedRows changed;
  changed.bounds = work.received.splats->bounds;
  changed.framed = {{10, 10, 10}, {12, 12, 12}};
  bridge.reports.put(std::move(changed));
  work.receive();
  work.look.navigator.frame_scene();
  work.look.navigator.update(10);
  expect_framed({11, 11, 11}, std::sqrt(3.0));
}

TEST(Workspace, BehindSplatsIsTheColourOfTheirTrainingOrGrey) {
  const auto behind = [](std::optional<std::array<float, 3>> trained) {
    Bridge bridge;
    Workspace work(bridge);
    OpenedSplats opened;
    opened.background = trained;
    bridge.reports.put(std::move(opened));
    work.receive();
    return work.look.display.background;
  };
  EXPECT_EQ(behind(std::array{1.0f, 0.5f, 0.0f}), (std::array{1.0f, 0.5f, 0.0f}));
  EXPECT_EQ(behind(std::array{0.0f, 0.0f, 0.0f}), (std::array{0.0f, 0.0f, 0.0f}));
  EXPECT_EQ(behind({}), kGreyBackdrop);
}

TEST(Workspace, CamerasNearerThanHalfTheWayToWhatIsOrbitedAreNotShown) {
  Bridge bridge;
  Workspace work(bridge);
  CameraState camera = work.look.navigator.camera();
  camera.focus_distance = 8;
  work.look.navigator.set_camera(camera);
  EXPECT_EQ(nearest_camera(work), 4);
  work.look.navigator.set_mode(NavigationMode::kFly);
  EXPECT_EQ(nearest_camera(work), 0.01) << "in flight one passes them";
}

RunHistory history_with(std::optional<Continuation> newest) {
  RunHistory history;
  history.runs.resize(2);
  history.runs[0].stopped = std::move(newest);
  history.runs[1].stopped = Continuation{"/old/checkpoint", "/old", 5, 10};
  return history;
}

TEST(Workspace, AStoppedRunOfTheDatasetIsOfferedAndGoesOn) {
  Bridge bridge;
  Workspace work(bridge);
  add_features(work);
  OpenedDataset photos;
  photos.path = "/data/photos";
  bridge.reports.put(photos);
  work.receive();
  ASSERT_TRUE(bridge.requests.take<WantRunHistory>());
  EXPECT_FALSE(work.received.continuation());
  bridge.reports.put(history_with(std::nullopt));
  work.receive();
  EXPECT_FALSE(work.received.continuation()) << "a newer one has come to its end";
  bridge.reports.put(history_with(Continuation{"/run/checkpoint", "/run", 953, 2000}));
  work.receive();
  ASSERT_TRUE(work.received.continuation());
  EXPECT_EQ(work.continue_to(), 2000);
  work.train();
  const auto started = bridge.requests.take<StartTraining>();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->choices.resume, "/run/checkpoint");
  EXPECT_EQ(started->choices.output, "/run");
  EXPECT_EQ(started->choices.train.iterations, 2000);
  work.start_anew();
  EXPECT_TRUE(bridge.requests.take<StartTraining>().value().choices.resume.empty());
  bridge.reports.put(photos);
  work.receive();
  EXPECT_FALSE(work.received.continuation()) << "until it is known of this one";
}

TEST(Workspace, AsCamerasAreFoundThumbnailsStayWithTheirPhotos) {
  Bridge bridge;
  Workspace work(bridge);
  const auto found = [&](const std::vector<std::string>& names) {
    OpenedDataset growing;
    growing.growing = true;
    for (const std::string& name : names) growing.cameras.push_back({name, {}, false, false});
    bridge.reports.put(std::move(growing));
    work.receive();
  };
  found({"b", "d"});
  const PictureTexture* of_b = &work.received.thumbnails[0];
  const PictureTexture* of_d = &work.received.thumbnails[1];
  found({"a", "b", "c", "d"});
  ASSERT_EQ(work.received.thumbnails.size(), 2u);
  EXPECT_EQ(&work.received.thumbnails[1], of_b);
  EXPECT_EQ(&work.received.thumbnails[3], of_d);
  found({"a", "b"});
  EXPECT_EQ(work.received.thumbnails.size(), 1u);
  bridge.reports.put(Thumbnail{0, "d", {}});
  work.receive();
  EXPECT_EQ(work.received.thumbnails.size(), 1u) << "its camera is not there any more";
}

TEST(Workspace, ClosingAsksWhereWorkWouldEnd) {
  Bridge bridge;
  Workspace work(bridge);
  bridge.reports.put(WorkProgress{"opening a.ply", 0.5f, true});
  work.receive();
  work.ask_to_close();
  EXPECT_TRUE(bridge.requests.take<Quit>()) << "that is no loss";
  work.dialogs.closing = false;
  bridge.reports.put(WorkProgress{"placing photos", 0.5f, true, "what was found is kept"});
  work.receive();
  work.ask_to_close();
  EXPECT_TRUE(work.dialogs.show_work_question);
  EXPECT_FALSE(bridge.requests.take<Quit>());
}

TEST(Workspace, TheMessageOfWhatWasOpenGoesWithIt) {
  Bridge bridge;
  Workspace work(bridge);
  bridge.reports.put(Notice{NoticeKind::kWarning, "it is not packed"});
  work.receive();
  EXPECT_EQ(work.received.message, "it is not packed");
  work.open("/a/other.ply");
  EXPECT_EQ(work.received.message, "");
  EXPECT_EQ(work.received.log.size(), 1u) << "there it stays";
}

TEST(Workspace, WhatIsDoneIsSaidOverTheScene) {
  Bridge bridge;
  Workspace work(bridge);
  work.now = 5;
  bridge.reports.put(Notice{NoticeKind::kDone, "7 splats written to 'a.ply'", "", "/b/a.ply"});
  work.receive();
  EXPECT_EQ(work.said_file, "/b/a.ply");
  EXPECT_EQ(work.said, "7 splats written to 'a.ply'");
  EXPECT_GT(work.said_until, work.now);
  EXPECT_TRUE(work.received.log.empty()) << "it has its own line there";
  work.open("/a/other.ply");
  EXPECT_LE(work.said_until, work.now) << "it was of the scene before";
}

TEST(Workspace, TheTitleSaysWhatIsOpenAndWhetherItIsSaved) {
  Bridge bridge;
  Workspace work(bridge);
  EXPECT_EQ(window_title(work), "hipsplat");
  work.received.splats.emplace().path = "/a/plush.ply";
  EXPECT_EQ(window_title(work), "plush.ply - hipsplat");
  work.edit.scene.emplace().unsaved = true;
  EXPECT_EQ(window_title(work), "* plush.ply - hipsplat");
  work.edit.scene->unsaved = false;
  work.edit.scene->saved_as = "/b/plush-clean.spz";
  EXPECT_EQ(window_title(work), "plush-clean.spz - hipsplat");
}

TEST(Workspace, NothingIsSavedWhereThereAreNoSplats) {
  Bridge bridge;
  Workspace work(bridge);
  work.received.devices.emplace().formats.resize(1);
  work.received.training.status = RunStatus::kFailed;
  work.ask_export();
  EXPECT_FALSE(work.dialogs.show_export) << "the run never had any";
  work.received.training.splats = 10;
  work.ask_export();
  EXPECT_TRUE(work.dialogs.show_export);
}

TEST(Workspace, SplatsThatAreDeletedAreNotCounted) {
  Bridge bridge;
  Workspace work(bridge);
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
  Bridge bridge;
  Workspace work(bridge);
  OpenedDataset opened;
  opened.path = "/data/photos";
  opened.memory.crop_box = some_box();
  bridge.reports.put(std::move(opened));
  work.receive();
  EXPECT_EQ(work.edit.crop.box(), some_box());
  EXPECT_FALSE(work.crops()) << "nothing is done with it";
  work.choices.train.region = *work.edit.crop.box();
  EXPECT_TRUE(work.crops());
  work.remember_scene();
  EXPECT_TRUE(bridge.requests.empty()) << "it is as it was";
  work.edit.crop.begin_drag();
  work.edit.crop.drag({1, {1, 0, 0, 0}, {5, 0, 0}});
  work.remember_scene();
  EXPECT_TRUE(bridge.requests.empty()) << "it is still dragged";
  work.edit.crop.end_drag();
  work.remember_scene();
  const auto remembered = bridge.requests.take<RememberScene>();
  ASSERT_TRUE(remembered);
  EXPECT_EQ(remembered->memory.crop_box, work.edit.crop.box());
  OpenedDataset other;
  other.path = "/data/others";
  bridge.reports.put(std::move(other));
  work.receive();
  EXPECT_FALSE(work.edit.crop.box());
  EXPECT_FALSE(work.choices.has_region());
}

TEST(Workspace, PhotosAreLeftOutAsTheRunLeftThemOutUntilOthersAreChosen) {
  Bridge bridge;
  Workspace work(bridge);
  const auto open = [&](bool left_out) {
    OpenedDataset opened;
    for (const char* name : {"a", "b", "c"}) opened.cameras.push_back({name, {}, false, left_out && *name != 'a'});
    bridge.reports.put(std::move(opened));
    work.receive();
  };
  open(false);
  EXPECT_FALSE(work.leaves_out_others());
  work.left_out = {2, 1};
  EXPECT_TRUE(work.leaves_out_others());
  EXPECT_EQ(work.names_left_out(), (std::vector<std::string>{"b", "c"}));
  open(true);
  EXPECT_EQ(work.left_out, (std::set<int>{1, 2}));
  EXPECT_FALSE(work.leaves_out_others()) << "as its run did";
  work.left_out.clear();
  EXPECT_TRUE(work.leaves_out_others());
  open(false);
  EXPECT_TRUE(work.left_out.empty()) << "another scene";
}

TEST(Workspace, ARunGoesOnWithoutThePhotosThatAreNotTicked) {
  Bridge bridge;
  Workspace work(bridge);
  OpenedDataset opened;
  opened.path = "/data/photos";
  for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) opened.cameras.push_back({name, {}, false, false});
  bridge.reports.put(std::move(opened));
  TrainingState state;
  state.status = RunStatus::kFinished;
  state.continuation = Continuation{"/out/checkpoints/iteration_9.checkpoint", "/out", 9, 9};
  bridge.reports.put(std::move(state));
  work.receive();
  const auto started = [&]() -> TrainingChoices {
    work.continue_run();
    const auto wanted = bridge.requests.take<StartTraining>();
    EXPECT_TRUE(wanted);
    return wanted ? wanted->choices : TrainingChoices();
  };
  EXPECT_FALSE(started().left_out) << "the checkpoint has them";
  work.left_out = {1};
  EXPECT_EQ(started().left_out, std::vector<std::string>{"b.jpg"});
}

}  // namespace
}  // namespace studio
