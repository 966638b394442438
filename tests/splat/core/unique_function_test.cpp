#include "splat/core/unique_function.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace splat {
namespace {

TEST(UniqueFunction, OwnsWhatItWorksOnAndEndsWithIt) {
  const auto watched = std::make_shared<int>(7);
  int seen = 0;
  {
    UniqueFunction<void(int)> job = [own = std::make_unique<std::shared_ptr<int>>(watched), &seen](int summand) {
      seen = **own + summand;
    };
    EXPECT_EQ(watched.use_count(), 2);
    UniqueFunction<void(int)> moved = std::move(job);
    EXPECT_TRUE(moved);
    EXPECT_FALSE(job);  // NOLINT: moved from on purpose
    moved(3);
    EXPECT_EQ(seen, 10);
    moved = {};
    EXPECT_FALSE(moved);
    EXPECT_EQ(watched.use_count(), 1);
  }
}

TEST(UniqueFunction, PassesMoveOnlyArgumentsAndReferences) {
  UniqueFunction<void(std::unique_ptr<int>, std::string&)> job = [](std::unique_ptr<int> given, std::string& text) {
    text = std::to_string(*given);
  };
  std::string text;
  job(std::make_unique<int>(5), text);
  EXPECT_EQ(text, "5");
}

}  // namespace
}  // namespace splat
