// The keys of the edit mode, without a window: which step each of them sends.
#include "studio/edit/edit_panel.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "studio/edit/align_tool.h"
#include "studio/edit/transform_tool.h"

namespace studio {
namespace {

using namespace splat::edit;

struct EditKeys : testing::Test {
  Bridge bridge;
  Workspace work{bridge};

  EditKeys() {
    work.received.splats.emplace();
    work.edit.on = true;
    work.edit.near = 0.5;
    work.edit.scene.emplace();
    work.edit.scene->objects.resize(2);
  }
  std::optional<EditRequest> sent() {
    const auto wanted = bridge.requests.take<EditScene>();
    return wanted ? std::optional(wanted->request) : std::nullopt;
  }
  template <class Step>
  bool sends(const std::string& keys) {
    if (!edit_key(work, keys)) return false;
    const auto request = sent();
    return request && request->step && is_one_of<Step>(*request->step);
  }
  bool chooses(const std::string& keys, const std::string& tool) {
    return edit_key(work, keys) && work.edit.tool().offer.label == tool;
  }
  template <class Known>
  Known& choose() {
    work.edit.choose(work.edit.the<Known>());
    return work.edit.the<Known>();
  }
};

TEST_F(EditKeys, EachSendsItsStepWhateverIsSelected) {
  EXPECT_TRUE(sends<Undo>("Ctrl+Z"));
  EXPECT_TRUE(sends<Redo>("Ctrl+Shift+Z"));
  EXPECT_TRUE(sends<Redo>("Ctrl+Y"));
  EXPECT_TRUE(sends<SelectAll>("Ctrl+A"));
  EXPECT_TRUE(sends<SelectNone>("Ctrl+Shift+A"));
  EXPECT_TRUE(sends<InvertSelection>("I"));
  EXPECT_TRUE(sends<InvertSelection>("Ctrl+I"));
  EXPECT_TRUE(sends<DuplicateSelected>("Ctrl+D"));
  EXPECT_TRUE(sends<DuplicateSelected>("Ctrl+Shift+D")) << "Shift says nothing here";
  EXPECT_TRUE(sends<SeparateSelected>("Ctrl+J"));
  EXPECT_TRUE(sends<HideSelected>("H"));
  EXPECT_TRUE(sends<UnhideAll>("Shift+H"));
  EXPECT_TRUE(sends<LockSelected>("K"));
  EXPECT_TRUE(sends<UnlockAll>("Shift+K"));
  EXPECT_TRUE(sends<GrowSelection>("+"));
  EXPECT_TRUE(sends<GrowSelection>("Shift++"));
  EXPECT_TRUE(sends<ShrinkSelection>("-"));
  EXPECT_TRUE(sends<DeleteSelected>("Delete"));
  EXPECT_TRUE(sends<DeleteSelected>("Shift+Delete"));
  ASSERT_TRUE(edit_key(work, "+"));
  EXPECT_EQ(std::get<GrowSelection>(*sent()->step).distance, 0.5);
  for (const char* none : {"Ctrl+R", "Ctrl+H", "Ctrl+Delete", "Escape", "Enter", "[", "F2", "G", ""})
    EXPECT_FALSE(edit_key(work, none)) << none;
  work.edit.scene->selected = 1;
  EXPECT_TRUE(sends<SelectNone>("Escape"));
}

TEST_F(EditKeys, EachToolHasOne) {
  const std::pair<const char*, const char*> tools[] = {
      {"R", "Rectangle"}, {"L", "Lasso"},  {"P", "Polygon"},   {"B", "Brush"},          {"C", "Colour"},
      {"O", "Flood"},     {"N", "Sphere"}, {"Y", "Box"},       {"J", "Crop box"},       {"U", "Align"},
      {"M", "Measure"},   {"V", "Look"},   {"T", "Transform"}, {"Shift+R", "Rectangle"}};
  for (const auto& [keys, tool] : tools) EXPECT_TRUE(chooses(keys, tool)) << keys;
  EXPECT_FALSE(work.edit.crop.box()) << "asked for, not there yet";
  work.edit.visible = true;
  EXPECT_TRUE(edit_key(work, "X"));
  EXPECT_FALSE(work.edit.visible);
}

TEST_F(EditKeys, TheCropBoxHasItsOwn) {
  work.edit.crop.set(splat::box_about({0, 0, 0}, {1, 1, 1}));
  EXPECT_FALSE(edit_key(work, "Enter")) << "of another tool";
  choose<CropTool>();
  ASSERT_TRUE(edit_key(work, "Enter"));
  EXPECT_FALSE(std::get<SelectByBox>(*sent()->step).outside);
  ASSERT_TRUE(edit_key(work, "Shift+Enter"));
  EXPECT_TRUE(std::get<SelectByBox>(*sent()->step).outside);
  EXPECT_TRUE(sends<DeleteByBox>("Shift+Delete"));
  EXPECT_TRUE(sends<DeleteSelected>("Delete"));
  EXPECT_TRUE(sends<ShowBox>("Shift+J"));
  EXPECT_TRUE(work.edit.crop.clips);
  EXPECT_TRUE(sends<UnhideAll>("Shift+J"));
  EXPECT_TRUE(sends<ShowBox>("Shift+J"));
  EXPECT_TRUE(sends<LockSelected>("K"));
  EXPECT_TRUE(work.edit.crop.clips);
  EXPECT_TRUE(sends<HideSelected>("H"));
  EXPECT_FALSE(work.edit.crop.clips) << "the box does not say any more what is hidden";
  const TransformKind kind = work.edit.crop.kind;
  EXPECT_TRUE(edit_key(work, "J"));
  EXPECT_NE(work.edit.crop.kind, kind);
}

TEST_F(EditKeys, AligningHasItsOwn) {
  AlignTool& align = choose<AlignTool>();
  EXPECT_FALSE(edit_key(work, "Enter")) << "there are no pairs";
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 2, 0}}) {
    align.add(1, {p.x + 1, p.y, p.z});
    align.add(0, p);
  }
  ASSERT_TRUE(edit_key(work, "Shift+Enter"));
  const EditRequest refine = *sent();
  EXPECT_TRUE(refine.wants.refined);
  EXPECT_FALSE(edit_key(work, "Shift+Enter")) << "it is waited for";
  EditedScene answer;
  answer.wants = refine.wants;
  align.answered(answer);
  ASSERT_TRUE(edit_key(work, "Enter"));
  const EditRequest show = *sent();
  EXPECT_FALSE(show.step);
  answer.wants = show.wants;
  align.answered(answer);
  EXPECT_TRUE(align.shown().moves());
  EXPECT_TRUE(sends<MoveObject>("Enter"));
  EXPECT_TRUE(edit_key(work, "Escape"));
  EXPECT_FALSE(align.shown().moves());
  EXPECT_TRUE(edit_key(work, "Backspace"));
  EXPECT_EQ(align.pairs().size(), 2u);
  EXPECT_TRUE(edit_key(work, "Escape"));
  EXPECT_TRUE(align.empty());
}

