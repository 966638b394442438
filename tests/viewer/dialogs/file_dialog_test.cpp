// The file dialog where the desktop has none to offer.
#include "viewer/dialogs/file_dialog.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temp_folder.h"

namespace viewer {
namespace {

TEST(FileDialog, IsTheWindowsOwnWhereThereIsNoPortal) {
  const splat::test::TempFolder folder;
  for (const char* name : {"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HIPSPLAT_OWN_FILE_DIALOG"}) unsetenv(name);
  FileDialog dialog;
  EXPECT_FALSE(dialog.is_open());
  dialog.open({.kind = FileDialog::Kind::kOpenFile, .title = "Open", .folder = folder.path()});
  EXPECT_TRUE(dialog.is_open());
  EXPECT_TRUE(dialog.shows_browser());
}

}  // namespace
}  // namespace viewer
