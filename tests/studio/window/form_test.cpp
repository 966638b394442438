// Fields drawn from rows of settings, and what typing into them does.
#include "studio/window/form.h"

#include <string>
#include <vector>

#include "app/settings/blocks.h"
#include "tests/studio/drawn.h"

namespace studio {
namespace {

class Form : public DrawnTest {
 protected:
  Form() { add_blocks_rows(rows_, settings_); }
  void draw() {
    ImGui::Begin("form");
    draw_form(rows_);
    ImGui::End();
  }
  std::string words() {
    return words_of([this] { draw(); });
  }
  void type(const std::string& label, const char* text) {
    click(label, [this] { draw(); });
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, true);
    io.AddKeyEvent(ImGuiKey_A, true);
    words();
    io.AddKeyEvent(ImGuiKey_A, false);
    io.AddKeyEvent(ImGuiMod_Ctrl, false);
    words();
    if (*text) io.AddInputCharactersUTF8(text);
    if (!*text) io.AddKeyEvent(ImGuiKey_Delete, true), io.AddKeyEvent(ImGuiKey_Delete, false);
    words();
    io.AddKeyEvent(ImGuiKey_Enter, true);
    io.AddKeyEvent(ImGuiKey_Enter, false);
    words();
  }

  BlocksSettings settings_;
  std::vector<OptionRow> rows_;
};

TEST_F(Form, ATextIsTakenWhereItsRowTakesIt) {
  const std::string empty = words();
  EXPECT_NE(empty.find("Memory a block"), std::string::npos) << empty;
  EXPECT_NE(empty.find("automatic"), std::string::npos) << empty;
  type("##block-memory", "2G");
  EXPECT_EQ(settings_.memory, 2'000'000'000u);
  type("##block-memory", "much");
  EXPECT_EQ(settings_.memory, 2'000'000'000u) << "no size: as it was";
  EXPECT_NE(words().find("2G"), std::string::npos);
  type("##block-memory", "");
  EXPECT_EQ(settings_.memory, 0u) << "automatic again";
}

}  // namespace
}  // namespace studio
