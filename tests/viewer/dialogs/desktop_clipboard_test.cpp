#include "viewer/dialogs/desktop_clipboard.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/support/temp_folder.h"

namespace {

namespace fs = std::filesystem;

// Programs that write down their words and what they are given to read.
class DesktopClipboard : public testing::Test {
 protected:
  void install(const char* name) const {
    const fs::path program = folder_.write(
        "bin/" + std::string(name), "#!/bin/sh\n{ echo " + std::string(name) + " \"$@\"; cat; } > '" + seen_.string() +
                                        ".part'\nmv '" + seen_.string() + ".part' '" + seen_.string() + "'\n");
    fs::permissions(program, fs::perms::owner_all);
  }
  std::string seen() const {
    for (int i = 0; i < 500 && !fs::exists(seen_); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream file(seen_);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    fs::remove(seen_);
    return text;
  }

  const splat::test::TempFolder folder_;
  const fs::path seen_ = folder_.path() / "seen", png_ = folder_.write("a picture.png", "not really one");
};

TEST_F(DesktopClipboard, IsGivenThePictureByTheProgramOfItsDisplay) {
  fs::create_directory(folder_.path() / "only");
  for (const char* tool : {"sh", "cat", "mv"})
    fs::create_symlink(fs::path("/bin") / tool, folder_.path() / "only" / tool);
  const std::string tools = (folder_.path() / "only").string();
  setenv("PATH", ((folder_.path() / "bin").string() + ":" + tools).c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
  EXPECT_FALSE(viewer::copy_png_to_clipboard(png_)) << "nothing is installed";
  install("xclip");
  EXPECT_TRUE(viewer::copy_png_to_clipboard(png_));
  EXPECT_EQ(seen(), "xclip -selection clipboard -target image/png -i\nnot really one");
  install("wl-copy");
  setenv("WAYLAND_DISPLAY", "wayland-0", 1);
  EXPECT_TRUE(viewer::copy_png_to_clipboard(png_));
  EXPECT_EQ(seen(), "wl-copy --type image/png\nnot really one");
  EXPECT_FALSE(viewer::copy_png_to_clipboard(folder_.path() / "missing.png"));
}

}  // namespace
