// The font that is shipped and those that fontconfig gives, in an ImGui context without a window.
#include "viewer/widgets/fonts.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <cstdlib>

#include "viewer/widgets/shipped_fonts.h"

namespace viewer {
namespace {

class FontsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (interface_fonts().empty()) GTEST_SKIP() << "fontconfig finds no font here";
    ImGui::CreateContext();
    fonts_.load(interface_fonts());
  }
  void TearDown() override {
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
  }
  static bool has(ImWchar letter) { return ImGui::GetIO().Fonts->Fonts[0]->IsGlyphInFont(letter); }

  Fonts fonts_;
};

TEST_F(FontsTest, AllOfLatinGreekAndCyrillicIsThere) {
  EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, 2) << "for text, with the machine's behind it, and for headings";
  for (const ImWchar letter : {u'a', u'ß', u'ł', u'ệ', u'ș', u'ω', u'я'}) EXPECT_TRUE(has(letter)) << int(letter);
}

TEST_F(FontsTest, ScriptsThatTheMachineHasAFontForAreThere) {
  if (std::system("test -n \"$(fc-list ':charset=6f22:outline=true:color=false')\"") != 0)
    GTEST_SKIP() << "there is no font with Chinese here";
  for (const ImWchar letter : {u'漢', u'字', u'か'}) EXPECT_TRUE(has(letter)) << int(letter);
}

TEST_F(FontsTest, EveryIconIsThere) {
  for (ImWchar letter = u'\ue000'; letter <= u'\ue028'; ++letter) EXPECT_TRUE(has(letter)) << std::hex << letter;
  EXPECT_FALSE(has(0xe0ff)) << "in whatever text font has a letter of its own there";
}

TEST(Fonts, ThereIsOneWhateverTheMachineHas) {
  ImGui::CreateContext();
  Fonts fonts;
  fonts.load({{"/nowhere/there is none.ttf", 0}});
  EXPECT_GE(ImGui::GetIO().Fonts->Fonts.Size, 1);
  EXPECT_TRUE(ImGui::GetIO().Fonts->Fonts[0]->IsGlyphInFont(0xe000)) << "the icons are the program's own";
  ImGui::DestroyContext();
}

// With the font that is shipped, whatever the machine has.
class ShippedFont : public testing::Test {
 protected:
  void SetUp() override {
    if (shipped_fonts().empty()) GTEST_SKIP() << "this build ships none";
    ImGui::CreateContext();
    fonts_.load({{"/nowhere/there is none.ttf", 0}});
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.DisplaySize = {100, 100};
    ImGui::NewFrame();
  }
  void TearDown() override {
    if (!ImGui::GetCurrentContext()) return;
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
  Fonts fonts_;
};

TEST_F(ShippedFont, DigitsAreAllOfOneWidthInTextAndHeadings) {
  for (ImFont* font : {ImGui::GetIO().Fonts->Fonts.front(), heading_font()}) {
    ImGui::PushFont(font, 100);
    for (const char* digit : {"1", "2", "3", "4", "5", "6", "7", "8", "9"})
      EXPECT_NEAR(ImGui::CalcTextSize(digit).x, ImGui::CalcTextSize("0").x, 0.2) << digit;
    EXPECT_GT(ImGui::CalcTextSize("m").x, 1.5f * ImGui::CalcTextSize("i").x) << "letters are not";
    ImGui::PopFont();
  }
}

TEST_F(ShippedFont, HeadingsAreHeavier) {
  ASSERT_NE(heading_font(), ImGui::GetIO().Fonts->Fonts.front());
  ImGui::PushFont(nullptr, 100);
  const float text = ImGui::CalcTextSize("Training").x;
  ImGui::PopFont();
  ImGui::PushFont(heading_font(), 100);
  EXPECT_GT(ImGui::CalcTextSize("Training").x, text);
  ImGui::PopFont();
}

}  // namespace
}  // namespace viewer
