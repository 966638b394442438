#include "studio/edit/kept_edits.h"

#include <gtest/gtest.h>

#include "splat/model/transform.h"
#include "studio/documents/scene_memory_file.h"
#include "studio/edit/edits_summary.h"
#include "tests/support/temp_folder.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

struct Kept : testing::Test {
  splat::test::TempFolder folder;
  const fs::path config = folder.path() / "config";
  const fs::path scene = folder.write("scene.ply", "splats"), other = folder.write("other.ply", "other splats");
  const std::vector<uint8_t> states{0, 4, 4, 1, 8};

  void keep(const fs::path& splats, const std::vector<uint8_t>& what) const {
    keep(splats, splat::edit::EditedState{what, {}, {}, {}, {{}}});
  }
  void keep(const fs::path& splats, const splat::edit::EditedState& what) const {
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
  EXPECT_EQ(kept->edits.states, states);
  EXPECT_EQ(kept->content, content_of(scene));
  EXPECT_FALSE(kept_edits(config, other));
  EXPECT_FALSE(kept_edits("", scene)) << "where nothing is kept";
  forget_kept_edits(config, scene);
  EXPECT_FALSE(kept_edits(config, scene));
}

TEST_F(Kept, CopiesObjectsAndMovesComeBackExactly) {
  splat::edit::EditedState edits{states, {0, 1}, {0, 0, 1, 1, 2}, {0, 1, 2, 0, 1}, {{}}};
  edits.moves.push_back({0.1, splat::quat_about({1, 2, 3}, 40), {1e-30, -1.0 / 3, 1e17}});
  edits.moves.push_back({1.0 / 7, {1, 0, 0, 0}, {0, 0, 5}});
  edits.placed = edits.moves[1];
  keep(scene, edits);
  const auto kept = kept_edits(config, scene);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->edits.states, states);
  EXPECT_EQ(kept->edits.copies, edits.copies);
  EXPECT_EQ(kept->edits.objects, edits.objects);
  EXPECT_EQ(kept->edits.placements, edits.placements);
  EXPECT_TRUE(kept->edits.moves == edits.moves);
  EXPECT_TRUE(kept->edits.placed == edits.placed);
}

TEST_F(Kept, AddedFilesAndWhatObjectsAreComeBackExactly) {
  splat::edit::EditedState edits{states, {1, 2}, {0, 0, 1, 1, 0}, {}, {{}}};
  edits.added.push_back({"/some where/\"b\".ply", "12-ab", 4000000000u, 3});
  edits.added.push_back({"c.ply", "34-cd", 5, 0, 1.0 / 3});
  edits.list.resize(2);
  edits.list[1] = {"ch\u00e4r \n", false, true, {0.1, splat::quat_about({1, 2, 3}, 40), {1e-30, -1.0 / 3, 1e17}}};
  keep(scene, edits);
  const auto kept = kept_edits(config, scene);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->edits.added, edits.added);
  EXPECT_EQ(kept->edits.list, edits.list);
}

// As files of hipsplat 0.1.0 were: a line and a byte a row.
TEST_F(Kept, EditsOfAnEarlierVersionAreRead) {
  keep(scene, states);
  const std::string head = R"({"splats": ")" + scene.string() + R"(", "content": ")" + content_of(scene) + "\"}\n";
  folder.write(fs::relative(file(), folder.path()).string(), head + std::string("\0\4\1", 3));
  const auto kept = kept_edits(config, scene);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->edits.states, (std::vector<uint8_t>{0, 4, 1}));
}

TEST_F(Kept, SummariesNameWhatWasDone) {
  EXPECT_EQ(summary_of({{0, 4, 4, 1}, {}, {}, {}, {{}}}).text(), "2 splats were deleted");
  EXPECT_EQ(summary_of({{0, 4, 0, 4}, {0, 1}, {}, {0, 0, 1, 1}, {{}, {2.0}}}).text(), "1 splat was deleted, 1 added");
  EXPECT_EQ(summary_of({{0, 0}, {}, {}, {1, 1}, {{}, {2.0}}}).text(), "2 splats were moved");
  EXPECT_EQ(summary_of({{0, 0}, {}, {0, 2}, {}, {{}}}).text(), "2 parts were separated");
  splat::edit::EditedState named{{0, 0}, {}, {}, {}, {{}}};
  named.list.resize(1);
  EXPECT_FALSE(summary_of(named).any());
  named.list[0].name = "chair";
  EXPECT_EQ(summary_of(named).text(), "objects were named, hidden or locked");
  EXPECT_FALSE(summary_of({{0, 1, 2, 8}, {}, {}, {}, {{}}}).any()) << "a file keeps what is hidden or locked";
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
  const std::string known = R"({"splats": ")" + scene.string() + R"(", "content": "", )";
  const std::string added = R"("rows": 1, "added": [{"path": "x", "content": "y", "rows": 0, "sh_degree": 0, )";
  for (const std::string& text :
       {std::string(), std::string("no line"), std::string("[]\n\1"), std::string("{\"splats\": 3}\n\1"),
        std::string("{\"splats\": \"x\"}\n"), known + "\"rows\": 2}\n\1", known + "\"rows\": 1}\n\1\1",
        known + "\"rows\": 1, \"copies\": 4611686018427387905}\n\1\1\1\1\1",
        known + "\"rows\": 1, \"moves\": [[0,1,0,0,0,0,0,0]]}\n\1", known + "\"rows\": 1, \"moves\": null}\n\1",
        known + "\"rows\": 1, \"placements\": 1}\n" + std::string("\1\1\0\0\0", 5),
        known + "\"rows\": 1, \"added\": [{\"path\": \"x\"}]}\n\1", known + "\"rows\": 1, \"added\": [7]}\n\1",
        known + added + "\"metres_per_unit\": -1}]}\n\1", known + "\"rows\": 1, \"added\": {\"rows\": -1}}\n\1",
        known + "\"rows\": 1, \"list\": [{\"name\": 3}]}\n\1", known + "\"rows\": 1, \"list\": \"all\"}\n\1",
        known + "\"rows\": 1, \"moves\": [[1,1,0,0,0,0,0,0]], \"list\": [{\"name\": \"\", \"visible\": true, "
                "\"locked\": false, \"placed\": [1,1,0,0,0,0,0]}]}\n\1"}) {
    folder.write(name.string(), text);
    EXPECT_FALSE(kept_edits(config, scene)) << text;
    EXPECT_FALSE(newest_kept_edits(config)) << text;
  }
}

TEST_F(Kept, NoPlaceToKeepThemIsAnErrorThatNamesIt) {
  folder.write("config", "a file");
  EditsKeeper keeper(config, scene);
  const auto status = keeper.keep({states, {}, {}, {}, {{}}});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("config"), std::string::npos) << status.error().message;
}

}  // namespace
}  // namespace studio
