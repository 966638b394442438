#include "studio/window/left_alone.h"

#include <gtest/gtest.h>

namespace studio {
namespace {

TEST(LeftAlone, AsksOnceForEachChangeAfterAMoment) {
  LeftAlone<int> choices;
  EXPECT_FALSE(choices.due(9)) << "nothing was chosen";
  EXPECT_TRUE(choices.changes(1, 10));
  EXPECT_FALSE(choices.changes(1, 10.3));
  EXPECT_FALSE(choices.due(10.3));
  EXPECT_TRUE(choices.changes(2, 10.4));
  EXPECT_FALSE(choices.due(10.6)) << "a moment after the first change, not after the last";
  EXPECT_FALSE(choices.asked());
  EXPECT_TRUE(choices.due(11));
  EXPECT_TRUE(choices.asked());
  EXPECT_FALSE(choices.due(12));
  EXPECT_TRUE(choices.changes(1, 12)) << "an earlier choice again";
  EXPECT_TRUE(choices.due(13));
}

TEST(LeftAlone, WhatIsTakenIsNoChangeAndWhatIsClearedIsAskedAgain) {
  LeftAlone<int> choices;
  choices.changes(1, 0);
  EXPECT_TRUE(choices.due(1));
  choices.take(5);
  EXPECT_FALSE(choices.changes(5, 2));
  EXPECT_FALSE(choices.due(3));
  choices.clear();
  EXPECT_FALSE(choices.asked());
  EXPECT_TRUE(choices.changes(5, 4));
  EXPECT_TRUE(choices.due(5));
}

}  // namespace
}  // namespace studio
