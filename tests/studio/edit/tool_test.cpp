// What a tool is asked, of one that only this file knows.
#include "studio/edit/tool.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "studio/edit/edit_panel.h"
#include "studio/edit/feature.h"
#include "studio/edit/tool_bar.h"
#include "tests/studio/drawn.h"
#include "viewer/widgets/icons.h"

namespace studio {
namespace {

// Clicks select all; Backspace forgets them.
class ClickTool final : public Tool {
 public:
  ClickTool() : Tool({"Click", "Click anywhere", "Click tool", "F7"}, icon::kLook, Presses::kClicks) {}

  void chosen(Workspace&, bool again) override { again ? ++again_ : ++chosen_; }
  void cancel() override { ++cancelled_; }
  void picked(Workspace&, const PickedPoint& found) override { at_ = found.point; }
  bool take_pointer(Workspace& work, const InputEvent& event, double scale) override {
    if (!is_press(event)) return false;
    x_ = event.x * scale;
    work.ask(PickPoint{work.look.navigator.view(), event.x, event.y, offer.label});
    send_edit(work, {splat::edit::SelectAll{}});
    return true;
  }
  void add_actions(Workspace&, std::vector<Action>& actions) override {
    actions.push_back({"Click: forget", "Backspace", true, [this] { x_ = 0; }});
  }
  void add_wants(EditWants& wants) const override { wants.marked = 7; }
  void draw_strip(Workspace&) override { ImGui::TextUnformatted("strip of the click tool"); }
  float panel_rows(const Workspace&) const override { return 2; }
  void draw_panel(Workspace&) override { ImGui::TextUnformatted("panel of the click tool"); }
  void add_state(const Workspace&, nlohmann::json& state) const override { state["clicked"] = x_; }

  int chosen_ = 0, again_ = 0, cancelled_ = 0;
  double x_ = 0;
  std::optional<Vec3> at_;
};

class NewTool : public DrawnTest {
 protected:
  NewTool() {
    work_.received.splats.emplace();
    work_.edit.on = true;
    work_.edit.scene.emplace();
    work_.edit.tools.push_back(std::make_unique<ClickTool>());
  }
  // In a panel that is wide and high enough for all of it.
  std::string words(void (*draw)(Workspace&)) {
    return words_of([&] {
      ImGui::SetNextWindowSize({900, 600});
      ImGui::Begin("panel");
      draw(work_);
      ImGui::End();
    });
  }
  std::optional<EditRequest> sent() {
    const auto wanted = bridge_.requests.take<EditScene>();
    return wanted ? std::optional(wanted->request) : std::nullopt;
  }

  Bridge bridge_;
  Workspace work_{bridge_};
  EditFeature feature_{work_};
};

bool has(const std::string& words, const char* part) { return words.find(part) != std::string::npos; }

TEST_F(NewTool, IsOfferedAndChosenByItsKeyAndItsButton) {
  auto& tool = work_.edit.the<ClickTool>();
  const std::vector<Action> actions = edit_actions(work_);
  for (const char* name : {"Click tool", "Click: forget"})
    EXPECT_TRUE(std::any_of(actions.begin(), actions.end(), [&](const Action& one) { return one.name == name; }));
  ASSERT_TRUE(edit_key(work_, "F7"));
  EXPECT_EQ(&work_.edit.tool(), &tool);
  EXPECT_TRUE(edit_key(work_, "F7"));
  EXPECT_EQ(tool.chosen_, 1);
  EXPECT_EQ(tool.again_, 1);
  EXPECT_TRUE(edit_key(work_, "R"));
  EXPECT_EQ(tool.cancelled_, 1);
  words(draw_tool_bar);
  const auto bar = [this] {
    ImGui::SetNextWindowSize({900, 600});
    ImGui::Begin("panel");
    draw_tool_bar(work_);
    ImGui::End();
  };
  click("Click", bar);
  EXPECT_EQ(&work_.edit.tool(), &tool);
}

TEST_F(NewTool, HasThePointerAndItsKeysWhileItIsChosen) {
  auto& tool = work_.edit.the<ClickTool>();
  InputEvent press;
  press.kind = InputEvent::Kind::kPress;
  press.x = 3;
  EXPECT_FALSE(edit_key(work_, "Backspace"));
  work_.edit.choose(tool);
  ASSERT_TRUE(edit_pointer(work_, press, 2));
  EXPECT_EQ(tool.x_, 6);
  const auto request = sent();
  ASSERT_TRUE(request && request->step);
  EXPECT_TRUE(is_one_of<splat::edit::SelectAll>(*request->step));
  EXPECT_EQ(request->wants.marked, 7u);
  const auto asked = bridge_.requests.take<PickPoint>();
  ASSERT_TRUE(asked);
  bridge_.reports.put(PickedPoint{Vec3{1, 2, 3}, asked->tool, {}});
  work_.receive();
  ASSERT_TRUE(tool.at_);
  EXPECT_EQ(tool.at_->z, 3);
  EXPECT_TRUE(edit_key(work_, "Backspace"));
  EXPECT_EQ(tool.x_, 0);
  ASSERT_TRUE(edit_key(work_, "R"));
  EXPECT_TRUE(edit_pointer(work_, press, 1)) << "a rectangle is begun";
  EXPECT_EQ(tool.x_, 0);
}

TEST_F(NewTool, DrawsItsStripAndItsPanelAndSaysItsState) {
  EXPECT_FALSE(has(words(draw_tool_details), "panel of"));
  work_.edit.choose(work_.edit.the<ClickTool>());
  EXPECT_TRUE(has(words(draw_tool_strip), "strip of the click tool"));
  EXPECT_TRUE(has(words(draw_tool_details), "panel of the click tool"));
  nlohmann::json state;
  feature_.add_state(state);
  EXPECT_EQ(state["edit"]["tool"], "Click");
  EXPECT_EQ(state["clicked"], 0);
}

}  // namespace
}  // namespace studio
