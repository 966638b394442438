#include "viewer/dialogs/desktop_open.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/support/temp_folder.h"

namespace {

namespace fs = std::filesystem;

TEST(DesktopOpen, GivesThePathToXdgOpenAndSaysWhereThereIsNone) {
  const splat::test::TempFolder folder;
  const fs::path seen = folder.path() / "seen";
  const fs::path program = folder.write("bin/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > '" + seen.string() + "'\n");
  fs::permissions(program, fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  setenv("PATH", (program.parent_path().string() + ":/bin:/usr/bin").c_str(), 1);
  const fs::path path = folder.path() / "a \"name\" with $signs/report.html";
  EXPECT_TRUE(viewer::open_with_desktop(path));
  std::string said;
  for (int i = 0; i < 500 && said != path; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream file(seen);
    said.assign(std::istreambuf_iterator<char>(file), {});
  }
  EXPECT_EQ(said, path.string());
  fs::create_directory(folder.path() / "only");
  fs::create_symlink("/bin/sh", folder.path() / "only/sh");
  setenv("PATH", (folder.path() / "only").c_str(), 1);
  EXPECT_FALSE(viewer::open_with_desktop(path));
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
