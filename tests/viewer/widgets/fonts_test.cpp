// The fonts that fontconfig gives, in an ImGui context without a window.
#include "viewer/widgets/fonts.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <cstdlib>

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
  EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, 1) << "the others are behind the first";
  for (const ImWchar letter : {u'a', u'ß', u'ł', u'ệ', u'ș', u'ω', u'я'}) EXPECT_TRUE(has(letter)) << int(letter);
}

TEST_F(FontsTest, ScriptsThatTheMachineHasAFontForAreThere) {
  if (std::system("test -n \"$(fc-list ':charset=6f22:outline=true:color=false')\"") != 0)
    GTEST_SKIP() << "there is no font with Chinese here";
  for (const ImWchar letter : {u'漢', u'字', u'か'}) EXPECT_TRUE(has(letter)) << int(letter);
}

TEST(Fonts, WithoutAnyItUsesImGuisOwn) {
  ImGui::CreateContext();
  Fonts fonts;
  fonts.load({{"/nowhere/there is none.ttf", 0}});
  EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, 1);
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace viewer
