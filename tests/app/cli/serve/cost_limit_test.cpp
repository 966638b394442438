// A share of the time, and no more saved up than the reserve.
#include "app/cli/serve/cost_limit.h"

#include <gtest/gtest.h>

namespace app::test {
namespace {

using std::chrono::seconds;

TEST(CostLimit, AllowsAShareOfTheTimeAndTheReserve) {
  CostLimit limit(0.01, 0.5);
  CostLimit::Clock::time_point now{seconds(100)};
  EXPECT_TRUE(limit.allows(now));
  limit.spent(0.6);  // more than there was
  EXPECT_FALSE(limit.allows(now));
  EXPECT_FALSE(limit.allows(now += seconds(9)));
  EXPECT_TRUE(limit.allows(now += seconds(2)));
  limit.spent(0.1);
  EXPECT_FALSE(limit.allows(now));
  EXPECT_TRUE(limit.allows(now += seconds(3600)));  // which saves up half a second
  limit.spent(0.51);
  EXPECT_FALSE(limit.allows(now));
}

}  // namespace
}  // namespace app::test
