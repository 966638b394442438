// How long words fit into narrow panels, in an ImGui context without a window.
#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <string>

#include "tests/viewer/widgets/imgui_test.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

class WordsTest : public ImGuiTest {
 protected:
  void SetUp() override {
    ImGuiTest::SetUp();
    ImGui::NewFrame();
  }
  void TearDown() override {
    ImGui::EndFrame();
    ImGuiTest::TearDown();
  }
  static float width(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }
};

TEST_F(WordsTest, APathThatNoLineHoldsIsCutInItsMiddle) {
  const std::string path = "/home/somebody/photos/2026/a_town_by_the_sea/reconstruction/demo";
  const float room = width("/home/somebody/photos");
  const Lines lines = in_lines(path + " (COLMAP text)", room);
  EXPECT_TRUE(lines.cut);
  EXPECT_EQ(lines.text.substr(0, 6), "/home/");
  EXPECT_NE(lines.text.find("..."), std::string::npos);
  EXPECT_NE(lines.text.find("demo\n(COLMAP text)"), std::string::npos) << lines.text;
  EXPECT_LE(ImGui::CalcTextSize(lines.text.c_str()).x, room);
}

TEST_F(WordsTest, LinesBreakBetweenWordsAlone) {
  const std::string text = "held out: view_000.jpg, view_008.jpg,\nview_016.jpg";
  const Lines lines = in_lines(text, width("held out: view_000."));
  EXPECT_FALSE(lines.cut);
  EXPECT_EQ(lines.text, "held out:\nview_000.jpg,\nview_008.jpg,\nview_016.jpg");
  EXPECT_EQ(in_lines(text, 10'000).text, text);
  EXPECT_EQ(in_lines("", 10).text, "");
}

TEST_F(WordsTest, NoWordIsLeftAloneWhereLinesAreEven) {
  const std::string text = "one two three four five six";
  EXPECT_EQ(in_lines(text, width(text) - 1).text, "one two three four five\nsix");
  EXPECT_EQ(in_even_lines(text, width(text) - 1).text, "one two three\nfour five six");
  EXPECT_EQ(in_even_lines(text, width(text)).text, text);
  EXPECT_EQ(in_even_lines("", 10).text, "");
}

TEST_F(WordsTest, NoNumberIsBrokenBetweenItsDigits) {
  const std::string text = "deleted, " + count_text(7718) + " added";
  EXPECT_EQ(in_lines(text, width("deleted, 7")).text, "deleted,\n" + count_text(7718) + "\nadded");
}

TEST_F(WordsTest, NoUnitIsBrokenFromItsNumber) {
  const std::string text = "196 MB used, 19.7 GB free";
  EXPECT_EQ(in_lines(text, width("196 MB used, 19.7")).text, "196 MB used,\n19.7 GB free");
  EXPECT_EQ(in_lines("at 27.18 dB, then", width("at 27.18 dB,")).text, "at 27.18 dB,\nthen");
  EXPECT_EQ(in_lines("texture of 1024 px", width("texture of 1024")).text, "texture of\n1024 px");
  EXPECT_EQ(in_lines("over 12 frames", width("over 12")).text, "over 12\nframes");
}

TEST_F(WordsTest, AFewBytesAreNotNone) {
  EXPECT_EQ(bytes_text(372), "372 bytes");
  EXPECT_EQ(bytes_text(1'200), "1 kB");
}

TEST_F(WordsTest, ASentenceBeginsWithACapitalAndANameStaysAsItIs) {
  EXPECT_EQ(as_sentence("done, 1 000 iterations"), "Done, 1 000 iterations");
  EXPECT_EQ(as_sentence("fly: drag to look"), "Fly: drag to look");
  for (const char* name :
       {"view_000.jpg is missing", "'a' is empty", "hipsplat reads .ply", "xdg-open is not installed", ""})
    EXPECT_EQ(as_sentence(name), name);
}

TEST_F(WordsTest, OfALineAreThoseThatFit) {
  const std::string text = "drag the border; [ and ] step";
  EXPECT_EQ(words_within(text, width(text)), text);
  EXPECT_EQ(words_within(text, width("drag the border;...") + 1), "drag the border;...");
  EXPECT_EQ(words_within(text, width("drag the border;...") - 1), "drag the...");
  EXPECT_EQ(words_within("", 10), "");
}

// In a narrow panel, or with large letters.
TEST_F(WordsTest, AValueStandsBesideItsLabelNotOnIt) {
  ImGui::SetNextWindowSize({160, 200});
  ImGui::Begin("narrow");
  const auto from_label_to_value = [](const std::string& label) {
    const float start = ImGui::GetCursorScreenPos().x;
    const Row row(label.c_str(), nullptr);
    ImGui::Button("value");
    return ImGui::GetItemRectMin().x - start;
  };
  const std::string wide = "a label that is wide";
  const float room = ImGui::GetContentRegionAvail().x;
  EXPECT_LT(from_label_to_value("a"), 0.5f * room);
  ASSERT_GT(width(wide), 0.5f * room);
  EXPECT_GT(from_label_to_value(wide), width(wide));
  ImGui::End();
}

}  // namespace
}  // namespace viewer
