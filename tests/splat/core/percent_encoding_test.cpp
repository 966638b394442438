#include "splat/core/percent_encoding.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(PercentEncoding, DecodesPairsOfHexadecimalDigits) {
  EXPECT_EQ(percent_decoded("a%20b%C3%bc%41"), "a b\u00fcA");
  EXPECT_EQ(percent_decoded("plain"), "plain");
  EXPECT_EQ(percent_decoded(""), "");
}

TEST(PercentEncoding, RefusesOthers) {
  for (const char* text : {"%", "a%4", "%g0", "%0g", "%-1", "%+1", "% 1", "%0x"})
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

}  // namespace
}  // namespace splat
