// The layout of panels as text, in Dear ImGui without a window.
#include "viewer/shell/dock_layout.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <string>

#include "studio/window/window_settings.h"

namespace viewer {
namespace {

using studio::settings_from_text;
using studio::settings_text;
using studio::WindowSettings;

class DockLayoutTest : public testing::Test {
 protected:
  ~DockLayoutTest() override { end(); }

  void start(const std::string& text = "", float written_at = 1) {
    end();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    layout_ = {};
    layout_.load(text, written_at);
  }
  static void end() {
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
  }
  // The text after some frames.
  std::string show(float width = 1600, float scale = 1, int frames = 4) {
    std::string text;
    for (int frame = 0; frame < frames; ++frame) {
      ImGui::GetIO().DisplaySize = {width, 1800};
      ImGui::NewFrame();
      scene_ = layout_.update({0, 0, width, 1800}, scale);
      std::vector<std::string> panels{"left", "right", "log"};
      panels.insert(panels.end(), layout_.alone().begin(), layout_.alone().end());
      for (const std::string& panel : panels) {
        layout_.begin(panel, "title", nullptr);
        ImGui::End();
      }
      text = layout_.finish();
      ImGui::Render();
    }
    return text;
  }
  float left() const { return scene_.x; }

  DockLayout layout_;
  Area scene_;
};

// Frames that the window draws when something has come, before it rests.
TEST_F(DockLayoutTest, TabsHaveTheirWholeNamesAfterAFewFrames) {
  const auto width = [] { return ImGui::FindWindowByName("###left")->DC.DockTabItemRect.GetWidth(); };
  start();
  show(1600, 1, DockLayout::kFramesToSettle);
  const float soon = width();
  EXPECT_GT(soon, ImGui::CalcTextSize("title").x);
  show();
  EXPECT_EQ(width(), soon);
}

std::string nodes_in(const std::string& text) { return text.substr(text.find("[Docking]")); }

std::string replaced(std::string text, const std::string& from, const std::string& by) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), by);
}

TEST_F(DockLayoutTest, IsTheSameAfterItWasText) {
  start();
  const std::string usual = show();
  start(usual);
  EXPECT_EQ(show(), usual);
  layout_.detach("camera");
  const std::string detached = show();
  EXPECT_NE(detached, usual);
  start(detached);
  EXPECT_TRUE(layout_.detached("camera"));
  EXPECT_EQ(show(), detached);
  layout_.reset();
  EXPECT_EQ(show(), usual);
  EXPECT_FALSE(layout_.detached("camera"));
  WindowSettings settings;
  settings.layout = detached;
  EXPECT_EQ(settings_from_text(settings_text(settings)), settings);
}

TEST_F(DockLayoutTest, SizesFollowTheScaleAndSurviveASmallWindow) {
  start();
  const std::string usual = show();
  const float wide = left();
  EXPECT_NEAR(wide, 300, 5);
  show(600);
  EXPECT_LT(left(), wide - 50);
  EXPECT_EQ(show(), usual);
  EXPECT_EQ(left(), wide);
  const std::string large = show(3200, 2);
  EXPECT_NEAR(left(), 2 * wide, 5);
  layout_.detach("camera");
  const std::string detached = show(3200, 2);
  EXPECT_NE(detached.find("Size=680,840"), std::string::npos) << detached;
  start(detached, 2);
  const std::string small = show(1600, 1);
  EXPECT_NEAR(left(), wide, 1);
  EXPECT_NE(small.find("Size=340,420"), std::string::npos) << small;
}

TEST_F(DockLayoutTest, ABrokenOneIsTheUsualOne) {
  start();
  const std::string usual = show();
  layout_.detach("camera");
  const std::string good = show();
  const auto broken = [&](const std::string& from, const std::string& by) {
    start(replaced(good, from, by));
    EXPECT_FALSE(layout_.detached("camera")) << from << " " << by;
    EXPECT_EQ(nodes_in(show()), nodes_in(usual)) << from << " " << by;
  };
  broken("log]", "loch]");
  broken("DockSpace", "DockNode ");
  broken(" Split=X", "");
  broken(" CentralNode=1", "");
  broken("Parent=0x00001000", "Parent=0x00000002");
  broken("Parent=0x00001000", "Parent=0x00000001");  // itself
  broken("Parent=0x00001000", "Parent=0x00000FFF");
  broken("ID=0x00000002", "ID=0x00000001");
  broken("ID=0x00000002", "ID=0x00000000");
  broken("ID=0x00001000", "ID=0x00001001");
  broken(" SizeRef=300", " SizeRef=3e9");
  broken(" SizeRef=300", " SizeRef=-30");
  broken("  DockNode ", "\rDockNode ");
  for (const std::string& text :
       {std::string("x"), std::string("[Docking][Data]\n"), good + good, good.substr(0, good.find("DockNode")),
        good + std::string(1 << 16, ' '), std::string(R"({"docked": {"scene": true}})")}) {
    start(text);
    EXPECT_EQ(show(), usual) << text;
  }
}

TEST_F(DockLayoutTest, SettingsWithAnotherThingInItsPlaceAreReadWithoutIt) {
  EXPECT_EQ(settings_from_text(R"({"layout": 5, "theme": 1})").theme, ThemeChoice::kLight);
  EXPECT_EQ(settings_from_text(R"({"layout": {"docked": {}}})").layout, "");
}

}  // namespace
}  // namespace viewer
