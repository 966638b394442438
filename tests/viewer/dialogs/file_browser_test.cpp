// Our own file dialog without a window: what is typed in it.
#include "viewer/dialogs/file_browser.h"

#include <imgui/imgui.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/support/temp_folder.h"
#include "tests/viewer/widgets/imgui_test.h"

namespace viewer {
namespace {

class FileBrowserTest : public ImGuiTest {
 protected:
  std::optional<std::filesystem::path> frame() {
    ImGui::NewFrame();
    auto chosen = browser_.draw();
    ImGui::Render();
    return chosen;
  }
  void wait_for_list() {
    for (int i = 0; i < 1000 && browser_.shown_rows() < 0; ++i) {
      frame();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (int i = 0; i < 10; ++i) frame();  // the keyboard comes to the field
  }
  void hold(ImGuiKey key, int frames) {
    ImGui::GetIO().AddKeyEvent(key, true);
    for (int i = 0; i < frames; ++i) frame();
    ImGui::GetIO().AddKeyEvent(key, false);
    frame();
  }
  std::optional<std::filesystem::path> enter() {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
    std::optional<std::filesystem::path> chosen;
    for (int i = 0; i < 10 && !chosen; ++i) chosen = frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
    frame();
    return chosen;
  }
  // What was chosen by these letters and Enter.
  std::optional<std::filesystem::path> answer_to(const std::string& typed) {
    wait_for_list();
    for (const char letter : typed) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(letter));
      frame();
    }
    return enter();
  }

  const splat::test::TempFolder folder_;
  FileBrowser browser_;
};

// Its text outgrows the memory that it began in, and again.
TEST_F(FileBrowserTest, TakesNamesOfAnyLength) {
  for (const size_t length : {5u, 40u, 200u}) {
    browser_.open({.kind = FileDialogKind::kSaveFile, .title = "Save", .folder = folder_.path(), .suggested = "a.ply"});
    const std::string name = std::string(length, 'n') + ".ply";
    EXPECT_EQ(answer_to(name), folder_.path() / name);
    EXPECT_FALSE(browser_.is_open());
  }
}

TEST_F(FileBrowserTest, HoldingBackspaceClearsTheNameAndGoesNowhere) {
  ImGui::GetIO().DeltaTime = 0.05f;
  browser_.open({.kind = FileDialogKind::kOpenFolder, .title = "Open", .folder = folder_.path(), .suggested = "name"});
  wait_for_list();
  hold(ImGuiKey_RightArrow, 1);  // nothing is selected: letter by letter
  hold(ImGuiKey_Backspace, 60);
  wait_for_list();
  EXPECT_EQ(enter(), folder_.path());
}

// A folder of photos: what is listed is empty, and Enter means the folder.
TEST_F(FileBrowserTest, EnterOpensTheFolderWhosePhotosAreNotListed) {
  const FileKinds splats{"Splats", {".ply"}};
  for (const FileDialogKind kind : {FileDialogKind::kOpenAny, FileDialogKind::kOpenFile}) {
    const splat::test::TempFolder photos;
    for (const char* name : {"a.jpg", "b.jpg", "c.heic"}) photos.write(name, "");
    browser_.open({.kind = kind, .title = "Open", .folder = photos.path(), .kinds = splats});
    EXPECT_EQ(answer_to(""), kind == FileDialogKind::kOpenAny ? std::optional(photos.path()) : std::nullopt);
    EXPECT_EQ(browser_.is_open(), kind == FileDialogKind::kOpenFile);
    browser_.cancel();
    frame();
    photos.write("scene.ply", "");
    browser_.open({.kind = kind, .title = "Open", .folder = photos.path(), .kinds = splats});
    EXPECT_EQ(answer_to(""), std::nullopt) << "the scene may be meant";
    EXPECT_EQ(answer_to("scene.ply"), photos.path() / "scene.ply");
  }
}

// So that the button says what becomes of the file that is there.
TEST_F(FileBrowserTest, CompletesANewFilesNameWithItsEnding) {
  folder_.write("scene.spz", "");
  browser_.open({.kind = FileDialogKind::kSaveFile,
                 .title = "Save",
                 .folder = folder_.path(),
                 .suggested = "a.spz",
                 .kinds = {"Splats", {".ply", ".spz"}}});
  EXPECT_EQ(answer_to("scene"), folder_.path() / "scene.spz");
}

}  // namespace
}  // namespace viewer
