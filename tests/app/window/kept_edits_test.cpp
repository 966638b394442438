#include "app/window/kept_edits.h"

#include <gtest/gtest.h>

#include "app/window/scene_memory_file.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

namespace fs = std::filesystem;

struct Kept : testing::Test {
  splat::test::TempFolder folder;
  const fs::path config = folder.path() / "config";
  const fs::path scene = folder.write("scene.ply", "splats"), other = folder.write("other.ply", "other splats");
  const std::vector<uint8_t> states{0, 4, 4, 1, 8};

  void keep(const fs::path& splats, const std::vector<uint8_t>& what) const {
    EditsKeeper keeper(config, splats);
    const auto status = keeper.keep(what);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  fs::path file() const {
    for (const auto& entry : fs::directory_iterator(config / "edits"))
      if (entry.path().extension() == ".edits") return entry.path();
    return {};
  }
};

TEST_F(Kept, ComeBackAsTheyWereAndOnlyForTheirFile) {
  EXPECT_FALSE(kept_edits(config, scene));
  keep(scene, states);
  const auto kept = kept_edits(config, scene);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->states, states);
  EXPECT_EQ(kept->content, content_of(scene));
  EXPECT_FALSE(kept_edits(config, other));
  EXPECT_FALSE(kept_edits("", scene)) << "where nothing is kept";
  forget_kept_edits(config, scene);
  EXPECT_FALSE(kept_edits(config, scene));
}

TEST_F(Kept, TheNewestThatStillFitsIsOffered) {
  EXPECT_FALSE(newest_kept_edits(config));
  keep(scene, states);
  const fs::path first = file();
  keep(other, states);
  fs::last_write_time(first, fs::file_time_type::clock::now() - std::chrono::hours(1));
  ASSERT_TRUE(newest_kept_edits(config));
  EXPECT_EQ(newest_kept_edits(config)->splats.filename(), "other.ply");
  folder.write("other.ply", "changed since");
  EXPECT_EQ(newest_kept_edits(config)->splats.filename(), "scene.ply");
}

TEST_F(Kept, DamagedFilesAreNone) {
  keep(scene, states);
  const fs::path name = fs::relative(file(), folder.path());
  for (const char* text : {"", "no line", "[]\n\1", "{\"splats\": 3}\n\1", "{\"splats\": \"x\"}\n"}) {
    folder.write(name.string(), text);
    EXPECT_FALSE(kept_edits(config, scene)) << text;
    EXPECT_FALSE(newest_kept_edits(config)) << text;
  }
}

TEST_F(Kept, NoPlaceToKeepThemIsAnErrorThatNamesIt) {
  folder.write("config", "a file");
  EditsKeeper keeper(config, scene);
  const auto status = keeper.keep(states);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("config"), std::string::npos) << status.error().message;
}

}  // namespace
}  // namespace app
