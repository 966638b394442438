// Editing: what each operation does to states and rows, and that going back and forth ends where it began, to the byte.
#include "splat/edit/edited_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "splat/edit/nearness.h"
#include "splat/model/gaussian_rows.h"
#include "tests/support/identical.h"
#include "tests/support/synthetic_scene.h"

namespace splat::edit {
namespace {

using test::expect_identical;

Gaussians some_splats(int count, uint64_t seed = 1) { return test::make_scene({.seed = seed, .splats = count}).model; }

std::vector<uint8_t> mask_of(size_t rows, std::initializer_list<size_t> selected) {
  std::vector<uint8_t> mask(rows);
  for (size_t row : selected) mask[row] = 1;
  return mask;
}

std::vector<size_t> rows_with(const EditedModel& edited, uint8_t bits) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < edited.states().size(); ++row)
    if ((edited.states()[row] & bits) == bits) rows.push_back(row);
  return rows;
}

using Rows = std::vector<size_t>;

TEST(EditedModel, SelectsByMaskInFourModes) {
  EditedModel edited(some_splats(6));
  EXPECT_EQ(edited.select(mask_of(6, {1, 2}), SelectMode::kSet), 2u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{1, 2}));
  EXPECT_EQ(edited.select(mask_of(6, {2, 4}), SelectMode::kAdd), 1u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{1, 2, 4}));
  edited.select(mask_of(6, {1, 4, 5}), SelectMode::kIntersect);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{1, 4}));
  edited.select(mask_of(6, {4}), SelectMode::kRemove);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{1}));
  edited.invert_selection();
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{0, 2, 3, 4, 5}));
  edited.select(mask_of(6, {3}), SelectMode::kSet);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{3}));
  edited.select_all();
  EXPECT_EQ(edited.count(kSelected), 6u);
  edited.select_none();
  EXPECT_EQ(edited.count(kSelected), 0u);
}

TEST(EditedModel, HiddenLockedAndDeletedRowsAreLeftAlone) {
  EditedModel edited(some_splats(5));
  edited.select(mask_of(5, {0}), SelectMode::kSet);
  EXPECT_EQ(edited.hide_selected(), 1u);
  edited.select(mask_of(5, {1}), SelectMode::kSet);
  EXPECT_EQ(edited.lock_selected(), 1u);
  edited.select(mask_of(5, {2}), SelectMode::kSet);
  EXPECT_EQ(edited.delete_selected(), 1u);
  EXPECT_EQ(edited.count(kSelected), 0u);
  EXPECT_EQ(edited.select_all(), 2u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{3, 4}));
  edited.invert_selection();
  EXPECT_EQ(edited.count(kSelected), 0u);
  edited.unhide_all(), edited.unlock_all(), edited.restore_deleted();
  EXPECT_EQ(edited.select_all(), 5u);
  EXPECT_FALSE(edited.changed());
}

TEST(EditedModel, SavedWithoutEditsIsWhatWasOpened) {
  const Gaussians opened = some_splats(40);
  EditedModel edited(opened);
  edited.select(mask_of(40, {3, 4}), SelectMode::kSet);
  edited.hide_selected();
  EXPECT_FALSE(edited.changed());
  expect_identical(edited.saved(), opened);
}

TEST(EditedModel, DeletedRowsAreMissingOnlyWhereItIsSaved) {
  const Gaussians opened = some_splats(10);
  EditedModel edited(opened);
  edited.select(mask_of(10, {0, 7}), SelectMode::kSet);
  edited.delete_selected();
  EXPECT_TRUE(edited.changed());
  EXPECT_EQ(edited.model().size(), 10u);
  expect_identical(edited.saved(), gather_rows(opened, std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 8, 9}));
  EXPECT_EQ(edited.undo()->name, "delete");
  expect_identical(edited.saved(), opened);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{0, 7})) << "the selection comes back too";
}

