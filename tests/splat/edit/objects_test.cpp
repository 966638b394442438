// Objects of an edited model: added files, names, visibility, locks and places, each undone to the byte.
#include <gtest/gtest.h>

#include "splat/edit/edited_model.h"
#include "splat/model/gaussian_rows.h"
#include "tests/support/identical.h"
#include "tests/support/synthetic_scene.h"

namespace splat::edit {
namespace {

using test::expect_identical;

Gaussians splats_of_degree(int count, int sh_degree, uint64_t seed) {
  return test::make_scene({.seed = seed, .splats = count, .sh_degree = sh_degree}).model;
}

AddedFile file_named(const char* path) { return {path, "content", 0, 0}; }

// A file of degree 1 with one of degree 3 added.
struct Objects : testing::Test {
  const Gaussians first = splats_of_degree(5, 1, 3), second = splats_of_degree(4, 3, 4);
  EditedModel edited{first, size_t(1) << 26, 2};

  void add() { EXPECT_EQ(edited.add(second, file_named("b.spz"), "b"), 4u); }
  std::vector<uint8_t> states() const { return {edited.states().begin(), edited.states().end()}; }
};

TEST_F(Objects, AnAddedFileComesLastAtTheHigherDegree) {
  add();
  EXPECT_EQ(edited.object_count(), 2u);
  EXPECT_EQ(edited.list()[1].name, "b");
  EXPECT_EQ(edited.model().sh_degree, 3);
  Gaussians all = with_sh_degree(first, 3);
  append_rows(second, all);
  expect_identical(edited.model(), all);
  expect_identical(edited.saved(), all);
  EXPECT_TRUE(edited.changed());
  EXPECT_STREQ(std::string(edited.undo()->name).c_str(), "add file");
  expect_identical(edited.model(), first);
  EXPECT_FALSE(edited.changed());
  edited.redo();
  expect_identical(edited.model(), all);
}

TEST_F(Objects, AReaderGetsNewRowsOrAllWhereTheDegreeIsAnother) {
  add();
  ASSERT_EQ(edited.changed_rows().size(), 1u);
  EXPECT_EQ(edited.changed_rows()[0].begin, 0u);
  EXPECT_EQ(edited.changed_rows()[0].end, 9u);
  edited.forget_changes();
  edited.add(second, file_named("c.spz"), "c");
  ASSERT_EQ(edited.changed_rows().size(), 1u);
  EXPECT_EQ(edited.changed_rows()[0].begin, 9u);
  edited.undo(), edited.undo();
  EXPECT_EQ(edited.changed_rows()[0].begin, 0u) << "of a lower degree again";
  EXPECT_EQ(edited.changed_rows()[0].end, 5u);
}

TEST_F(Objects, EachIsSavedApartAsItsFileWas) {
  add();
  expect_identical(edited.saved(0), first);
  expect_identical(edited.saved(1), second);
  std::vector<uint8_t> mask(9);
  std::fill(mask.begin() + 5, mask.end(), uint8_t(1));
  edited.select(mask, SelectMode::kSet);
  edited.delete_selected();
  expect_identical(edited.saved(), first);
}

TEST_F(Objects, AFileOfALowerDegreeIsRaised) {
  EditedModel scene(second, size_t(1) << 26, 1);
  scene.add(first, file_named("a.ply"), "a");
  Gaussians all = second;
  append_rows(with_sh_degree(first, 3), all);
  expect_identical(scene.saved(), all);
  expect_identical(scene.saved(1), first);
}

TEST_F(Objects, HiddenOnesAreNeitherShownNorSelectedAndSavedAllTheSame) {
  add();
  edited.select_all();
  EXPECT_EQ(edited.show_object(1, false), 4u);
  EXPECT_FALSE(edited.list()[1].visible);
  EXPECT_EQ(edited.count(kSelected), 5u) << "what is not seen is not selected";
  EXPECT_EQ(edited.count(kObjectHidden), 4u);
  edited.unhide_all();
  EXPECT_EQ(edited.count(kObjectHidden), 4u) << "its rows were not hidden one by one";
  edited.select_all();
  EXPECT_EQ(edited.count(kSelected), 5u);
  EXPECT_EQ(edited.saved().size(), 9u);
  EXPECT_EQ(edited.show_object(1, false), 0u);
  edited.show_object(1, true);
  EXPECT_EQ(edited.count(kObjectHidden), 0u);
}

TEST_F(Objects, LockedOnesAreNeitherSelectedMovedNorDeleted) {
  add();
  edited.select_all();
  EXPECT_EQ(edited.lock_object(1, true), 4u);
  EXPECT_EQ(edited.count(kSelected), 5u);
  edited.invert_selection();
  EXPECT_EQ(edited.count(kSelected), 0u);
  EXPECT_EQ(edited.move_object(1, {2.0}), 0u);
  EXPECT_EQ(edited.place_object(1, {2.0}), 0u);
  EXPECT_EQ(edited.move_all({2.0}), 5u);
  edited.select_all();
  EXPECT_EQ(edited.delete_selected(), 5u);
  EXPECT_EQ(edited.saved().size(), 4u);
  edited.unlock_all();
  EXPECT_EQ(edited.count(kObjectLocked), 4u);
  edited.lock_object(1, false);
  EXPECT_EQ(edited.move_object(1, {2.0}), 4u);
}

TEST_F(Objects, AreCalledWhatTheyAreNamed) {
  add();
  EXPECT_TRUE(edited.rename_object(1, "chair"));
  EXPECT_FALSE(edited.rename_object(1, "chair"));
  EXPECT_FALSE(edited.rename_object(1, ""));
  EXPECT_EQ(edited.undo()->name, "rename object");
  EXPECT_EQ(edited.list()[1].name, "b");
  edited.redo();
  EXPECT_EQ(edited.list()[1].name, "chair");
}

TEST_F(Objects, APlaceIsExactAndOneStep) {
  ThreadPool pool(1);
  add();
  const Similarity there{1.5, quat_about({1, 2, 3}, 40), {1, -2, 0.5}};
  EXPECT_EQ(edited.place_object(1, there), 4u);
  EXPECT_TRUE(edited.list()[1].placed == there);
  Gaussians placed = second;
  transform(placed, there, pool);
  expect_identical(edited.saved(1), placed);
  expect_identical(edited.saved(0), first);
  const Similarity elsewhere{0.25, quat_about({0, 1, 0}, 10), {7, 7, 7}};
  edited.place_object(1, elsewhere);
  Gaussians second_place = second;
  transform(second_place, elsewhere, pool);
  expect_identical(edited.saved(1), second_place);
  EXPECT_EQ(edited.place_object(1, {}), 4u);
  expect_identical(edited.saved(1), second);
  for (int i = 0; i < 3; ++i) edited.undo();
  EXPECT_TRUE(edited.list()[1].placed.is_identity());
  expect_identical(edited.saved(1), second);
}

TEST_F(Objects, MovingAllItsSplatsMovesTheObjectAndAPartOfThemDoesNot) {
  add();
  const Similarity by{1, {1, 0, 0, 0}, {1, 2, 3}};
  std::vector<uint8_t> mask(9);
  std::fill(mask.begin() + 5, mask.end(), uint8_t(1));
  edited.select(mask, SelectMode::kSet);
  edited.move_selected(by);
  EXPECT_TRUE(edited.list()[1].placed == by);
  EXPECT_TRUE(edited.list()[0].placed.is_identity());
  mask[8] = 0;
  edited.select(mask, SelectMode::kSet);
  edited.move_selected(by);
  EXPECT_TRUE(edited.list()[1].placed == by) << "one of them has stayed";
  edited.move_all(by);
  EXPECT_TRUE(edited.list()[0].placed == by);
  EXPECT_TRUE(edited.list()[1].placed == by * by);
}

TEST_F(Objects, TheSceneLiesWhereAllOfItWasMoved) {
  add();
  const Similarity twice{2, quat_about({0, 0, 1}, 30), {1, 2, 3}};
  edited.move_all(twice);
  EXPECT_TRUE(edited.placed() == twice);
  edited.move_object(1, {3});
  EXPECT_TRUE(edited.placed() == twice) << "a part";
  edited.select_all();
  edited.hide_selected();
  edited.move_all({5});
  EXPECT_DOUBLE_EQ(edited.placed().scale, 10) << "hidden or not";
  edited.lock_object(1, true);
  edited.move_all({7});
  EXPECT_DOUBLE_EQ(edited.placed().scale, 10) << "the locked one has stayed";
  for (int i = 0; i < 3; ++i) edited.undo();
  EXPECT_TRUE(edited.placed() == twice);
  edited.redo();
  EXPECT_DOUBLE_EQ(edited.placed().scale, 10);
  while (edited.undo()) {
  }
  EXPECT_TRUE(edited.placed().is_identity());
  edited.place_object(0, {4});
  EXPECT_EQ(edited.placed().scale, 4) << "there is nothing else";
}

// What is deleted does not stay behind.
TEST_F(Objects, WithoutTheOtherOneIsTheScene) {
  add();
  std::vector<uint8_t> mask(9, 1);
  std::fill(mask.begin(), mask.begin() + 5, uint8_t(0));
  edited.delete_rows(mask);
  edited.move_object(0, {2});
  EXPECT_EQ(edited.placed().scale, 2);
}

// In metres, which the file is written in, while edits go on in the scene's units.
TEST_F(Objects, EditsAfterSavingInOtherUnitsFitTheFile) {
  constexpr double kMetres = 0.25;
  edited.move_all({2, {1, 0, 0, 0}, {1, 0, 0}});
  const EditedState saved = in_other_units(edited.state(), kMetres);
  EXPECT_EQ(saved.placed.scale, 2 * kMetres);
  Gaussians file = edited.saved();
  ThreadPool pool(1);
  transform(file, {kMetres}, pool);
  for (const bool back : {false, true}) {
    if (back) {
      edited.undo(), edited.undo();
    } else {
      edited.move_all({3, quat_about({0, 1, 0}, 20), {0, 5, 0}});
    }
    const EditedState kept = relative_to_saved(edited.state(), saved);
    ASSERT_TRUE(is_consistent(kept));
    EditedModel again(file, size_t(1) << 26, 1);
    again.restore(kept);
    for (size_t i = 0; i < first.means.size(); ++i)
      EXPECT_NEAR(again.model().means[i], edited.model().means[i], 1e-4) << back;
    EXPECT_NEAR(again.placed().scale, edited.placed().scale / (2 * kMetres), 1e-12);
    EXPECT_NEAR(again.list()[0].placed.scale, again.placed().scale, 1e-12) << "the object lies there, too";
  }
}

TEST_F(Objects, APartLiesWhereItsWholeLies) {
  add();
  const Similarity by{2, {1, 0, 0, 0}, {1, 2, 3}};
  edited.move_object(1, by);
  std::vector<uint8_t> mask(9);
  mask[6] = mask[7] = 1;
  edited.select(mask, SelectMode::kSet);
  edited.separate_selected();
  EXPECT_EQ(edited.list()[2].name, "part 2");
  EXPECT_TRUE(edited.list()[2].placed == by);
  edited.place_object(2, {});
  expect_identical(edited.saved(2), gather_rows(second, std::vector<uint32_t>{1, 2}));
}

TEST_F(Objects, AnotherFileInThePlaceOfOneThatWasUndone) {
  add();
  edited.move_object(1, {2.0});
  edited.undo(), edited.undo();
  const Gaussians other = splats_of_degree(3, 2, 9);
  edited.add(other, file_named("c.ply"), "c");
  edited.move_object(1, {3.0});
  edited.place_object(1, {});
  expect_identical(edited.saved(1), other);
  const EditedState now = edited.state();
  ASSERT_EQ(now.added.size(), 1u);
  EXPECT_EQ(now.added[0].path, "c.ply");
  EXPECT_EQ(now.added[0].sh_degree, 2);
}

TEST_F(Objects, WhatIsKeptMakesTheSameSceneOfTheSameFiles) {
  add();
  edited.select_all();
  edited.duplicate_selected();
  edited.add(first, file_named("again.ply"), "again");
  edited.rename_object(0, "room");
  edited.place_object(2, {2, quat_about({0, 0, 1}, 90), {0, 1, 0}});
  edited.show_object(1, false), edited.lock_object(2, true);
  const EditedState kept = edited.state();
  ASSERT_TRUE(is_consistent(kept));
  EditedModel again(first, size_t(1) << 26, 1);
  again.restore(kept, {second, first});
  expect_identical(again.model(), edited.model());
  EXPECT_EQ(again.list(), edited.list());
  EXPECT_EQ(std::vector<uint8_t>(again.states().begin(), again.states().end()), states());
  EXPECT_EQ(again.undo()->name, "restore edits");
  expect_identical(again.model(), first);
  EXPECT_EQ(again.list(), std::vector<Object>(1));
}

// The merged scene is written over the opened file; a file that came later is still one of its own.
TEST_F(Objects, AfterSavingOverTheFileOnlyLaterFilesAreAdded) {
  add();
  edited.move_object(1, {2.0});
  const EditedState saved = edited.state();
  const Gaussians file = edited.saved();
  edited.move_object(1, {0.5});
  const EditedState moved = relative_to_saved(edited.state(), saved);
  EXPECT_TRUE(moved.added.empty()) << "the file holds it";
  EXPECT_EQ(moved.rows_of_file(), 9u);
  const Gaussians third = splats_of_degree(3, 0, 8);
  edited.add(third, file_named("c.ply"), "c");
  edited.move_object(2, {3.0});
  const EditedState kept = relative_to_saved(edited.state(), saved);
  ASSERT_TRUE(is_consistent(kept));
  ASSERT_EQ(kept.added.size(), 2u);
  EditedModel again(file, size_t(1) << 26, 1);
  again.restore(kept, {second, third});
  expect_identical(again.saved(2), edited.saved(2));
  EXPECT_EQ(again.saved().size(), 12u);
  EXPECT_EQ(again.list().size(), 3u);
  EXPECT_DOUBLE_EQ(again.list()[1].placed.scale, 0.5);
}

TEST_F(Objects, NumbersOfFilesAndObjectsThatAreNotThereAreFound) {
  add();
  EditedState bad = edited.state();
  ASSERT_TRUE(is_consistent(bad));
  bad.added[0].rows = 3;
  EXPECT_FALSE(is_consistent(bad)) << "a row that no file has";
  bad = edited.state();
  bad.list.pop_back();
  EXPECT_FALSE(is_consistent(bad)) << "an object that is not listed";
}

}  // namespace
}  // namespace splat::edit