TEST_F(EditKeys, APolygonIsClosedByEnterAndAddsWithShift) {
  ASSERT_TRUE(chooses("P", "Polygon"));
  for (const auto& [x, y] : {std::pair(1.0, 1.0), std::pair(9.0, 1.0), std::pair(9.0, 9.0)}) {
    EXPECT_FALSE(edit_key(work, "Enter"));
    InputEvent press;
    press.kind = InputEvent::Kind::kPress;
    press.x = x, press.y = y;
    ASSERT_TRUE(edit_pointer(work, press, 1));
  }
  ASSERT_TRUE(edit_key(work, "Shift+Enter"));
  EXPECT_EQ(std::get<SelectOnScreen>(*sent()->step).mode, SelectMode::kAdd);
}

TEST_F(EditKeys, WhileAHandleIsHeldThereIsOnlyEscape) {
  TransformTool& transform = choose<TransformTool>();
  transform.drag({2}, *work.edit.scene);
  EXPECT_TRUE(edit_key(work, "Delete"));
  EXPECT_FALSE(sent());
  EXPECT_TRUE(edit_key(work, "Escape"));
  EXPECT_FALSE(transform.dragging());
}

TEST_F(EditKeys, EveryRequestAsksForWhatIsShown) {
  send_edit(work, {});
  EXPECT_FALSE(sent()->wants.histogram);
  work.edit.histogram_shown = true;
  work.edit.value = RowValue::kSize;
  choose<TransformTool>();
  work.look.display.filter = {true, 0.1f};
  send_edit(work, {Undo{}});
  const EditRequest request = *sent();
  EXPECT_TRUE(request.wants.histogram->value == RowValue::kSize);
  EXPECT_TRUE(request.wants.extent);
  EXPECT_FALSE(request.wants.marked);
  EXPECT_EQ(request.filter, (splat::ScreenFilter{true, 0.1f}));
}

// Keys of a tool's own may be those of others; which of them is possible says what they do.
TEST_F(EditKeys, NoTwoToolsOrStepsShareAKey) {
  std::set<std::string> seen;
  for (const Action& action : edit_actions(work)) {
    if (action.name.starts_with("Select inside the crop box")) break;
    EXPECT_TRUE(action.keys.empty() || seen.insert(action.keys).second) << action.keys << ": " << action.name;
  }
  EXPECT_GT(seen.size(), 20u);
}

}  // namespace
}  // namespace studio
