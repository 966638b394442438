#include <gtest/gtest.h>

#include "tests/library/c_calls.h"
#include "tests/support/temp_folder.h"

namespace {

TEST(Library, DrawsFromAProgramInC) {
  const splat::test::TempFolder folder;
  EXPECT_STREQ(draw_in_c((folder.path() / "ö.ply").c_str()), nullptr);
}

}  // namespace
