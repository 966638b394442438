// Points on two objects, and what they become.
#include "studio/edit/align_tool.h"

#include <gtest/gtest.h>

namespace studio {
namespace {

std::vector<SceneObject> objects(std::initializer_list<size_t> rows) {
  std::vector<SceneObject> made;
  for (const size_t count : rows) made.push_back({{}, count});
  return made;
}

EditedScene answer(uint64_t revision, const EditWants& wants = {}) {
  EditedScene scene;
  scene.revision = revision;
  scene.wants = wants;
  return scene;
}

EditWants marking(uint32_t object) {
  EditWants wants;
  wants.marked = object;
  return wants;
}

// Three of a thing that stands a unit to the right of where it belongs.
AlignTool with_three_pairs() {
  AlignTool align;
  EXPECT_TRUE(align.choose(objects({5, 5}), {}));
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 2, 0}}) {
    align.add(1, {p.x + 1, p.y, p.z});
    align.add(0, p);
  }
  return align;
}

TEST(AlignTool, ChoosesTwoObjectsThatAreThere) {
  AlignTool align;
  EXPECT_FALSE(align.choose(objects({5}), {}));
  EXPECT_FALSE(align.choose(objects({5, 0}), {})) << "it has no splats";
  EXPECT_TRUE(align.choose(objects({5, 0, 3}), {}));
  EXPECT_EQ(align.moving, 2u);
  EXPECT_EQ(align.onto, 0u);
  align.moving = align.onto = 0;
  EXPECT_TRUE(align.choose(objects({5, 4, 3}), 1));
  EXPECT_EQ(align.moving, 1u);
  EXPECT_EQ(align.onto, 0u);
}

TEST(AlignTool, PointsLieOnTheOneAndTheOtherInTurn) {
  AlignTool align;
  align.choose(objects({5, 5}), {});
  EXPECT_EQ(align.next_object(), 1u);
  align.add(0, {9, 9, 9});
  EXPECT_TRUE(align.empty()) << "not on the one that moves";
  align.add(1, {1, 2, 3});
  EXPECT_EQ(align.next_object(), 0u);
  align.add(1, {1, 2, 4});
  ASSERT_TRUE(align.first());
  EXPECT_EQ(align.first()->z, 4) << "another place for the same point";
  align.add(0, {5, 6, 7});
  ASSERT_EQ(align.pairs().size(), 1u);
  EXPECT_EQ(align.pairs()[0].from[2], 4);
  EXPECT_EQ(align.pairs()[0].to[2], 7);
  EXPECT_FALSE(align.fit().ok());
  align.add(1, {0, 0, 0});
  align.remove_last();
  EXPECT_FALSE(align.first());
  align.remove_last();
  EXPECT_TRUE(align.empty());
}

TEST(AlignTool, ThreePairsSayHowItMoves) {
  AlignTool align = with_three_pairs();
  ASSERT_TRUE(align.fit().ok());
  EXPECT_LT(align.fit()->rms, 1e-12);
  const splat::edit::MoveObject step = align.accept();
  EXPECT_EQ(step.object, 1u);
  EXPECT_NEAR(step.value.translation[0], -1, 1e-12);
}

TEST(AlignTool, ARefinedMotionComesInPlaceOfThatOfThePairs) {
  AlignTool align = with_three_pairs();
  align.answered(answer(1));
  align = with_three_pairs();
  align.answered(answer(0));
  const EditRequest request = align.refine();
  EXPECT_FALSE(request.step) << "which changes nothing";
  ASSERT_TRUE(request.wants.refined);
  EXPECT_EQ(request.wants.refined->object, 1u);
  EXPECT_EQ(request.wants.refined->onto, 0u);
  EXPECT_NEAR(request.wants.refined->from.translation[0], -1, 1e-12) << "from where the pairs lay it";
  EXPECT_EQ(request.wants.marked, 1u) << "it is to be shown";
  EXPECT_TRUE(align.waiting());
  EditedScene found = answer(0, request.wants);
  found.refined = Refined{{1, {1, 0, 0, 0}, {-0.9, 0, 0}}, 0.1, 0.1, 0.8, 5, 0};
  align.answered(found);
  EXPECT_FALSE(align.waiting());
  EXPECT_EQ(align.accept().value.translation[0], -0.9);
  EXPECT_EQ(align.shown().by.translation[0], -0.9);
  EXPECT_FALSE(align.doubtful()) << "pairs led there";
  align.answered(answer(1));
  EXPECT_TRUE(align.empty()) << "the rows have moved";
  EXPECT_FALSE(align.shown().moves()) << "not twice";
  EXPECT_FALSE(align.refined());
}

TEST(AlignTool, WhatWasRefinedWithoutPairsIsDoubtedUnlessAllOfItFitsFarBetter) {
  const auto doubted = [](double rms, double before, double share) {
    AlignTool align;
    EXPECT_TRUE(align.choose(objects({5, 5}), {}));
    EditedScene found = answer(0, align.refine().wants);
    EXPECT_FALSE(align.doubtful()) << "nothing is there yet";
    found.refined = Refined{{}, rms, before, share, 5, 0};
    align.answered(found);
    return align.doubtful();
  };
  EXPECT_FALSE(doubted(0.01, 0.1, 0.97));
  EXPECT_TRUE(doubted(0.01, 0.1, 0.78));
  EXPECT_TRUE(doubted(0.01, 0.011, 0.97));
}

TEST(AlignTool, IsShownWhereItWouldLieUntilSomethingElseIsDone) {
  AlignTool align = with_three_pairs();
  align.answered(answer(0, marking(1)));
  EXPECT_FALSE(align.shown().moves()) << "nobody has asked for it";
  const auto shown = [&] {
    const EditRequest request = align.show();
    EXPECT_FALSE(request.step) << "which changes nothing";
    EXPECT_FALSE(align.shown().moves()) << "its rows are not marked yet";
    align.answered(answer(0, request.wants));
    return align.shown();
  };
  const ShownMove move = shown();
  EXPECT_TRUE(move.object == 1u);
  EXPECT_NEAR(move.by.translation[0], -1, 1e-12);
  align.cancel();
  EXPECT_FALSE(align.shown().moves());
  EXPECT_EQ(align.pairs().size(), 3u) << "they are as they were";
  EXPECT_TRUE(shown().moves());
  EditedScene other = answer(0, marking(1));
  other.stepped = true;
  align.answered(other);
  EXPECT_FALSE(align.shown().moves());
  EXPECT_TRUE(shown().moves());
  align.set_with_scale(true);
  EXPECT_FALSE(align.shown().moves()) << "it would lie elsewhere";
  EXPECT_TRUE(shown().moves());
  align.remove_last();
  EXPECT_FALSE(align.shown().moves()) << "two pairs are too few";
  EXPECT_FALSE(shown().moves());
}

// Rows of the next revision have come before its states.
TEST(AlignTool, WhatIsTakenIsNotShownMovedTwice) {
  AlignTool align = with_three_pairs();
  align.answered(answer(0, align.show().wants));
  align.rows_changed(0);
  EXPECT_TRUE(align.shown().moves());
  align.rows_changed(1);
  EXPECT_FALSE(align.shown().moves());
}

TEST(AlignTool, WhatCouldNotBeRefinedIsNotWaitedFor) {
  AlignTool align = with_three_pairs();
  align.answered(answer(0, align.refine().wants));
  EXPECT_FALSE(align.shown().moves());
  EXPECT_FALSE(align.waiting());
  EXPECT_FALSE(align.refined());
}

}  // namespace
}  // namespace studio
