// Steps by their types: what is carried out, on what, and what they ask a Sight for.
#include "splat/edit/steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "splat/edit/row_counts.h"
#include "tests/support/synthetic_scene.h"

namespace splat::edit {
namespace {

// Row 7 is seen, rows 3 and 7 a little; the left half of the picture is red, the right one black.
struct FakeSight final : Sight {
  Result<Weights> weights(const View& view, std::span<const uint8_t> mask) override {
    if (blind) return Error{"nothing can be seen"};
    seen_view = view, seen_pixels = size_t(std::count(mask.begin(), mask.end(), 1));
    const auto at = max_by_pixels.find(seen_pixels);
    return Weights{at == max_by_pixels.end() ? max : at->second, sum};
  }
  Result<ImageF> picture(const View& view) override {
    if (blind) return Error{"nothing can be seen"};
    ImageF made{view.camera.width, view.camera.height, {}};
    made.rgb.resize(3 * size_t(made.width * made.height));
    for (int i = 0; i < made.width * made.height; ++i) made.rgb[size_t(i)] = i % made.width < made.width / 2 ? 1 : 0;
    return made;
  }
  RowMask proposed(float least, uint32_t reasons) override {
    asked_least = least, asked_reasons = reasons;
    return RowMask(20, 1);
  }
  void nothing_is_there() override { ++missed; }

  bool blind = false;
  std::vector<float> max = std::vector<float>(20), sum = max;
  std::map<size_t, std::vector<float>> max_by_pixels;  // in masks of this number of pixels, in place of `max`
  View seen_view{};
  size_t seen_pixels = 0;
  float asked_least = 0;
  uint32_t asked_reasons = 0;
  int missed = 0;
};

struct Steps : testing::Test {
  const test::Scene scene = test::make_scene({.splats = 20, .width = 64, .height = 48});
  EditedModel edited{scene.model, size_t(1) << 26, 1};
  ThreadPool pool{1};
  FakeSight sight;