TEST(EditedModel, PartsMoveAndTurnAsWholeModelsDo) {
  ThreadPool pool(1);
  const Gaussians opened = some_splats(9);
  const Similarity by{1.5, quat_about({1, 2, 3}, 40), {1, -2, 0.5}};
  Gaussians moved = opened;
  transform(moved, by, pool);
  EditedModel edited(opened);
  edited.select(mask_of(9, {2, 5}), SelectMode::kSet);
  EXPECT_EQ(edited.move_selected(by), 2u);
  for (uint32_t row = 0; row < 9; ++row)
    expect_identical(gather_rows(edited.saved(), std::span(&row, 1)),
                     gather_rows(row == 2 || row == 5 ? moved : opened, std::span(&row, 1)));
  edited.undo();
  expect_identical(edited.saved(), opened);
  edited.redo();
  EXPECT_EQ(edited.moved_rows(), 2u);
  const EditedState then = edited.state();
  edited.undo();
  EXPECT_EQ(edited.moved_rows(), 0u);
  EXPECT_EQ(edited.moved_rows(&then), 2u);
  edited.move_selected({2.0});
  EXPECT_EQ(edited.moved_rows(&then), 2u) << "another move in the place of that one";
  edited.undo();
  edited.move_selected(by);
  EXPECT_EQ(edited.moved_rows(&then), 0u);
  edited.move_selected(by);  // a second move goes on from the first
  Gaussians twice = opened;
  transform(twice, by * by, pool);
  const uint32_t row = 5;
  expect_identical(gather_rows(edited.saved(), std::span(&row, 1)), gather_rows(twice, std::span(&row, 1)));
}

TEST(EditedModel, CopiesComeLastAndAreSelected) {
  const Gaussians opened = some_splats(4);
  EditedModel edited(opened);
  edited.select(mask_of(4, {1, 3}), SelectMode::kSet);
  EXPECT_EQ(edited.duplicate_selected(), 2u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{4, 5}));
  expect_identical(edited.saved(), gather_rows(opened, std::vector<uint32_t>{0, 1, 2, 3, 1, 3}));
  edited.undo();
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{1, 3}));
  expect_identical(edited.saved(), opened);
}

TEST(EditedModel, SeparatedRowsAreAnObject) {
  const Gaussians opened = some_splats(4);
  EditedModel edited(opened);
  edited.select(mask_of(4, {1, 3}), SelectMode::kSet);
  EXPECT_EQ(edited.separate_selected(), 2u);
  EXPECT_EQ(edited.object_count(), 2u);
  expect_identical(edited.saved(1), gather_rows(opened, std::vector<uint32_t>{1, 3}));
  expect_identical(edited.saved(0), gather_rows(opened, std::vector<uint32_t>{0, 2}));
  edited.undo();
  EXPECT_EQ(edited.object_count(), 1u);
  EXPECT_EQ(edited.saved(0).size(), 4u);
}

// Splats along a line, one unit apart.
TEST(EditedModel, GrowsAndShrinksByDistance) {
  Gaussians line = some_splats(9);
  for (size_t row = 0; row < 9; ++row)
    line.means[3 * row] = float(row), line.means[3 * row + 1] = line.means[3 * row + 2] = -7.5f;
  line.means[3 * 8] = std::numeric_limits<float>::quiet_NaN();
  EditedModel edited(line);
  edited.select(mask_of(9, {3}), SelectMode::kSet);
  EXPECT_EQ(edited.grow_selection(1.01), 2u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{2, 3, 4}));
  edited.grow_selection(2.5);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(edited.shrink_selection(1.01), 1u);
  EXPECT_EQ(rows_with(edited, kSelected), (Rows{0, 1, 2, 3, 4, 5}));
}

TEST(EditedModel, NothingChangedIsNoStep) {
  EditedModel edited(some_splats(3));
  EXPECT_EQ(edited.select_none(), 0u);
  EXPECT_EQ(edited.delete_selected(), 0u);
  EXPECT_EQ(edited.move_selected({2.0}), 0u);
  EXPECT_EQ(edited.duplicate_selected(), 0u);
  edited.select_all();
  EXPECT_EQ(edited.move_selected({}), 0u);
  EXPECT_EQ(edited.select_all(), 0u);
  edited.undo();
  EXPECT_EQ(edited.undo(), nullptr);
  EXPECT_NE(edited.redo(), nullptr);
  EXPECT_EQ(edited.redo(), nullptr);
}

