// What the window is given of rows that editing changed: with it the window has the edited model.
#include "viewer/draw/changed_rows.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_scene.h"
#include "viewer/draw/depth_order.h"

namespace viewer {
namespace {

using splat::edit::SelectMode;

class AWindow {
 public:
  explicit AWindow(const splat::Gaussians& opened)
      : edited_(opened), packed_(pack_splats(opened, pool_)), centres_radii_(centres_and_radii(opened, pool_)) {}

  splat::edit::EditedModel& edited() { return edited_; }
  void select(size_t first, size_t end) {
    std::vector<uint8_t> mask(edited_.states().size());
    std::fill(mask.begin() + std::ptrdiff_t(first), mask.begin() + std::ptrdiff_t(end), uint8_t(1));
    edited_.select(mask, SelectMode::kSet);
  }
  ChangedRows take() {
    ChangedRows changed = changed_rows_of(edited_, pool_);
    write_changed_rows(changed, packed_, centres_radii_);
    edited_.forget_changes();
    return changed;
  }
  void expect_current() {
    const PackedSplats now = pack_splats(edited_.model(), pool_);
    EXPECT_EQ(packed_.count, now.count);
    EXPECT_EQ(packed_.geometry, now.geometry);
    EXPECT_EQ(packed_.rotation, now.rotation);
    EXPECT_EQ(packed_.colours, now.colours);
    EXPECT_EQ(centres_radii_, centres_and_radii(edited_.model(), pool_));
  }

 private:
  splat::ThreadPool pool_{1};
  splat::edit::EditedModel edited_;
  PackedSplats packed_;
  std::vector<float> centres_radii_;
};

TEST(ChangedRows, AreTheCopiesThatCameAndNothingElse) {
  AWindow window(splat::test::make_scene({.seed = 3, .splats = 500}).model);
  window.select(10, 20);
  window.edited().duplicate_selected();
  const ChangedRows changed = window.take();
  EXPECT_EQ(changed.rows, 510u);
  EXPECT_EQ(changed.packed.count, 10u);
  window.expect_current();
}

TEST(ChangedRows, FollowMovesCopiesAndUndoing) {
  AWindow window(splat::test::make_scene({.seed = 4, .splats = 900}).model);
  window.select(100, 150);
  window.edited().move_selected({2, splat::quat_about({1, 1, 0}, 30), {1, 2, 3}});
  window.take();
  window.expect_current();
  window.select(140, 400);
  window.edited().duplicate_selected();
  window.edited().move_selected({0.5});
  window.take();
  window.expect_current();
  while (window.edited().undo()) {
  }
  EXPECT_EQ(window.take().rows, 900u);
  window.expect_current();
}

}  // namespace
}  // namespace viewer
