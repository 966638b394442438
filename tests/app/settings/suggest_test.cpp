#include "app/settings/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace app {
namespace {

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("train", "train"), 0);
  EXPECT_EQ(edit_distance("trian", "train"), 1);  // a swap
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestWord, FindsTyposAndAbbreviations) {
  const std::vector<std::string> words{"--iterations", "--max-splats", "--train", "--threads"};
  EXPECT_EQ(nearest_word("--iteratoins", words), "--iterations");
  EXPECT_EQ(nearest_word("--iter", words), "--iterations");
  EXPECT_EQ(nearest_word("--max-splat", words), "--max-splats");
}

TEST(NearestWord, IsSilentWhenNothingIsNear) {
  const std::vector<std::string> words{"--iterations", "--train"};
  EXPECT_EQ(nearest_word("--zebra-crossing", words), "");
}

}  // namespace
}  // namespace app
