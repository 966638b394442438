#include "io/name_key.h"

#include <gtest/gtest.h>

namespace {

using io::name_key;

TEST(NameKey, OneLetterAndALetterWithItsMarkAreTheSame) {
  EXPECT_EQ(name_key("\u00c4pfel gr\u00fcn.jpg"), name_key("a\u0308PFEL gru\u0308n.JPG"));
  EXPECT_EQ(name_key("\u1ebf \u1ead"), name_key("E\u0302\u0301 a\u0323\u0302")) << "two marks, Vietnamese";
  EXPECT_EQ(name_key("\uac00\uac01"), name_key("\u1100\u1161\u1100\u1161\u11a8")) << "Hangul";
  EXPECT_EQ(name_key("\u30ac"), name_key("\u30ab\u3099")) << "Katakana";
  EXPECT_EQ(name_key("\u0419\u0401"), name_key("\u0438\u0306\u0435\u0308")) << "Cyrillic";
  EXPECT_EQ(name_key("\u038f\u03a3"), name_key("\u03c9\u0301\u03c2")) << "Greek, with the sigma of ends";
  EXPECT_EQ(name_key("\u0141\u00d8"), name_key("\u0142\u00f8"));
}

TEST(NameKey, DifferentNamesStayDifferent) {
  EXPECT_NE(name_key("a"), name_key("\u00e4"));
  EXPECT_NE(name_key("\u0142"), name_key("l"));
  EXPECT_NE(name_key("\U0001F600"), name_key("\U0001F601"));
  EXPECT_EQ(name_key("\U0001F600 IMG_1"), "\U0001F600 img_1");
}

TEST(NameKey, WhatIsNoUtf8StaysAsItIs) {
  for (const char* text : {"\xff\xfe", "a\xc3", "\xe4pfel", "\xf0\x9f", "\xc0\x80", "\xed"})
    EXPECT_EQ(name_key(text), text);
}

}  // namespace
