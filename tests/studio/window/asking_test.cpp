// What the workspace asks of the application, and before what it asks the user.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "studio/align/messages.h"
#include "studio/blocks/messages.h"
#include "studio/film/messages.h"
#include "studio/jobs.h"
#include "studio/mesh/messages.h"
#include "studio/window/dropped.h"
#include "studio/window/edit_result.h"
#include "studio/window/workspace.h"
#include "tests/support/temp_folder.h"

namespace studio {
namespace {

// File managers give the photos that were marked, and not their folder.
TEST(Workspace, PhotosThatAreDroppedAreOpenedTogether) {
  Bridge bridge;
  Workspace work(bridge);
  std::vector<std::string> asked;
  bridge.requests.on<OpenPath>([&](OpenPath&& wanted) { asked.push_back("open " + wanted.path.string()); });
  bridge.requests.on<AddSplats>([&](AddSplats&& wanted) { asked.push_back("add " + wanted.path.string()); });
  bridge.requests.on<OpenPhotos>([&](OpenPhotos&& wanted) {
    asked.push_back("photos");
    for (const auto& photo : wanted.photos) asked.back() += " " + photo.filename().string();
  });
  work.received.devices.emplace();
  work.received.devices->splat_endings = {".ply", ".spz"};
  work.received.devices->endings = {".ply", ".spz", ".mp4", ".json"};
  const auto dropped = [&](const std::vector<std::filesystem::path>& paths) {
    work.received.errors.clear();
    drop(work, paths);
    bridge.requests.deliver();
    return std::exchange(asked, {});
  };
  using Asked = std::vector<std::string>;
  EXPECT_EQ(dropped({"/a/1.jpg", "/a/2.JPEG", "/a/3.png", "/b/4.heic"}), Asked{"photos 1.jpg 2.JPEG 3.png 4.heic"});
  EXPECT_EQ(dropped({"/a/1.tif", "/a/2.tif"}), Asked{"photos 1.tif 2.tif"}) << "reading them says what is wrong";
  EXPECT_TRUE(work.received.errors.empty());
  EXPECT_EQ(dropped({"/a/1.jpg"}), Asked{"open /a/1.jpg"}) << "which is told to open its folder";
  EXPECT_EQ(dropped({"/a/1.jpg", "/a/x.ply", "/a/2.jpg", "/a/y.spz", "/a/notes.txt", "/a/z.mp4"}),
            (Asked{"open /a/x.ply", "add /a/y.spz"}));
  ASSERT_EQ(work.received.errors.size(), 1u) << "one for all";
  EXPECT_NE(work.received.errors.front().text.find("4 of the dropped files were not opened"), std::string::npos)
      << work.received.errors.front().text;
  EXPECT_EQ(dropped({"/a/z.mp4", "/a/1.jpg", "/a/2.jpg"}), Asked{"open /a/z.mp4"});
  EXPECT_EQ(work.received.errors.size(), 1u);
  EXPECT_EQ(dropped({"/a/one.txt", "/a/two.txt", "/a/three.doc"}), Asked{});
  EXPECT_EQ(work.received.errors.size(), 1u);
  work.received.training.status = RunStatus::kRunning;
  EXPECT_EQ(dropped({"/a/1.jpg", "/a/2.jpg"}), Asked{});
  EXPECT_TRUE(work.dialogs.show_open_question);
  work.open_now(work.dialogs.opening_after_question, work.dialogs.adding_after_question);
  bridge.requests.deliver();
  EXPECT_EQ(asked, Asked{"photos 1.jpg 2.jpg"});
}

// One rule for every pair: what is made, found or planned, and what would end it.
TEST(Workspace, WorkIsNotEndedByOtherWorkUnasked) {
  Bridge bridge;
  Workspace work(bridge);
  std::vector<std::string> asked;
  bridge.requests.on<OpenPath>([&](OpenPath&&) { asked.push_back("open"); });
  bridge.requests.on<OpenPhotos>([&](OpenPhotos&&) { asked.push_back("photos"); });
  bridge.requests.on<AddSplats>([&](AddSplats&&) { asked.push_back("add"); });
  bridge.requests.on<MakeMesh>([&](MakeMesh&&) { asked.push_back("mesh"); });
  bridge.requests.on<OpenMesh>([&](OpenMesh&&) { asked.push_back("open mesh"); });
  bridge.requests.on<MakeFilm>([&](MakeFilm&&) { asked.push_back("film"); });
  bridge.requests.on<PlanBlocks>([&](PlanBlocks&&) { asked.push_back("plan"); });
  bridge.requests.on<OpenCityPart>([&](OpenCityPart&&) { asked.push_back("part"); });
  bridge.requests.on<ProposeCleanup>([&](ProposeCleanup&&) { asked.push_back("clean"); });
  bridge.requests.on<StartAlignment>([&](StartAlignment&&) { asked.push_back("align"); });
  bridge.requests.on<RestoreEdits>([&](RestoreEdits&&) { asked.push_back("restore"); });
  bridge.requests.on<CancelWork>([&](CancelWork&&) { asked.push_back("cancel"); });
  const auto ask_all = [&] {
    work.open_now("/a.ply", {"/b.ply"});
    work.open_now("/photos", {"/photos/1.jpg", "/photos/2.jpg"});
    work.ask(MakeMesh{}), work.ask(OpenMesh{}), work.ask(MakeFilm{}), work.ask(PlanBlocks{});
    work.ask(OpenCityPart{}), work.ask(ProposeCleanup{}), work.ask(StartAlignment{}), work.ask(RestoreEdits{});
    bridge.requests.deliver();
    return std::exchange(asked, {});
  };
  const std::vector<std::string> all{"open", "add",  "photos", "mesh",  "open mesh", "film",
                                     "plan", "part", "clean",  "align", "restore"};
  work.received.progress = {"reading", 0.5f, true};
  EXPECT_EQ(ask_all(), all) << "nothing is lost with what is only read";
  work.received.progress.if_closed = "It is lost then.";
  EXPECT_EQ(ask_all(), std::vector<std::string>());
  ASSERT_EQ(work.dialogs.after_work.size(), all.size());
  work.ask(CancelWork{});
  bridge.requests.deliver();
  EXPECT_EQ(std::exchange(asked, {}), std::vector<std::string>{"cancel"}) << "which is what was asked for";
  for (const auto& then : std::exchange(work.dialogs.after_work, {})) then();
  bridge.requests.deliver();
  EXPECT_EQ(asked, all) << "in their order, once the user wants it";
}

// A file that is added while a mesh is made has the box of progress for as long as it is read, and no longer.
TEST(Jobs, OneThatIsBegunBesideAnotherGivesTheBoxBack) {
  Bus reports;
  studio::Jobs jobs(reports);
  const auto said = [&] {
    jobs.say_progress();
    const auto progress = reports.take<WorkProgress>();
    return progress ? progress->what : "as before";
  };
  studio::Job& mesh = jobs.begin_reporting("mesh");
  mesh.progress.put({"mesh: depth maps", 0.5f, true, "It is lost then."});
  EXPECT_EQ(said(), "mesh: depth maps");
  studio::Job& file = jobs.begin("chair.ply");
  file.file_bytes = 10, file.watch.bytes = 5;
  EXPECT_EQ(said(), "reading chair.ply");
  EXPECT_FALSE(mesh.watch.cancelled);
  file.done = true;
  mesh.progress.put({"mesh: colours", 0.7f, true, "It is lost then."});
  EXPECT_EQ(said(), "mesh: colours") << "and its Cancel is there again";
  jobs.cancel();
  EXPECT_TRUE(mesh.watch.cancelled);
  EXPECT_EQ(said(), "");
  EXPECT_EQ(said(), "as before");
  EXPECT_EQ(jobs.say_progress(), std::nullopt);
}

// What a run came to is edited at once: its file takes its place, and is seen from where one was.
TEST(Workspace, TheSplatsOfARunAreEditedWhereTheyAreSeen) {
  const splat::test::TempFolder folder;
  Bridge bridge;
  Workspace work(bridge);
  std::vector<std::string> asked;
  bridge.requests.on<OpenPath>([&](OpenPath&& wanted) { asked.push_back(wanted.path.string()); });
  OpenedSplats result;
  result.path = folder.path() / "point_cloud.ply";
  result.iteration = 7, result.rows = 20;
  work.received.dataset.emplace();
  bridge.reports.put(result);
  work.receive();
  edit_result(work);
  bridge.requests.deliver();
  EXPECT_TRUE(asked.empty()) << "it was not written";
  EXPECT_NE(work.said.find("save them (Ctrl+S)"), std::string::npos) << work.said;
  folder.write("point_cloud.ply", "");
  edit_result(work);
  bridge.requests.deliver();
  EXPECT_EQ(asked, std::vector<std::string>{result.path.string()});
  EXPECT_FALSE(edit_is_wanted(work)) << "they are not there yet";
  CameraState seen = work.look.navigator.camera();
  seen.position = {1, 2, 3};
  work.look.navigator.set_camera(seen);
  OpenedSplats opened = result;
  opened.iteration = -1;
  bridge.reports.put(opened);
  work.receive();
  EXPECT_TRUE(same_camera(work.look.navigator.camera(), seen));
  EXPECT_TRUE(edit_is_wanted(work));
  EXPECT_FALSE(edit_is_wanted(work)) << "once";
  opened.path = folder.path() / "another.ply";
  bridge.reports.put(opened);
  work.receive();
  EXPECT_FALSE(same_camera(work.look.navigator.camera(), seen)) << "another scene is seen from where it is usual";
}

}  // namespace
}  // namespace studio
