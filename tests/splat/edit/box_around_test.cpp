// Boxes around rows, and the two steps that a box takes by itself.
#include "splat/edit/box_around.h"

#include <gtest/gtest.h>

#include <limits>

#include "splat/edit/edited_model.h"
#include "splat/edit/selectors.h"

namespace splat::edit {
namespace {

// Along x from 0 to 100, one of them far out and one that lies nowhere.
Gaussians line() {
  Gaussians model;
  model.resize(103);
  for (size_t row = 0; row < 101; ++row) model.means[3 * row] = float(row), model.means[3 * row + 1] = 2;
  model.means[3 * 101] = 1e6f;
  model.means[3 * 102] = std::numeric_limits<float>::quiet_NaN();
  for (size_t row = 0; row < model.size(); ++row) model.quats[4 * row] = 1;
  return model;
}

TEST(BoxAround, AllTheMiddleAndTheSelected) {
  const Gaussians model = line();
  std::vector<uint8_t> states(model.size());
  const auto all = box_around(model, states, BoxRows::kAll, {1, 0, 0, 0});
  ASSERT_TRUE(all);
  EXPECT_TRUE(is_usable(*all)) << "a line has no height of its own";
  EXPECT_TRUE(all->contains({0, 2, 0}) && all->contains({1e6, 0, 0}));
  const auto middle = box_around(model, states, BoxRows::kMiddle, {1, 0, 0, 0});
  ASSERT_TRUE(middle);
  EXPECT_NEAR(middle->low[0], 5, 1e-3);
  EXPECT_NEAR(middle->high[0], 96, 1e-3);
  EXPECT_FALSE(box_around(model, states, BoxRows::kSelected, {1, 0, 0, 0}));
  states[10] = states[20] = kSelected;
  const auto selected = box_around(model, states, BoxRows::kSelected, {1, 0, 0, 0});
  ASSERT_TRUE(selected);
  EXPECT_NEAR(selected->low[0], 10, 1e-6);
  EXPECT_NEAR(selected->high[0], 20, 1e-6);
  states[101] = kDeleted, states[0] = kHidden;
  const auto shown = box_around(model, states, BoxRows::kAll, {1, 0, 0, 0});
  EXPECT_NEAR(shown->low[0], 1, 1e-6);
  EXPECT_NEAR(shown->high[0], 100, 1e-6);
}

TEST(BoxAround, ATurnedOneHoldsThemToo) {
  const Gaussians model = line();
  const std::vector<uint8_t> states(model.size());
  ThreadPool pool(2);
  const auto turned = box_around(model, states, BoxRows::kAll, quat_about({1, 2, 3}, 33));
  ASSERT_TRUE(turned && turned->turned());
  const RowMask inside = rows_in_box(model, *turned, pool);
  for (size_t row = 0; row < 102; ++row) EXPECT_EQ(inside[row], 1) << row;
}

TEST(EditedModel, DeletesAndShowsByMaskInOneStep) {
  EditedModel edited(line(), size_t(1) << 20, 1);
  RowMask first(edited.states().size());
  for (size_t row = 0; row < 50; ++row) first[row] = 1;
  edited.select(first, SelectMode::kSet);
  EXPECT_EQ(edited.show_only(first), 53u);
  EXPECT_EQ(edited.count(kHidden), 53u);
  EXPECT_EQ(edited.count(kSelected), 50u);
  EXPECT_EQ(edited.delete_rows(first), 50u);
  EXPECT_EQ(edited.count(kSelected), 0u);
  EXPECT_EQ(edited.saved().size(), 53u) << "what is hidden is saved";
  for (uint8_t& row : first) row = !row;
  EXPECT_EQ(edited.show_only(first), 53u);
  EXPECT_EQ(edited.count(kHidden), 0u) << "deleted rows are not hidden besides";
  edited.undo(), edited.undo(), edited.undo();
  EXPECT_EQ(edited.count(kHidden), 0u);
  EXPECT_EQ(edited.count(kDeleted), 0u);
  EXPECT_EQ(edited.count(kSelected), 50u);
  edited.lock_selected();
  EXPECT_EQ(edited.delete_rows(RowMask(edited.states().size(), 1)), 53u) << "locked ones stay";
}

}  // namespace
}  // namespace splat::edit
