// Tools of the edit mode: what presses and moves become.
#include "studio/edit/edit_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace studio {
namespace {

using namespace splat::edit;

InputEvent event(InputEvent::Kind kind, double x, double y, Modifiers modifiers = {}) {
  InputEvent made;
  made.kind = kind;
  made.x = x, made.y = y;
  made.modifiers = modifiers;
  return made;
}

// A scene of 100x80 px with this tool.
struct Editing {
  Bridge bridge;
  Workspace work{bridge};
  EditMode& mode = work.edit;

  explicit Editing(const std::string& tool) {
    work.look.navigator.set_viewport(100, 80);
    work.received.splats.emplace();
    mode.on = true;
    mode.scene.emplace();
    choose(tool);
  }
  void choose(const std::string& name) {
    for (const auto& tool : mode.tools)
      if (name == tool->offer.label) mode.choose(*tool);
    EXPECT_EQ(mode.tool().offer.label, name);
  }
  bool handle(const InputEvent& event) { return edit_pointer(work, event, 1); }
  std::optional<EditStep> take_step() {
    const auto wanted = bridge.requests.take<EditScene>();
    return wanted ? wanted->request.step : std::nullopt;
  }
};

// The step that it becomes, which is this one.
template <class Step = SelectOnScreen>
std::optional<Step> drag(Editing& mode, std::vector<std::array<double, 2>> points, Modifiers modifiers = {}) {
  using Kind = InputEvent::Kind;
  EXPECT_TRUE(mode.handle(event(Kind::kPress, points.front()[0], points.front()[1], modifiers)));
  for (const auto& [x, y] : points) mode.handle(event(Kind::kMove, x, y, modifiers));
  mode.handle(event(Kind::kRelease, points.back()[0], points.back()[1], modifiers));
  const auto step = mode.take_step();
  const Step* const wanted = step ? std::get_if<Step>(&*step) : nullptr;
  return wanted ? std::optional(*wanted) : std::nullopt;
}

int pixels(const Drawn& drawn) { return std::accumulate(drawn.mask.pixels.begin(), drawn.mask.pixels.end(), 0); }

TEST(EditMode, ARectangleIsAMaskOfItsPixels) {
  Editing mode("Rectangle");
  const auto request = drag(mode, {{30, 40}, {20, 20}, {10, 10}});
  ASSERT_TRUE(request);
  EXPECT_EQ(pixels(*request), 20 * 30);
  EXPECT_EQ(request->mask.width, 100);
  EXPECT_EQ(request->mode, SelectMode::kSet);
  EXPECT_EQ(request->mask.pixels[15 * 100 + 15], 1);
  EXPECT_FALSE(mode.take_step()) << "once";
  EXPECT_FALSE(mode.mode.tool().drawing());
}

TEST(EditMode, ModifiersSayWhatBecomesOfTheSelection) {
  Editing mode("Rectangle");
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {true, false, false})->mode, SelectMode::kAdd);
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {false, true, false})->mode, SelectMode::kRemove);
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {true, true, false})->mode, SelectMode::kIntersect);
}

TEST(EditMode, ALassoIsClosedAndABrushIsRound) {
  Editing lasso("Lasso");
  EXPECT_EQ(pixels(*drag(lasso, {{10, 10}, {30, 10}, {30, 30}, {10, 30}})), 400);
  Editing brush("Brush");
  const int usual = pixels(*drag(brush, {{50, 40}, {50, 40}}));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(edit_key(brush.work, "["));
  const double radius = 40 / std::pow(1.15, 10);
  EXPECT_NEAR(pixels(*drag(brush, {{50, 40}, {50, 40}})), std::numbers::pi * radius * radius, 12);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(edit_key(brush.work, "]"));
  EXPECT_EQ(pixels(*drag(brush, {{50, 40}, {50, 40}})), usual);
}

TEST(EditMode, APolygonEndsAtItsFirstCornerOrByEnter) {
  using Kind = InputEvent::Kind;
  Editing mode("Polygon");
  const std::array<double, 2> corners[] = {{10, 10}, {40, 10}, {40, 40}};
  for (const auto& [x, y] : corners) {
    EXPECT_FALSE(edit_key(mode.work, "Enter")) << "needs three corners";
    mode.handle(event(Kind::kPress, x, y));
    mode.handle(event(Kind::kRelease, x, y));
    EXPECT_FALSE(mode.take_step());
  }
  EXPECT_TRUE(edit_key(mode.work, "Enter"));
  EXPECT_NEAR(pixels(std::get<SelectOnScreen>(mode.take_step().value())), 450, 30);
  for (const auto& [x, y] : corners) mode.handle(event(Kind::kPress, x, y));
  mode.handle(event(Kind::kPress, 12, 11));
  EXPECT_TRUE(mode.take_step());
}