  Steps() { sight.max[7] = 0.4f, sight.sum[7] = 2, sight.max[3] = 0.06f, sight.sum[3] = 0.1f, sight.max[5] = 0.04f; }
  void take(const EditStep& step) { EXPECT_TRUE(apply(step, edited, pool, sight).ok()); }
  std::vector<size_t> selected() const {
    std::vector<size_t> rows;
    for (size_t row = 0; row < edited.states().size(); ++row)
      if (edited.states()[row] & kSelected) rows.push_back(row);
    return rows;
  }
  Drawn drawn_at(int x, int y) const {
    Drawn drawn{scene.view, {64, 48, std::vector<uint8_t>(64 * 48)}};
    drawn.mask.pixels[size_t(64 * y + x)] = 1;
    return drawn;
  }
};

TEST_F(Steps, OfTheModelAloneNeedNoSight) {
  SelectAll{}.apply(edited, pool);
  EXPECT_EQ(selected().size(), 20u);
  HideSelected{}.apply(edited, pool);
  EXPECT_EQ(edited.count(kHidden), 20u);
  Undo{}.apply(edited, pool);
  EXPECT_EQ(edited.count(kHidden), 0u);
  Redo{}.apply(edited, pool);
  UnhideAll{}.apply(edited, pool);
  SelectByValue{RowValue::kOpacity, 2, 3}.apply(edited, pool);
  EXPECT_TRUE(selected().empty()) << "no opacity is above 1";
  GrowSelection{0}.apply(edited, pool);
  MoveAll{{2}}.apply(edited, pool);
  EXPECT_EQ(edited.placed().scale, 2);
  RenameObject{0, "chair"}.apply(edited, pool);
  EXPECT_EQ(edited.list()[0].name, "chair");
  RenameObject{5, "none"}.apply(edited, pool);
  SelectObject{0}.apply(edited, pool);
  EXPECT_EQ(selected().size(), 20u);
}

TEST_F(Steps, GoingToAStepUndoesOrRedoesAllBetween) {
  SelectAll{}.apply(edited, pool);
  DeleteSelected{}.apply(edited, pool);
  EXPECT_EQ(edited.history().steps()[1].rows, edited.model().size());
  EXPECT_EQ(edited.history().done(), 2u);
  GoToStep{0}.apply(edited, pool);
  EXPECT_EQ(edited.count(kDeleted) + edited.count(kSelected), 0u);
  GoToStep{1}.apply(edited, pool);
  EXPECT_EQ(edited.count(kSelected), edited.model().size());
  GoToStep{7}.apply(edited, pool);
  EXPECT_EQ(edited.count(kDeleted), edited.model().size()) << "as far as there are steps";
}

TEST_F(Steps, ABoxIsTakenFromInsideOrOutside) {
  const Box box = box_about({0, 0, 0}, {0.5, 50, 50});
  take(SelectByBox{box});
  const size_t inside = selected().size();
  take(SelectByBox{box, true});
  EXPECT_EQ(selected().size(), 20 - inside);
  take(ShowBox{box});
  EXPECT_EQ(edited.count(kHidden), 20 - inside);
  take(DeleteByBox{box, true});
  EXPECT_EQ(edited.count(kDeleted), 20 - inside);
}

TEST_F(Steps, WhatIsSeenInTheMaskIsSelected) {
  take(SelectOnScreen{drawn_at(5, 6), true});
  EXPECT_EQ(selected(), (std::vector<size_t>{3, 7}));
  EXPECT_EQ(sight.seen_pixels, 1u);
  EXPECT_EQ(sight.seen_view.camera.width, 64);
  SelectByFlood flood{drawn_at(5, 6), true, 0.1f};
  flood.mode = SelectMode::kRemove;
  take(flood);
  EXPECT_EQ(sight.seen_pixels, 32u * 48u) << "the red half";
  EXPECT_TRUE(selected().empty());
}

// The splats of the area are seen, but none of them at the pixel.
TEST_F(Steps, TheBackgroundIsNotFlooded) {
  sight.max_by_pixels = {{1, std::vector<float>(20, 0.01f)}};
  for (const bool visible : {true, false}) {
    sight.missed = 0;
    take(SelectByFlood{drawn_at(5, 6), visible, 0.1f});
    EXPECT_TRUE(selected().empty());
    EXPECT_EQ(sight.missed, 1);
  }
  sight.max_by_pixels.clear();
  take(SelectByFlood{drawn_at(5, 6), true, 0.1f});
  EXPECT_EQ(selected(), (std::vector<size_t>{3, 7}));
}

TEST_F(Steps, AroundWhatIsSeenMost) {
  take(SelectByColour{drawn_at(5, 6), 0});
  EXPECT_EQ(selected(), std::vector<size_t>{7});
  take(SelectInSphere{drawn_at(5, 6), 0.01});
  EXPECT_EQ(selected(), std::vector<size_t>{7});
  take(SelectInBox{drawn_at(5, 6), 1e4});
  EXPECT_EQ(selected().size(), 20u);
  sight.sum.assign(20, 0.0f);
  take(SelectInSphere{drawn_at(5, 6), 1e4});
  EXPECT_TRUE(selected().empty()) << "nothing is seen there";
}

// Whatever becomes of the selection.
TEST_F(Steps, AClickSaysWhereNothingShows) {
  const auto missed_by_clicks = [&](SelectMode mode) {
    sight.missed = 0;
    Drawn drawn = drawn_at(5, 6);
    drawn.mode = mode;
    take(SelectByColour{drawn, 0}), take(SelectInSphere{drawn, 1}), take(SelectInBox{drawn, 1});
    take(SelectByFlood{drawn, true});
    return sight.missed;
  };
  const SelectMode modes[] = {SelectMode::kSet, SelectMode::kAdd, SelectMode::kRemove, SelectMode::kIntersect};
  for (const SelectMode mode : modes) EXPECT_EQ(missed_by_clicks(mode), 0);
  sight.max.assign(20, 0.0f), sight.sum = sight.max;
  take(SelectAll{});
  for (const SelectMode mode : modes) EXPECT_EQ(missed_by_clicks(mode), 4);
  EXPECT_EQ(selected().size(), 0u) << "the last takes away what was selected";
  take(SelectOnScreen{drawn_at(5, 6), true});
  EXPECT_EQ(sight.missed, 4) << "an area may be empty";
  take(SelectAll{}), take(HideSelected{});
  take(SelectByFlood{drawn_at(40, 6), false, 1});
  EXPECT_EQ(sight.missed, 5) << "what is there is hidden";
}

TEST_F(Steps, ByContributionAndByProposal) {
  take(SelectByContribution{scene.view, 0.05, 0.1});
  EXPECT_EQ(selected(), std::vector<size_t>{3});
  take(SelectProposed{2.5f, 6});
  EXPECT_EQ(selected().size(), 20u);
  EXPECT_EQ(sight.asked_least, 2.5f);
  EXPECT_EQ(sight.asked_reasons, 6u);
}

TEST_F(Steps, WithoutSightNothingChanges) {
  take(SelectAll{});
  sight.blind = true;
  const EditStep steps[] = {SelectOnScreen{drawn_at(1, 1), true}, SelectByFlood{drawn_at(1, 1)},
                            SelectByColour{drawn_at(1, 1)},       SelectInSphere{drawn_at(1, 1)},
                            SelectInBox{drawn_at(1, 1)},          SelectByContribution{scene.view}};
  for (const EditStep& step : steps) EXPECT_FALSE(apply(step, edited, pool, sight).ok()) << step.index();
  EXPECT_EQ(selected().size(), 20u);
  take(SelectOnScreen{drawn_at(1, 1), false});  // centres behind it need no picture
}

// Against what a file holds: of 20 rows one had been deleted when it was saved.
TEST_F(Steps, RowsAreCountedByStateAndAgainstAFile) {
  RowMask rows(20);
  rows[2] = 1;
  edited.delete_rows(rows);
  const EditedState then = edited.state();
  RowCounts counts = count_rows(edited, nullptr, pool);
  EXPECT_EQ(counts.deleted, 1u);
  EXPECT_EQ(counts.lost, 1u);
  EXPECT_EQ(count_rows(edited, &then, pool).lost, 0u);
  take(Undo{});
  rows[2] = 0, rows[4] = rows[5] = 1;
  edited.select(rows, SelectMode::kSet);
  take(DuplicateSelected{});
  take(HideSelected{});
  rows.resize(22), rows[5] = 0;
  edited.delete_rows(rows);
  counts = count_rows(edited, &then, pool);
  EXPECT_EQ(counts.selected, 0u);
  EXPECT_EQ(counts.hidden, 2u);
  EXPECT_EQ(counts.deleted, 1u);
  EXPECT_EQ(counts.of_object, std::vector<size_t>{21});
  EXPECT_EQ(counts.lost, 1u);
  EXPECT_EQ(counts.restored, 1u);
  EXPECT_EQ(counts.came, 2u);
}

}  // namespace
}  // namespace splat::edit
