// The files are those of the fuzz corpus: a JPEG's beginning with a make, a model, an orientation, a focal length and a
// lens, in both byte orders and spoiled.
#include "io/images/exif.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/bytes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace io {
namespace {

std::string file(const char* name) { return *read_file(test_paths::source() / "tests/fuzz/corpus/exif" / name); }

void expect_complete(const Exif& exif) {
  EXPECT_EQ(exif.make, "Nikon Corp");
  EXPECT_EQ(exif.model, "D90");
  EXPECT_EQ(exif.lens, "AF-S 18-105");
  EXPECT_EQ(exif.focal_mm, 35);
  EXPECT_EQ(exif.orientation, 6);
}

TEST(Exif, BothByteOrdersAreRead) {
  expect_complete(parse_exif(file("little")));
  expect_complete(parse_exif(file("big")));
  expect_complete(read_exif(test_paths::source() / "tests/fuzz/corpus/exif/big"));
}

std::string number_text(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}
std::string png_part(const std::string& type, const std::string& content) {
  return number_text(uint32_t(content.size())) + type + content + number_text(0);
}
std::string webp_part(const std::string& type, const std::string& content) {
  std::string size = number_text(uint32_t(content.size()));
  std::reverse(size.begin(), size.end());
  return type + size + content + std::string(content.size() % 2, '\0');
}

// Before the picture or behind it, where programs write it as well.
TEST(Exif, PngAndWebpHaveIt) {
  const std::string little = file("little");
  const std::string segment = little.substr(little.find(std::string("Exif\0\0", 6)));
  const std::string tiff = segment.substr(6), picture(300000, 'x');
  const splat::test::TempFolder folder;
  for (const std::string& exif : {tiff, segment})
    for (const bool before : {true, false}) {
      const auto around = [&](const std::string& a, const std::string& b) { return before ? a + b : b + a; };
      const std::string png = std::string("\x89PNG\r\n\x1a\n", 8) +
                              around(png_part("eXIf", exif), png_part("IDAT", picture)) + png_part("IEND", "");
      const std::string webp =
          "RIFF" + std::string(4, '\0') + "WEBP" + around(webp_part("EXIF", exif), webp_part("VP8 ", picture + "y"));
      expect_complete(parse_exif(png));
      expect_complete(parse_exif(webp));
      expect_complete(read_exif(folder.write("a.png", png)));
      expect_complete(read_exif(folder.write("a.webp", webp)));
      for (size_t length = 0; length < 400; ++length)
        parse_exif(png.substr(0, length)), parse_exif(webp.substr(0, length));
    }
}

TEST(Exif, DigitalZoomIsRead) {
  const auto entry = [](uint32_t tag, uint32_t type, uint32_t count, uint32_t value) {
    const auto number = [](uint32_t v, size_t size) {
      std::string text = number_text(v);
      return text.substr(4 - size);
    };
    return number(tag, 2) + number(type, 2) + number(count, 4) +
           (type == 3 ? number(value, 2) + std::string(2, '\0') : number(value, 4));
  };
  const auto jpeg = [&](uint32_t above, uint32_t below) {
    const std::string tiff = std::string("MM\0*", 4) + number_text(8) + std::string("\0\1", 2) +
                             entry(0x8769, 4, 1, 26) + number_text(0) + std::string("\0\2", 2) +
                             entry(0xA404, 5, 1, 56) + entry(0xA405, 3, 1, 40) + number_text(0) + number_text(above) +
                             number_text(below);
    const std::string body = std::string("Exif\0\0", 6) + tiff;
    return "\xFF\xD8\xFF\xE1" + std::string{char(0), char(body.size() + 2)} + body;
  };
  EXPECT_DOUBLE_EQ(parse_exif(jpeg(160, 100)).zoom, 1.6);
  EXPECT_EQ(parse_exif(jpeg(160, 100)).equivalent_mm, 40);
  EXPECT_EQ(parse_exif(jpeg(0, 1)).zoom, 1);  // not used
  EXPECT_EQ(parse_exif(jpeg(1, 0)).zoom, 1);
}

TEST(Exif, WhatIsMissingOrOddStaysEmpty) {
  for (const char* name : {"count_lies", "offset_beyond"}) {
    const Exif exif = parse_exif(file(name));
    EXPECT_EQ(exif.focal_mm == 35, std::string(name) == "count_lies") << name;
  }
  EXPECT_EQ(parse_exif("").orientation, 1);
  EXPECT_EQ(parse_exif("\xFF\xD8\xFF").model, "");
  EXPECT_EQ(read_exif("/no/such/file").model, "");
  std::string turned = file("little");
  turned[turned.find("\x12\x01\x03") + 8] = 77;  // the orientation's value
  EXPECT_EQ(parse_exif(turned).orientation, 1);
  const std::string whole = file("little");
  for (size_t length = 0; length < whole.size(); ++length) parse_exif(whole.substr(0, length));
}

}  // namespace
}  // namespace io
