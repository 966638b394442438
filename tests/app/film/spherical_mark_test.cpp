// The mark of 360-degree films, in boxes made up here.
#include "app/film/spherical_mark.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace app {
namespace {

std::string number(uint64_t value, size_t bytes = 4) {
  std::string text;
  for (size_t i = bytes; i-- > 0;) text += char(value >> (8 * i));
  return text;
}
std::string box(const std::string& type, const std::string& content) {
  return number(8 + content.size()) + type + content;
}
std::string track(const std::string& kind, const std::string& table) {
  return box("trak", box("mdia", box("hdlr", number(0) + number(0) + kind + std::string(12, '\0')) +
                                     box("minf", box("stbl", table))));
}
std::string moov() {
  return box("moov", box("mvhd", "x") + track("soun", box("co64", number(0) + number(1) + number(500, 8))) +
                         track("vide", box("stco", number(0) + number(2) + number(100) + number(200))));
}

TEST(SphericalMark, IsInTheVideoTrackAndOffsetsFollow) {
  const std::string before = moov();
  const auto after = marked_moov(before, true);
  ASSERT_TRUE(after.ok());
  const size_t grown = after->size() - before.size();
  EXPECT_EQ(after->substr(0, 4), number(after->size()));
  EXPECT_NE(after->find(number(100 + grown) + number(200 + grown)), std::string::npos);
  EXPECT_NE(after->find(number(500 + grown, 8)), std::string::npos);
  const size_t uuid = after->find("uuid\xff\xcc\x82\x63");
  ASSERT_NE(uuid, std::string::npos);
  EXPECT_GT(uuid, after->find("vide"));
  EXPECT_EQ(after->substr(uuid - 4, 4), number(grown)) << "it is the last box of the last track, once";
  const auto unmoved = marked_moov(before, false);
  ASSERT_TRUE(unmoved.ok());
  EXPECT_NE(unmoved->find(number(100) + number(200)), std::string::npos);
}

TEST(SphericalMark, WhatIsNoFilmIsRefused) {
  EXPECT_FALSE(marked_moov("", true).ok());
  EXPECT_FALSE(marked_moov(number(5) + "moov", true).ok());
  EXPECT_FALSE(marked_moov(box("moov", number(100) + "trak"), true).ok());
  const std::string many = box("moov", track("vide", box("stco", number(0) + number(1000) + number(1))));
  EXPECT_FALSE(marked_moov(many, true).ok()) << "a table that claims more than it holds";
  const splat::test::TempFolder folder;
  std::ofstream(folder.path() / "a.mp4") << "not a film at all";
  EXPECT_FALSE(mark_spherical(folder.path() / "a.mp4", folder.path() / "b.mp4").ok());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "b.mp4"));
}

}  // namespace
}  // namespace app
