#include "io/files_below.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace {

using io::common_end, io::files_below;
using Names = std::vector<std::string>;

TEST(FilesBelow, HiddenAndSystemFoldersArePassedOver) {
  const splat::test::TempFolder folder;
  for (const char* name :
       {"a.jpg", "sub/deep/b.jpg", ".thumbnails/a.jpg", "sub/.ipynb_checkpoints/a-checkpoint.jpg", "._a.jpg",
        "@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg", "__MACOSX/sub/._b.jpg", "$RECYCLE.BIN/c.jpg", "dot.in.name/.hidden"})
    folder.write(name, "x");
  EXPECT_EQ(files_below(folder.path()), (Names{"a.jpg", "sub/deep/b.jpg"}));
  EXPECT_EQ(files_below(folder.path(), 1), Names{"a.jpg"});
  EXPECT_EQ(files_below(folder.path() / ".thumbnails"), Names{"a.jpg"}) << "a folder that was named is looked into";
  EXPECT_EQ(files_below(folder.path() / "nowhere"), Names{});
}

TEST(FilesBelow, TheCommonEndOfTwoNamesIsCountedInParts) {
  EXPECT_EQ(common_end("/home/x/images/A.jpeg", "Images/a.png"), 2u);
  EXPECT_EQ(common_end("D:/mine/train/cam1/x.jpg", "train/cam1/x.jpg"), 3u);
  EXPECT_EQ(common_end("train/cam1/x.jpg", "train/cam2/x.jpg"), 1u);
  EXPECT_EQ(common_end("a", "a.png"), 1u);
  EXPECT_EQ(common_end("a/b.jpg", "b/a.jpg"), 0u);
  EXPECT_EQ(common_end("", "a.jpg"), 0u);
}

}  // namespace
