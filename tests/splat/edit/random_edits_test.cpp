// Random sequences of everything that can be done to a model: back and forth, kept and restored, read in parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/edit/edited_model.h"
#include "splat/model/gaussian_rows.h"
#include "tests/support/identical.h"
#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::edit {
namespace {

using test::expect_identical;
using test::RandomValues;

Gaussians splats_at_random(int count) { return test::make_scene({.splats = count}).model; }

struct Snapshot {
  Gaussians model, saved;
  std::vector<uint8_t> states;
  std::vector<uint32_t> objects;
  std::vector<Object> list;
  Similarity placed;
};
Snapshot snapshot(const EditedModel& edited) {
  return {edited.model(),
          edited.saved(),
          {edited.states().begin(), edited.states().end()},
          {edited.objects().begin(), edited.objects().end()},
          edited.list(),
          edited.placed()};
}
void expect_same(const Snapshot& a, const Snapshot& b) {
  expect_identical(a.model, b.model);
  expect_identical(a.saved, b.saved);
  EXPECT_EQ(a.states, b.states);
  EXPECT_EQ(a.objects, b.objects);
  EXPECT_EQ(a.list, b.list);
  EXPECT_TRUE(a.placed == b.placed);
}

Similarity random_move(RandomValues& random) {
  const double angle = 180 * random.uniform(0, 1);
  return {0.5 + random.uniform(0, 1),
          quat_about({random.normal(), random.normal(), 1}, angle),
          {random.normal(), random.normal(), random.normal()}};
}

// As a file would hold it; the number is its path.
Gaussians random_file(const std::string& path) {
  const uint64_t number = std::stoull(path);
  return test::make_scene({.seed = number, .splats = int(3 + number % 11), .sh_degree = int(number % 4)}).model;
}

// What the list of objects offers, on one of the newer ones.
void random_object_operation(EditedModel& edited, RandomValues& random) {
  const uint32_t count = edited.object_count(), newest = std::min<uint32_t>(count, 8);
  const uint32_t object = count - 1 - random.below(newest);
  const Object is = edited.list()[object];
  switch (random.below(8)) {
    case 0:
      edited.rename_object(object, "object " + std::to_string(random.below(100)));
      break;
    case 1:
    case 2:
      edited.show_object(object, !is.visible);
      if (random.below(4) > 0) edited.show_object(object, true);
      break;
    case 3:
    case 4:
      edited.lock_object(object, !is.locked);
      if (random.below(4) > 0) edited.lock_object(object, false);
      break;
    case 5:
      edited.move_object(object, random_move(random));
      break;
    case 6:
      edited.place_object(object, random.below(3) == 0 ? Similarity() : random_move(random));
      break;
    default:
      if (edited.model().size() > 400) return;
      const std::string path = std::to_string(1 + random.below(1000));
      edited.add(random_file(path), {path, "", 0, 0}, "file " + path);
  }
}

void random_operation(EditedModel& edited, RandomValues& random) {
  const size_t rows = edited.states().size();
  const auto chance = [&](double p) { return random.uniform(0, 1) < p; };
  std::vector<uint8_t> mask(rows);
  const double share = random.uniform(0, 1);
  for (uint8_t& value : mask) value = chance(share * share);
  switch (int(random.uniform(0, 1) * 20)) {
    case 0:
    case 1:
      edited.select(mask, SelectMode::kSet);
      break;
    case 2:
      edited.select(mask, SelectMode::kAdd);
      break;
    case 3:
      edited.select(mask, SelectMode::kRemove);
      break;
    case 4:
      edited.select(mask, SelectMode::kIntersect);
      break;
    case 5:
      edited.invert_selection();
      break;
    case 6:
      edited.grow_selection(0.05 + random.uniform(0, 1));
      break;
    case 7:
      edited.shrink_selection(0.05 + random.uniform(0, 1));
      break;
    case 8:
      edited.hide_selected();
      break;
    case 9:
      chance(0.5) ? edited.unhide_all() : edited.unlock_all();
      break;
    case 10:
      edited.lock_selected();
      break;
    case 11:
      edited.delete_selected();
      break;
    case 12:
      edited.restore_deleted();
      break;
    case 13:
      chance(0.2) ? edited.move_all(random_move(random)) : edited.move_selected(random_move(random));
      break;
    case 14:
      if (edited.count(kSelected) + rows < 300) edited.duplicate_selected();
      break;
    case 15:
      edited.separate_selected();
      break;
    default:
      random_object_operation(edited, random);
  }
}

std::vector<Gaussians> files_of(const EditedState& kept) {
  std::vector<Gaussians> files;
  for (const AddedFile& file : kept.added) files.push_back(random_file(file.path));
  return files;
}

// What is kept of the edits makes, of the rows that were opened, the same model in one step.
void expect_restorable(const Gaussians& opened, const EditedModel& edited) {
  const EditedState kept = edited.state();
  ASSERT_TRUE(is_consistent(kept));
  EditedModel again(opened, size_t(1) << 30, 1);
  const Snapshot first = snapshot(again);
  again.restore(kept, files_of(kept));
  expect_same(snapshot(again), snapshot(edited));
  EXPECT_EQ(again.moved_rows(&kept), 0u);
  const EditedState same = again.state();
  EXPECT_EQ(edited.moved_rows(&same), 0u);
  again.undo();
  expect_same(snapshot(again), first);
}

// Back and forth on the way, then all the way back, all the way forth, and back again.
TEST(EditedModel, TenThousandRandomOperationsUndoneAndRedoneEndInTheSameBytes) {
  RandomValues random(4711);
  const Gaussians opened = with_sh_degree(splats_at_random(120), 1);  // files of other degrees are added
  EditedModel edited(opened, size_t(1) << 30, 2);
  const Snapshot first = snapshot(edited);
  for (int i = 0; i < 10000; ++i) {
    random_operation(edited, random);
    if (i % 97 != 0) continue;
    const Snapshot here = snapshot(edited);
    const int back = int(random.uniform(0, 1) * 12);
    int undone = 0;
    while (undone < back && edited.undo()) ++undone;
    for (int k = 0; k < undone; ++k) ASSERT_NE(edited.redo(), nullptr);
    expect_same(snapshot(edited), here);
    expect_restorable(opened, edited);
    if (testing::Test::HasFailure()) FAIL() << "after operation " << i;
    for (int k = 0; k < undone / 2; ++k) edited.undo();  // what comes next takes another way
  }
  const Snapshot last = snapshot(edited);
  EXPECT_GT(last.model.size(), 150u);
  int steps = 0;
  while (edited.undo()) ++steps;
  EXPECT_GT(steps, 4000) << "operations that change nothing are no steps";
  EXPECT_EQ(edited.history().forgotten(), 0u);
  expect_same(snapshot(edited), first);
  while (edited.redo()) {
  }
  expect_same(snapshot(edited), last);
  while (edited.undo()) {
  }
  expect_same(snapshot(edited), first);
}

// As a reader of changed_rows() keeps it: the rows it was given, and what it had of the others.
TEST(EditedModel, ChangedRowsAreAllThatAReaderNeeds) {
  RandomValues random(99);
  EditedModel edited(splats_at_random(700), size_t(1) << 30, 1);
  Gaussians kept = edited.model();
  size_t rows_read = 0, steps = 0;
  for (int i = 0; i < 400; ++i) {
    if (i % 7 == 6)
      edited.undo();
    else
      random_operation(edited, random);
    kept.resize(edited.model().size());
    for (const RowRun& run : edited.changed_rows()) {
      for (uint32_t row = run.begin; row < run.end; ++row) {
        const Gaussians one = gather_rows(edited.model(), std::span(&row, 1));
        std::copy(one.means.begin(), one.means.end(), kept.means.begin() + 3 * row);
        std::copy(one.log_scales.begin(), one.log_scales.end(), kept.log_scales.begin() + 3 * row);
        std::copy(one.quats.begin(), one.quats.end(), kept.quats.begin() + 4 * row);
        kept.logit_opacities[row] = one.logit_opacities[0];
        std::copy(one.sh.begin(), one.sh.end(), kept.sh.begin() + std::ptrdiff_t(row * one.sh.size()));
      }
      rows_read += run.end - run.begin, ++steps;
    }
    edited.forget_changes();
    expect_identical(kept, edited.model());
    if (testing::Test::HasFailure()) FAIL() << "after operation " << i;
  }
  EXPECT_GT(steps, 0u);
  EXPECT_LT(rows_read, 400u * 350u) << "selections alone change no rows";
}

double largest_difference(const Gaussians& a, const Gaussians& b) {
  double most = 0;
  for (size_t i = 0; i < a.means.size(); ++i) most = std::max(most, std::abs(double(a.means[i]) - double(b.means[i])));
  for (size_t i = 0; i < a.sh.size(); ++i) most = std::max(most, std::abs(double(a.sh[i]) - double(b.sh[i])));
  for (size_t i = 0; i < a.log_scales.size(); ++i)
    most = std::max(most, std::abs(double(a.log_scales[i]) - double(b.log_scales[i])));
  return most;
}

// The opened file is replaced by what is left; further edits are kept for that file.
TEST(EditedState, EditsAfterSavingOverTheFileFitTheNewFile) {
  RandomValues random(31);
  int compared = 0;
  for (int round = 0; round < 40; ++round) {
    EditedModel edited(splats_at_random(60), size_t(1) << 30, 1);
    for (int i = 0; i < 30; ++i) random_operation(edited, random);
    const EditedState saved = edited.state();
    const Gaussians file = edited.saved();
    for (int i = 0; i < 20; ++i) random_operation(edited, random);
    const EditedState kept = relative_to_saved(edited.state(), saved);
    ASSERT_TRUE(is_consistent(kept));
    ASSERT_EQ(kept.rows_of_file(), file.size());
    // Rows that the file lacks cannot come back from it.
    bool lacks = false;
    for (size_t row = 0; row < saved.states.size(); ++row)
      lacks |= (saved.states[row] & kDeleted) && !(edited.states()[row] & kDeleted);
    if (lacks) continue;
    EditedModel again(file, size_t(1) << 30, 1);
    again.restore(kept, files_of(kept));
    // The file may have a higher degree than those have that its rows are from.
    const Gaussians now = with_sh_degree(edited.saved(), kMaxShDegree),
                    then = with_sh_degree(again.saved(), kMaxShDegree);
    ASSERT_EQ(now.size(), then.size());
    EXPECT_LT(largest_difference(now, then), 2e-3) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace
}  // namespace splat::edit
