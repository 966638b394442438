// Where a file dialog begins, what it lists at first, and what becomes of its answer.
#include "studio/window/file_question.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "studio/window/workspace.h"
#include "tests/support/temp_folder.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

class FileQuestionTest : public testing::Test {
 protected:
  void SetUp() override { setenv("HOME", home_.path().c_str(), 1); }  // where results would go
  FileQuestion question(FileDialogKind kind, const fs::path& scene, const std::string& suggested = "",
                        const FileKinds& kinds = {}) const {
    return file_question({kind, "Some title", {}, suggested, kinds}, {scene, run_, ended_, refused_}, settings_);
  }
  fs::path begin(FileDialogKind kind, const fs::path& scene) const { return question(kind, scene).folder; }
  const splat::test::TempFolder folder_, home_;
  const fs::path truck_ = folder_.path() / "truck", file_ = folder_.path() / "scene.ply";
  WindowSettings settings_;
  EndedFileDialogs ended_;
  fs::path run_;
  std::set<fs::path> refused_;
};

TEST_F(FileQuestionTest, BeginsWhereTheSceneLiesOrTheLastOneEnded) {
  fs::create_directory(truck_);
  settings_.last_folder = "/last";
  EXPECT_EQ(begin(FileDialogKind::kOpenAny, ""), "/last");
  EXPECT_EQ(begin(FileDialogKind::kOpenFile, file_), folder_.path());
  EXPECT_EQ(begin(FileDialogKind::kOpenFile, truck_), truck_) << "what belongs to a dataset";
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, truck_), truck_);
  for (const auto kind : {FileDialogKind::kOpenAny, FileDialogKind::kOpenFolder, FileDialogKind::kResultsFolder})
    EXPECT_EQ(begin(kind, truck_), folder_.path());
  const fs::path run = folder_.path() / "run", splats = run / "point_cloud/iteration_7/point_cloud.ply";
  fs::create_directory(run);
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, splats), run);
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, run / "checkpoints/iteration_7.checkpoint"), run);
  EXPECT_EQ(begin(FileDialogKind::kOpenFile, splats), splats.parent_path());
  const fs::path elsewhere = folder_.path() / "elsewhere";
  fs::create_directory(elsewhere);
  ended_["Some title"] = {truck_, elsewhere};
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, truck_), elsewhere);
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, file_), folder_.path()) << "another scene";
}

// /sys and /proc cannot be written by anybody, as a dataset that was installed cannot by most.
TEST_F(FileQuestionTest, ProposesWhereItCanBeWritten) {
  fs::create_directory(truck_);
  const fs::path results = home_.path() / "hipsplat";
  EXPECT_EQ(begin(FileDialogKind::kOpenFile, "/sys"), "/sys") << "what is opened may lie anywhere";
  EXPECT_FALSE(fs::exists(results));
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/sys"), results) << "a dataset";
  EXPECT_TRUE(fs::is_directory(results));
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/proc/scene.ply"), results) << "a file";
  settings_.last_folder = "/sys";
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, ""), results) << "nothing is open";
  run_ = truck_;
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/sys"), truck_) << "its run's folder";
  ended_["Some title"] = {"/sys", "/proc"};
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/sys"), truck_) << "where it failed the last time";
  refused_ = {truck_};
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/sys"), results) << "a full disk can be written to all the same";
  refused_ = {truck_, results};
  EXPECT_EQ(begin(FileDialogKind::kSaveFile, "/sys"), fs::temp_directory_path() / "hipsplat");
}

TEST_F(FileQuestionTest, ListsFilesLikeTheSuggestedOne) {
  settings_.recent = {"/data/a/one.ply", "/data/b"};
  const FileQuestion png = question(FileDialogKind::kSaveFile, file_, "view.png");
  EXPECT_EQ(png.kinds.endings, std::vector<std::string>{".png"});
  EXPECT_EQ(png.open, folder_.path());
  EXPECT_EQ(png.recent, (std::vector<fs::path>{"/data/a", "/data"}));
  EXPECT_EQ(question(FileDialogKind::kSaveFile, "", "a.glb", {"Meshes", {".obj"}}).kinds.name, "Meshes");
  EXPECT_TRUE(question(FileDialogKind::kOpenFile, "").kinds.endings.empty());
}

// A desktop's dialog leaves the window free: a splat file that is chosen to be opened is not what a picture is saved
// as.
TEST(AskFile, WhatIsChosenIsForWhoHasOpenedTheDialog) {
  const splat::test::TempFolder home;
  setenv("HOME", home.path().c_str(), 1);
  setenv("HIPSPLAT_OWN_FILE_DIALOG", "1", 1);
  Bridge bridge;
  Workspace work(bridge);
  std::string opened, saved;
  work.ask_file(FileDialog::Kind::kOpenFile, "Open", "", [&](const auto& path) { opened = path; });
  ASSERT_TRUE(work.dialogs.file.is_open());
  work.ask_file(FileDialog::Kind::kSaveFile, "Save", "view.png", [&](const auto& path) { saved = path; });
  EXPECT_NE(work.said.find("is open already"), std::string::npos) << work.said;
  work.dialogs.file_answer("/a/scene.ply");
  EXPECT_EQ(opened, "/a/scene.ply");
  EXPECT_EQ(saved, "");
}

// A desktop's dialog asks about the name as it was given, and what is written has an ending.
TEST(AskFile, ANameWithoutItsEndingWritesOverNoFile) {
  setenv("HIPSPLAT_OWN_FILE_DIALOG", "1", 1);
  const splat::test::TempFolder folder;
  setenv("HOME", folder.path().c_str(), 1);
  folder.write("there.png", "");
  Bridge bridge;
  Workspace work(bridge);
  std::filesystem::path saved;
  work.ask_file(FileDialog::Kind::kSaveFile, "Save", "view.png", [&](const auto& path) { saved = path; });
  work.dialogs.file_answer(folder.path() / "there");
  EXPECT_EQ(saved, "");
  EXPECT_NE(work.said.find("there.png' is there already"), std::string::npos) << work.said;
  work.dialogs.file_answer(folder.path() / "there.png");
  EXPECT_EQ(saved, folder.path() / "there.png") << "that the dialog has asked about";
  work.dialogs.file_answer(folder.path() / "new");
  EXPECT_EQ(saved, folder.path() / "new.png");
  folder.write("garden.v2.png", "");
  work.dialogs.file_answer(folder.path() / "garden.v2");
  EXPECT_EQ(saved, folder.path() / "new.png") << "'.v2' is no ending of a picture";
  EXPECT_NE(work.said.find("garden.v2.png' is there already"), std::string::npos) << work.said;
}

}  // namespace
}  // namespace studio
