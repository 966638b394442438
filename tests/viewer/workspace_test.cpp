// The window's own state, without a window.
#include "viewer/workspace.h"

#include <gtest/gtest.h>

namespace viewer {
namespace {

TEST(Workspace, OfSeveralDroppedFilesItSaysWhichIsOpened) {
  AppState app;
  Workspace work(app);
  work.drop({"/a/first.ply", "/a/second.ply", "/a/third.ply"});
  const auto command = app.commands.take();
  ASSERT_TRUE(command && std::holds_alternative<OpenPath>(*command));
  EXPECT_EQ(std::get<OpenPath>(*command).path, "/a/first.ply");
  EXPECT_FALSE(app.commands.take());
  EXPECT_NE(work.said.find("'first.ply'"), std::string::npos) << work.said;
  EXPECT_GT(work.said_until, work.now);
  ASSERT_EQ(work.received.log.size(), 1u);
  EXPECT_EQ(work.received.log.back().text, work.said);

  Workspace other(app);
  other.drop({"/a/first.ply"});
  EXPECT_TRUE(other.said.empty());
}

TEST(Workspace, TheDegreeOfColourIsThatOfWhatIsShown) {
  AppState app;
  Workspace work(app);
  work.received.splats.emplace().gaussians.sh_degree = 0;
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

}  // namespace
}  // namespace viewer
