// Tools of the edit mode: what presses and moves become.
#include "viewer/edit/edit_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace viewer {
namespace {

using splat::edit::SelectMode;

splat::View view() { return {{100, 80, 50, 50, 50, 40}, {}}; }

InputEvent event(InputEvent::Kind kind, double x, double y, Modifiers modifiers = {}) {
  InputEvent made;
  made.kind = kind;
  made.x = x, made.y = y;
  made.modifiers = modifiers;
  return made;
}

EditMode begun(EditTool tool) {
  EditMode mode;
  mode.on = true;
  mode.choose(tool);
  return mode;
}

std::optional<EditRequest> drag(EditMode& mode, std::vector<std::array<double, 2>> points, Modifiers modifiers = {}) {
  using Kind = InputEvent::Kind;
  EXPECT_TRUE(mode.handle(event(Kind::kPress, points.front()[0], points.front()[1], modifiers), view(), false));
  for (const auto& [x, y] : points) mode.handle(event(Kind::kMove, x, y, modifiers), view(), false);
  mode.handle(event(Kind::kRelease, points.back()[0], points.back()[1], modifiers), view(), false);
  return mode.take_request();
}

int pixels(const EditRequest& request) {
  return std::accumulate(request.mask.pixels.begin(), request.mask.pixels.end(), 0);
}

TEST(EditMode, ARectangleIsAMaskOfItsPixels) {
  EditMode mode = begun(EditTool::kRectangle);
  const auto request = drag(mode, {{30, 40}, {20, 20}, {10, 10}});
  ASSERT_TRUE(request);
  EXPECT_EQ(pixels(*request), 20 * 30);
  EXPECT_EQ(request->mask.width, 100);
  EXPECT_EQ(request->mode, SelectMode::kSet);
  EXPECT_EQ(request->mask.pixels[15 * 100 + 15], 1);
  EXPECT_FALSE(mode.take_request()) << "once";
  EXPECT_FALSE(mode.drawing());
}

TEST(EditMode, ModifiersSayWhatBecomesOfTheSelection) {
  EditMode mode = begun(EditTool::kRectangle);
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {true, false, false})->mode, SelectMode::kAdd);
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {false, true, false})->mode, SelectMode::kRemove);
  EXPECT_EQ(drag(mode, {{1, 1}, {9, 9}}, {true, true, false})->mode, SelectMode::kIntersect);
}

TEST(EditMode, ALassoIsClosedAndABrushIsRound) {
  EditMode lasso = begun(EditTool::kLasso);
  EXPECT_EQ(pixels(*drag(lasso, {{10, 10}, {30, 10}, {30, 30}, {10, 30}})), 400);
  EditMode brush = begun(EditTool::kBrush);
  brush.brush_px = 10;
  EXPECT_NEAR(pixels(*drag(brush, {{50, 40}, {50, 40}})), 314, 12);
}

TEST(EditMode, APolygonEndsAtItsFirstCornerOrByEnter) {
  using Kind = InputEvent::Kind;
  EditMode mode = begun(EditTool::kPolygon);
  const std::array<double, 2> corners[] = {{10, 10}, {40, 10}, {40, 40}};
  for (const auto& [x, y] : corners) {
    EXPECT_FALSE(mode.close_polygon({}, view(), false)) << "needs three corners";
    mode.handle(event(Kind::kPress, x, y), view(), false);
    mode.handle(event(Kind::kRelease, x, y), view(), false);
    EXPECT_FALSE(mode.take_request());
  }
  EXPECT_TRUE(mode.close_polygon({}, view(), false));
  EXPECT_NEAR(pixels(*mode.take_request()), 450, 30);
  for (const auto& [x, y] : corners) mode.handle(event(Kind::kPress, x, y), view(), false);
  mode.handle(event(Kind::kPress, 12, 11), view(), false);
  EXPECT_TRUE(mode.take_request());
}

