// --minutes, with a clock of the test's own.
#include "app/jobs/training/time_limit.h"

#include <gtest/gtest.h>

namespace app {
namespace {

using Clock = TimeLimit::Clock;

Clock::time_point at(double seconds) {
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
}

TEST(TimeLimit, AsManyIterationsAsThereIsTimeForAtTheLatestPace) {
  TimeLimit limit(1, {}, 10);
  limit.begin(at(100));  // of the minute ten seconds are over
  EXPECT_FALSE(limit.follow(10, false, at(100.2))) << "the schedules are not stretched all the time";
  const auto first = limit.follow(100, false, at(110));  // ten in a second, 40 s to go
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->iterations, 500, 1);
  const auto slower = limit.follow(150, false, at(130));  // five in two seconds, 20 s to go
  ASSERT_TRUE(slower);
  EXPECT_NEAR(slower->iterations, 200, 1);
}

TEST(TimeLimit, EndsTheRunWhenTimeIsUpAndNotBefore) {
  TimeLimit limit(1, {}, 0);
  limit.begin(at(0));
  const auto early = limit.follow(100, true, at(30));
  ASSERT_TRUE(early) << "half of the time is left";
  EXPECT_GT(early->iterations, 100);
  const auto over = limit.follow(120, false, at(60));
  ASSERT_TRUE(over);
  EXPECT_EQ(over->iterations, 120);
}

TEST(TimeLimit, GuessesNoMoreThanWasAskedFor) {
  EXPECT_EQ(TimeLimit::first_guess(1, 30000), 6000);
  EXPECT_EQ(TimeLimit::first_guess(10, 30000), 30000);
  EXPECT_EQ(TimeLimit::first_guess(1e-6, 30000), 1);
}

}  // namespace
}  // namespace app