TEST(EditedModel, ANewStepComesInPlaceOfWhatCouldBeRedone) {
  EditedModel edited(some_splats(3));
  edited.select_all();
  edited.delete_selected();
  edited.undo();
  edited.hide_selected();
  EXPECT_EQ(edited.redo(), nullptr);
  EXPECT_EQ(edited.count(kHidden), 3u);
  EXPECT_EQ(edited.count(kDeleted), 0u);
}

TEST(EditedModel, OldStepsGoWhenMemoryIsShortAndAreCounted) {
  EditedModel edited(some_splats(200), 2500);
  std::vector<uint8_t> every_other(200);
  for (size_t row = 0; row < 200; row += 2) every_other[row] = 1;
  for (int i = 0; i < 5; ++i) {
    edited.select(every_other, SelectMode::kSet);
    edited.invert_selection();
  }
  EXPECT_LE(edited.history().bytes(), 2500u);
  EXPECT_GT(edited.history().forgotten(), 0u);
  int undone = 0;
  while (edited.undo()) ++undone;
  EXPECT_GE(undone, 1);
  EXPECT_EQ(undone + int(edited.history().forgotten()), 10);
}

TEST(EditedModel, StatesThatWereKeptComeBackInOneStep) {
  EditedModel edited(some_splats(4), size_t(1) << 20, 1);
  const std::vector<uint8_t> kept{kDeleted, kSelected, kHidden | kLocked, 0};
  EXPECT_EQ(edited.restore({.states = kept, .copies = {}, .objects = {}, .placements = {}, .moves = {{}}}), 3u);
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), edited.states().begin()));
  edited.undo();
  EXPECT_EQ(edited.count(kDeleted) + edited.count(kSelected) + edited.count(kHidden), 0u);
  EXPECT_EQ(edited.undo(), nullptr);
}

TEST(EditedState, NumbersThatDoNotFitTogetherAreFound) {
  const EditedState good{{0, 4, 1}, {1}, {0, 0, 1}, {0, 0, 1}, {{}, {2.0}}};
  EXPECT_TRUE(is_consistent(good));
  const auto with = [&](auto change) {
    EditedState bad = good;
    change(bad);
    return is_consistent(bad);
  };
  EXPECT_FALSE(with([](EditedState& s) { s.copies = {2}; })) << "a copy of a copy";
  EXPECT_FALSE(with([](EditedState& s) { s.copies = {0, 0, 0, 0}; }));
  EXPECT_FALSE(with([](EditedState& s) { s.objects.pop_back(); }));
  EXPECT_FALSE(with([](EditedState& s) { s.objects[0] = 1000; }));
  EXPECT_FALSE(with([](EditedState& s) { s.placements.push_back(0); }));
  EXPECT_FALSE(with([](EditedState& s) { s.placements[0] = 2; }));
  EXPECT_FALSE(with([](EditedState& s) { s.moves.clear(); }));
  EXPECT_FALSE(with([](EditedState& s) { s.moves[0].scale = 2; }));
}

TEST(EditedState, CopiesThatWereSavedAndUndoneAreDeletedInTheNewFile) {
  const Gaussians opened = some_splats(4);
  EditedModel edited(opened);
  edited.select(mask_of(4, {1, 3}), SelectMode::kSet);
  edited.duplicate_selected();
  const EditedState saved = edited.state();
  const Gaussians file = edited.saved();
  edited.undo();
  EditedModel again(file);
  again.restore(relative_to_saved(edited.state(), saved));
  EXPECT_EQ(rows_with(again, kSelected), (Rows{1, 3}));
  EXPECT_EQ(rows_with(again, kDeleted), (Rows{4, 5}));
  expect_identical(again.saved(), opened);
}

TEST(PartSizes, CountsWhatHangsTogether) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> means{0,  0,     0,  1.5f, 0.5f,  -0.9f, 2.5f, 1,   0, 50, 50,
                                 50, 50.5f, 50, 50,   -1e9f, 0,     0,    nan, 0, 0};
  EXPECT_EQ(part_sizes(means, 1.0), (std::vector<uint32_t>{3, 3, 3, 2, 2, 1, 0}));
  EXPECT_EQ(parts_of(means, 1.0), (std::vector<uint32_t>{0, 0, 0, 1, 1, 2, kNoPart}));
}

}  // namespace
}  // namespace splat::edit
