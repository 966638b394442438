// The file dialog where there is no portal: another program's, as zenity and kdialog are called.
#include "viewer/dialogs/file_dialog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/support/temp_folder.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> answer(FileDialog& dialog) {
  for (int i = 0; i < 1000 && dialog.is_open(); ++i) {
    if (auto path = dialog.poll()) return path;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

TEST(FileDialog, AsksZenityOrElseKdialog) {
  const splat::test::TempFolder folder;
  const std::string before = std::getenv("PATH"), start = folder.path().string(), seen = start + "/seen";
  for (const char* name : {"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HIPSPLAT_OWN_FILE_DIALOG"}) unsetenv(name);
  for (const char* name : {"kdialog", "zenity"}) {
    const std::string text = "#!/bin/sh\necho " + std::string(name) + " \"$@\" > '" + seen + "'\necho '/a b/c.ply'\n";
    const fs::path program = folder.write(std::string("bin/") + name, text);
    fs::permissions(program, fs::perms::owner_all);
    setenv("PATH", program.parent_path().c_str(), 1);
    FileDialog dialog;
    dialog.open({.kind = FileDialog::Kind::kSaveFile,
                 .title = "Save",
                 .folder = start,
                 .suggested = "new.ply",
                 .kinds = {"Splats", {".ply", ".sog2"}}});
    EXPECT_EQ(answer(dialog), "/a b/c.ply");
    EXPECT_FALSE(dialog.is_open());
    std::ifstream file(seen);
    const std::string said(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(said, name == std::string("zenity")
                        ? "zenity --file-selection --title=Save --filename=" + start +
                              "/new.ply --save --confirm-overwrite --file-filter=Splats | *.[pP][lL][yY] "
                              "*.[sS][oO][gG]2 --file-filter=All files | *\n"
                        : "kdialog --title Save --getsavefilename " + start +
                              "/new.ply Splats (*.ply *.sog2)\nAll files (*)\n");
    FileDialog folders;
    folders.open({.kind = FileDialog::Kind::kOpenFolder, .title = "Open", .folder = start, .kinds = {"a", {".b"}}});
    EXPECT_EQ(answer(folders), "/a b/c.ply");
    std::ifstream again(seen);
    const std::string line(std::istreambuf_iterator<char>(again), {});
    EXPECT_EQ(line.find('*'), std::string::npos) << line;
  }
  const fs::path cancelled = folder.write("bin/zenity", "#!/bin/sh\necho /never\nexit 1\n");
  FileDialog dialog;
  dialog.open({.kind = FileDialog::Kind::kOpenFile, .title = "Open", .folder = start});
  EXPECT_TRUE(dialog.is_open());
  EXPECT_EQ(answer(dialog), std::nullopt);
  EXPECT_FALSE(dialog.is_open());
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace viewer
