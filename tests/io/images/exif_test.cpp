// The files are those of the fuzz corpus: a JPEG's beginning with a make, a model, an orientation, a focal length and a
// lens, in both byte orders and spoiled.
#include "io/images/exif.h"

#include <gtest/gtest.h>

#include "io/bytes.h"
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
