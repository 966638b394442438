// The marks of 360-degree and stereo films, in boxes and elements made up here.
#include "app/jobs/film/film_mark.h"

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
// One way in which pictures are coded, with a box of its own.
std::string coded() {
  return box("stsd", number(0) + number(1) + box("avc1", std::string(78, '\0') + box("avcC", "x")));
}
std::string track(const std::string& kind, const std::string& table) {
  return box("trak", box("mdia", box("hdlr", number(0) + number(0) + kind + std::string(12, '\0')) +
                                     box("minf", box("stbl", coded() + table))));
}
std::string moov() {
  return box("moov", box("mvhd", "x") + track("soun", box("co64", number(0) + number(1) + number(500, 8))) +
                         track("vide", box("stco", number(0) + number(2) + number(100) + number(200))));
}

TEST(FilmMark, IsInTheVideoTrackAndOffsetsFollow) {
  const std::string before = moov();
  const auto after = marked_moov(before, FilmMark::k360, true);
  ASSERT_TRUE(after.ok());
  const size_t grown = after->size() - before.size();
  EXPECT_EQ(after->substr(0, 4), number(after->size()));
  EXPECT_NE(after->find(number(100 + grown) + number(200 + grown)), std::string::npos);
  EXPECT_NE(after->find(number(500 + grown, 8)), std::string::npos);
  const size_t uuid = after->find("uuid\xff\xcc\x82\x63");
  ASSERT_NE(uuid, std::string::npos);
  EXPECT_GT(uuid, after->find("vide"));
  EXPECT_EQ(after->substr(uuid - 4, 4), number(after->size() - uuid + 4)) << "the last box of the last track, once";
  const size_t coding = after->find("sv3d"), entry = after->rfind("avc1");
  ASSERT_NE(coding, std::string::npos);
  EXPECT_EQ(after->find("sv3d", coding + 1), std::string::npos) << "not where there is sound";
  EXPECT_EQ(after->substr(coding - 4 - 9, 9), box("avcC", "x")) << "behind what was there";
  EXPECT_EQ(after->substr(entry - 4, 4), number(8 + 78 + 9 + (grown - (after->size() - uuid + 4)))) << "which holds it";
  const auto unmoved = marked_moov(before, FilmMark::k360, false);
  ASSERT_TRUE(unmoved.ok());
  EXPECT_NE(unmoved->find(number(100) + number(200)), std::string::npos);
}

TEST(FilmMark, TwoEyesAreSaidWhereThePicturesAre) {
  const auto after = marked_moov(moov(), FilmMark::kStereo, true);
  ASSERT_TRUE(after.ok());
  EXPECT_NE(after->find(box("st3d", number(0) + "\x02")), std::string::npos);
  EXPECT_EQ(after->find("uuid"), std::string::npos);
  EXPECT_NE(after->find(number(100 + 13) + number(200 + 13)), std::string::npos);
  EXPECT_EQ(after->size(), moov().size() + 13);
}

std::string short_element(const std::string& id, const std::string& content) {
  return id + char(0x80 | content.size()) + content;
}

TEST(FilmMark, AWebmHasItInPlaceOfTheTracksName) {
  const std::string video = short_element("\xB0", "\x40"), name = short_element("\x53\x6E", std::string(40, 'n'));
  const std::string track = short_element("\xAE", name + short_element("\xE0", video) + short_element("\x86", "V_VP9"));
  const std::string start = short_element("\x1A\x45\xDF\xA3", "x") + "\x18\x53\x80\x67\x01" + std::string(6, '\xFF') +
                            "\xFF" + short_element("\x16\x54\xAE\x6B", track) + "clusters";
  const auto after = marked_webm(start);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->size(), start.size()) << "nothing else moves";
  EXPECT_NE(after->find(video + "\x76\x70"), std::string::npos) << "the projection is the video's";
  EXPECT_NE(after->find("\x76\x71\x81\x01"), std::string::npos) << "equirectangular";
  EXPECT_EQ(after->find("nnn"), std::string::npos);
  EXPECT_TRUE(after->ends_with("clusters"));
  EXPECT_FALSE(marked_webm("no film").ok());
  EXPECT_FALSE(marked_webm(start.substr(0, 30)).ok());
  EXPECT_FALSE(marked_webm("").ok());
}

TEST(FilmMark, WhatIsNoFilmIsRefused) {
  EXPECT_FALSE(marked_moov("", FilmMark::k360, true).ok());
  EXPECT_FALSE(marked_moov(number(5) + "moov", FilmMark::k360, true).ok());
  EXPECT_FALSE(marked_moov(box("moov", number(100) + "trak"), FilmMark::k360, true).ok());
  const std::string many = box("moov", track("vide", box("stco", number(0) + number(1000) + number(1))));
  EXPECT_FALSE(marked_moov(many, FilmMark::k360, true).ok()) << "a table that claims more than it holds";
  const splat::test::TempFolder folder;
  std::ofstream(folder.path() / "a.mp4") << "not a film at all";
  EXPECT_FALSE(mark_mp4(folder.path() / "a.mp4", FilmMark::k360, folder.path() / "b.mp4").ok());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "b.mp4"));
}

}  // namespace
}  // namespace app