TEST(EditMode, TheColourPickerAsksForOnePixel) {
  EditMode mode = begun(EditTool::kColour);
  mode.tolerance = 0.25f;
  const auto request = drag(mode, {{30.5, 40.5}, {30.5, 40.5}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->step, EditStep::kSelectByColour);
  EXPECT_EQ(request->tolerance, 0.25f);
  EXPECT_EQ(pixels(*request), 1);
  EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
}

TEST(EditMode, SpheresAndBoxesHaveAMiddleAndASize) {
  for (const auto& [tool, step] :
       {std::pair(EditTool::kSphere, EditStep::kSelectInSphere), std::pair(EditTool::kBox, EditStep::kSelectInBox)}) {
    EditMode mode = begun(tool);
    const auto request = drag(mode, {{30.5, 40.5}, {90, 70}, {33.5, 44.5}});
    ASSERT_TRUE(request);
    EXPECT_EQ(request->step, step);
    EXPECT_EQ(request->radius_px, 5);
    EXPECT_EQ(pixels(*request), 1);
    EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
    EXPECT_GT(drag(mode, {{30.5, 40.5}, {30.5, 40.5}})->radius_px, 0) << "a click";
  }
}

TEST(EditMode, FloodingStartsAtOnePixel) {
  EditMode mode = begun(EditTool::kFlood);
  mode.tolerance = 0.2f, mode.visible = false;
  const auto request = drag(mode, {{30.5, 40.5}, {60, 60}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->step, EditStep::kSelectByFlood);
  EXPECT_EQ(request->tolerance, 0.2f);
  EXPECT_FALSE(request->visible);
  EXPECT_EQ(pixels(*request), 1);
  EXPECT_EQ(request->mask.pixels[40 * 100 + 30], 1);
}

TEST(EditMode, TheCameraKeepsItsButtons) {
  EditMode mode = begun(EditTool::kRectangle);
  InputEvent right = event(InputEvent::Kind::kPress, 10, 10);
  right.button = MouseButton::kRight;
  EXPECT_FALSE(mode.handle(right, view(), false));
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10, {false, false, true}), view(), false))
      << "Alt orbits";
  mode.choose(EditTool::kLook);
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10), view(), false));
  mode.choose(EditTool::kRectangle);
  mode.on = false;
  EXPECT_FALSE(mode.handle(event(InputEvent::Kind::kPress, 10, 10), view(), false));
}

TEST(KeyPointer, DrawsAShapeAsTheMouseDoes) {
  EditMode mode = begun(EditTool::kRectangle);
  const std::array<double, 2> size{100, 80};
  const auto press = [&](InputEvent::Kind kind) {
    return mode.handle(mode.key_pointer.press(kind, {true, false, true}, size), view(), false);
  };
  EXPECT_FALSE(mode.key_pointer.at());
  EXPECT_TRUE(press(InputEvent::Kind::kPress)) << "in the middle";
  mode.handle(mode.key_pointer.move(2, 1, {}, size), view(), false);
  mode.handle(mode.key_pointer.move(0, 3, {false, false, true}, size), view(), false);
  EXPECT_EQ(*mode.key_pointer.at(), (std::array<double, 2>{74, 55}));
  EXPECT_TRUE(press(InputEvent::Kind::kRelease));
  const auto request = mode.take_request();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->mode, splat::edit::SelectMode::kAdd);
  EXPECT_EQ(std::count(request->mask.pixels.begin(), request->mask.pixels.end(), 1), 24 * 15);
  for (int i = 0; i < 50; ++i) mode.key_pointer.move(-1, 1, {}, size);
  EXPECT_EQ(*mode.key_pointer.at(), (std::array<double, 2>{0, 79})) << "it stays in the picture";
}

TEST(Cleanup, CountsWhatIsSelectedFromAScoreOn) {
  const CleanupReason reason{"", "", {3, 1, 1, 0.5f}};
  EXPECT_EQ(reason.count(0.5f), 4u) << "those that have just this score are selected, too";
  EXPECT_EQ(reason.count(1), 3u);
  EXPECT_EQ(reason.count(1.1f), 1u);
  EXPECT_EQ(reason.count(4), 0u);
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
}  // namespace viewer
