// --convert to a web page through the program: what it says, what it takes along, what it leaves alone.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "io/cameras_json.h"
#include "io/io.h"
#include "io/paths/path_file.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::test::cloud;

class Page : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string text(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  json scene(const std::string& name) const {
    const std::string page = text(name), mark = "id=\"scene\">";
    const size_t at = page.find(mark) + mark.size();
    return json::parse(page.substr(at, page.find("</script>", at) - at));
  }
  // A run's folder: splats around the origin, and two cameras that see them.
  std::string run_folder() const {
    fs::create_directories(folder_.path() / "run");
    EXPECT_TRUE(io::write_splat_file(path("run/splats.ply"), cloud(300, 1)).ok());
    splat::Dataset dataset;
    for (const char* name : {"a.jpg", "b.jpg"}) {
      splat::DatasetView view;
      view.name = name;
      view.camera = {320, 240, 200, 200, 160, 120};
      view.cam_from_world.translation = {0.25, 0, 8};  // at (-0.25, 0, -8), looking along z
      dataset.views.push_back(view);
    }
    EXPECT_TRUE(io::write_cameras_json(folder_.path() / "run/cameras.json", dataset).ok());
    return path("run/splats.ply");
  }

  splat::test::TempFolder folder_;
};

TEST_F(Page, SaysItsSizeAndHowItOpens) {
  const Ran ran = run({"convert", run_folder(), path("a.html"), "--sh-degree", "0"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"a.html: 300 splats of SH degree 0", "kB", "opens in any browser", "from disk"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in: " << ran.out;
  const json summary = run({"convert", path("run/splats.ply"), "-o", path("a.html"), "--json"}).summary();
  EXPECT_EQ(summary["bytes"], fs::file_size(path("a.html")));
  EXPECT_EQ(summary["notes"].size(), 1u);
}

TEST_F(Page, TakesTheViewsOfTheRunAlong) {
  ASSERT_EQ(run({"convert", run_folder(), path("a.html")}).code, 0);
  const json views = scene("a.html")["views"];
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1], json({"b.jpg", -0.25, 0, -8, 1, 0, 0, 0, 200, 200, 160, 120, 320, 240}));
  EXPECT_EQ(scene("a.html")["up"], json({0, -1, 0}));
}

TEST_F(Page, OfADatasetTakesTheViewsOfItsPhotosAlong) {
  const SceneOnDisk photos;
  const splat::test::TinyDataset tiny = splat::test::make_tiny_dataset();
  const std::string splats = run_folder();  // whose own cameras are not asked
  ASSERT_EQ(run({"convert", splats, path("a.html"), "--data", photos.dataset()}).code, 0);
  const json views = scene("a.html")["views"];
  ASSERT_EQ(views.size(), tiny.dataset.views.size());
  for (size_t i = 0; i < views.size(); ++i) {
    const splat::DatasetView& view = tiny.dataset.views[i];
    EXPECT_EQ(views[i][0], view.name);
    const std::array<double, 3> at = view.cam_from_world.origin_in_source();
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(views[i][1 + c].get<double>(), at[c], 1e-4) << view.name;
    EXPECT_EQ(views[i][12], view.camera.width);
  }
  expect_refused(run({"convert", splats, path("b.html"), "--data", path("nowhere")}), 2, {"nowhere"});
  EXPECT_FALSE(fs::exists(path("b.html")));
  expect_refused(run({"convert", splats, path("b.spz"), "--data", photos.dataset()}), 2, {"--data", "--clean"});
}

TEST_F(Page, MovesTheViewsWithTheSplats) {
  const std::string steps = "rotate 0 90 0, scale 2, translate 1 2 3";
  ASSERT_EQ(run({"convert", run_folder(), path("a.html"), "--transform", steps}).code, 0);
  const json view = scene("a.html")["views"][0];
  const double half = std::sqrt(0.5);
  const std::vector<double> expected{-16 + 1, 2, 0.5 + 3, half, 0, half, 0};  // y by 90 degrees: z to x, x to -z
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(view[i + 1].get<double>(), expected[i], 1e-5) << i;
}

TEST_F(Page, PlaysAPathThatMovesWithTheSplats) {
  splat::CameraPath along;
  along.keys = {{0, {{0, 0, -8}}}, {2, {{1, 0, -8}}}};
  std::ofstream(path("path.json")) << io::path_json(along);
  ASSERT_EQ(run({"convert", run_folder(), path("a.html"), "--path", path("path.json"), "--transform", "scale 2"}).code,
            0);
  const json played = scene("a.html")["path"];
  EXPECT_EQ(played["mode"], "once");
  EXPECT_EQ(played["fps"], 30);
  ASSERT_EQ(played["poses"].size(), 60u);
  EXPECT_EQ(played["poses"][0], json({0, 0, -16, 1, 0, 0, 0, 50}));
  EXPECT_EQ(played["poses"][30], json({1, 0, -16, 1, 0, 0, 0, 50}));
  ASSERT_EQ(run({"convert", path("run/splats.ply"), path("b.html"), "--path", "orbit"}).code, 0);
  ASSERT_EQ(run({"convert", path("run/splats.ply"), path("B.HTML"), "--path", "orbit"}).code, 0);
  EXPECT_EQ(scene("b.html")["path"]["mode"], "repeat");
  expect_refused(run({"convert", path("run/splats.ply"), path("a.spz"), "--path", "orbit"}), 2, {"--path", "a.spz"});
  std::ofstream(path("bad.json")) << "{}";
  expect_refused(run({"convert", path("run/splats.ply"), path("c.html"), "--path", path("bad.json")}), 2, {"bad.json"});
  EXPECT_FALSE(fs::exists(path("c.html")));
}

TEST_F(Page, SaysTheLowPassOfItsSplats) {
  ASSERT_TRUE(io::write_splat_file(path("thin.ply"), cloud(300, 1), {.low_pass = 0.1f}).ok());
  ASSERT_EQ(run({"convert", path("thin.ply"), path("a.html")}).code, 0);
  EXPECT_EQ(scene("a.html")["lowPass"], 0.1);
}

TEST_F(Page, OfAnIndexLeavesAnothersFileAlone) {
  run_folder();
  fs::create_directories(path("site"));
  std::ofstream(path("site/index.spz")) << "somebody's notes";
  expect_refused(run({"convert", path("run/splats.ply"), path("site/index.html")}), 2,
                 {"index.spz", "not written with"});
  EXPECT_EQ(text("site/index.spz"), "somebody's notes");
  EXPECT_FALSE(fs::exists(path("site/index.html")));
  ASSERT_EQ(run({"convert", path("run/splats.ply"), path("site/index.html"), "--force"}).code, 0);
  const json again = run({"convert", path("run/splats.ply"), "-o", path("site/index.html"), "--json"}).summary();
  EXPECT_EQ(again["bytes"], fs::file_size(path("site/index.html")) + fs::file_size(path("site/index.spz")));
}

TEST_F(Page, ReplacesPagesOfSplatsAndNoOthers) {
  ASSERT_EQ(run({"convert", run_folder(), path("a.html")}).code, 0);
  EXPECT_EQ(run({"convert", path("run/splats.ply"), "-o", path("a.html")}).code, 0);
  std::ofstream(path("b.html")) << "<!doctype html><title>home</title>";
  expect_refused(run({"convert", path("run/splats.ply"), "-o", path("b.html")}), 2, {"b.html", "something else"});
  expect_refused(run({"info", path("a.html")}), 2, {"a.html", "web page"});
}

}  // namespace
}  // namespace app::test