TEST(EditMode, TheColourPickerAsksForOnePixel) {
  Editing mode("Colour");
  mode.mode.tolerance = 0.25f;
  const auto request = drag<SelectByColour>(mode, {{30.5, 40.5}, {30.5, 40.5}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->tolerance, 0.25f);
  EXPECT_EQ(pixels(*request), 1);
  EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
}

template <class Step>
void expect_middle_and_size(const char* tool) {
  Editing mode(tool);
  const auto request = drag<Step>(mode, {{30.5, 40.5}, {90, 70}, {33.5, 44.5}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->radius_px, 5);
  EXPECT_EQ(pixels(*request), 1);
  EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
  EXPECT_GT(drag<Step>(mode, {{30.5, 40.5}, {30.5, 40.5}})->radius_px, 0) << "a click";
}

TEST(EditMode, SpheresAndBoxesHaveAMiddleAndASize) {
  expect_middle_and_size<SelectInSphere>("Sphere");
  expect_middle_and_size<SelectInBox>("Box");
}

TEST(EditMode, FloodingStartsAtOnePixel) {
  Editing mode("Flood");
  mode.mode.tolerance = 0.2f, mode.mode.visible = false;
  const auto request = drag<SelectByFlood>(mode, {{30.5, 40.5}, {60, 60}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->tolerance, 0.2f);
  EXPECT_FALSE(request->visible);
  EXPECT_EQ(pixels(*request), 1);
  EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
}

TEST(EditMode, ABoxThatWasAskedForIsTheCropBox) {
  EditMode mode;
  EditedScene scene;
  scene.box = splat::Box{{0, 0, 0}, {1, 2, 3}};
  mode.take(std::move(scene));
  EXPECT_EQ(mode.crop.box()->high[2], 3);
}

TEST(EditMode, TheCameraKeepsItsButtons) {
  Editing mode("Rectangle");
  InputEvent right = event(InputEvent::Kind::kPress, 10, 10);
  right.button = MouseButton::kRight;
  EXPECT_FALSE(mode.handle(right));
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10, {false, false, true}))) << "Alt orbits";
  mode.choose("Look");
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10)));
  mode.choose("Rectangle");
  mode.mode.on = false;
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10)));
}

TEST(KeyPointer, DrawsAShapeAsTheMouseDoes) {
  Editing mode("Rectangle");
  const std::array<double, 2> size{100, 80};
  const auto press = [&](InputEvent::Kind kind) {
    return mode.handle(mode.mode.key_pointer.press(kind, {true, false, true}, size));
  };
  EXPECT_FALSE(mode.mode.key_pointer.at());
  EXPECT_TRUE(press(InputEvent::Kind::kPress)) << "in the middle";
  mode.handle(mode.mode.key_pointer.move(2, 1, {}, size));
  mode.handle(mode.mode.key_pointer.move(0, 3, {false, false, true}, size));
  EXPECT_EQ(*mode.mode.key_pointer.at(), (std::array<double, 2>{74, 55}));
  EXPECT_TRUE(press(InputEvent::Kind::kRelease));
  const auto step = mode.take_step();
  ASSERT_TRUE(step);
  EXPECT_EQ(std::get<SelectOnScreen>(*step).mode, SelectMode::kAdd);
  EXPECT_EQ(pixels(std::get<SelectOnScreen>(*step)), 24 * 15);
  for (int i = 0; i < 50; ++i) mode.mode.key_pointer.move(-1, 1, {}, size);
  EXPECT_EQ(*mode.mode.key_pointer.at(), (std::array<double, 2>{0, 79})) << "it stays in the picture";
}

TEST(Cleanup, CountsWhatIsSelectedFromAScoreOn) {
  CleanupProposal proposal;
  proposal.scores = {{}, {3, 1, 1, 0.5f}};
  EXPECT_EQ(proposal.count(1, 0.5f), 4u) << "those that have just this score are selected, too";
  EXPECT_EQ(proposal.count(1, 1), 3u);
  EXPECT_EQ(proposal.count(1, 1.1f), 1u);
  EXPECT_EQ(proposal.count(1, 4), 0u);
}

TEST(Cleanup, RowsThatCameLaterHaveNoReason) {
  Cleanup cleanup;
  CleanupProposal proposal;
  proposal.number = 3;
  proposal.rows = {1, 0, 2, 2};
  cleanup.take(std::move(proposal));
  cleanup.keep_rows(2, 0);
  EXPECT_EQ(cleanup.reasons_of_rows().size(), 4u) << "of another proposal";
  cleanup.keep_rows(3, 3);
  EXPECT_EQ(cleanup.reasons_of_rows().size(), 3u);
}

}  // namespace
}  // namespace studio
