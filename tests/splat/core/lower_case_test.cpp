#include "splat/core/lower_case.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(LowerCase, LettersOfAsciiAloneChange) {
  EXPECT_EQ(lower_case("Scene.COMPRESSED.Ply"), "scene.compressed.ply");
  EXPECT_EQ(lower_case("@[`{ 09_\xc3\x9c"), "@[`{ 09_\xc3\x9c");
  EXPECT_EQ(lower_case(""), "");
}

}  // namespace
}  // namespace splat
