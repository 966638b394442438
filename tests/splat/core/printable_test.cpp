#include "splat/core/printable.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(Printable, ControlCharactersAreShownHarmless) {
  EXPECT_EQ(printable("a\x1b[31mred\x07\r\nb\x7f"), "a?[31mred???b?");
  EXPECT_EQ(printable("c1: \xc2\x9b"
                      "31m"),
            "c1: ?31m");
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f \xe6\x97\xa5"), "gr\xc3\xbc\xc3\x9f \xe6\x97\xa5");
  EXPECT_EQ(printable("two\nlines\t", true), "two\nlines?");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, LongNamesLoseTheirMiddle) {
  const std::string name = "/start/" + std::string(4000, 'x') + "/end.ply";
  const std::string shown = printable("cannot read '" + name + "': too long");
  EXPECT_LT(shown.size(), 400u);
  EXPECT_TRUE(shown.starts_with("cannot read '/start/xxx")) << shown;
  EXPECT_TRUE(shown.ends_with("xxx/end.ply': too long")) << shown;
  const std::string usual = "cannot read '" + std::string(255, 'y') + "': gone";
  EXPECT_EQ(printable(usual), usual);
  std::string accents;
  for (int i = 0; i < 300; ++i) accents += "\xc3\xbc";
  const std::string cut = printable("'" + accents + "'");
  EXPECT_EQ(cut.find("\xc3 "), std::string::npos) << "a character was cut";
  EXPECT_EQ(printable("it's '" + std::string(1000, 'z') + "' isn't it").size() < 500, true);
  std::string help;  // a text of many lines with an apostrophe here and there
  for (int i = 0; i < 40; ++i) help += i % 20 == 0 ? "the folder's name\n" : "what is printed stays\n";
  EXPECT_EQ(printable(help, true), help);
}

}  // namespace
}  // namespace splat
