// Web pages of splats: what is written into them, and how large the viewer is. What the page then does in a browser:
// tests/web.
#include "io/splats/html/html.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>

#include "io/beside_splats.h"
#include "io/gzip.h"
#include "io/io.h"
#include "io/markup.h"
#include "io/splats/html/home_view.h"
#include "io/splats/html/page_splats.h"
#include "splat/math/quat.h"
#include "splat/model/pixel.h"
#include "splat/model/transform.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/io/error_sentence.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::test::cloud;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All texts between two marks, joined.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  std::string found;
  for (size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    found += text.substr(at, text.find(end, at) - at);
  }
  return found;
}

json scene_of(const std::string& page) {
  return json::parse(between(page, "<script type=\"application/json\" id=\"scene\">", "</script>"));
}

class Page : public testing::Test {
 protected:
  std::string write(const std::string& name, const splat::Gaussians& model, const SplatFileInfo& info = {},
                    const SplatWriteOptions& options = {}) {
    fs::create_directories((folder_.path() / name).parent_path());
    auto report = write_splat_file(folder_.path() / name, model, info, options);
    EXPECT_TRUE(report.ok()) << report.error().message;
    if (report) notes_ = report->notes;
    return text_of(folder_.path() / name);
  }

  splat::test::TempFolder folder_;
  std::vector<std::string> notes_;
};

TEST_F(Page, HoldsTheSplatsOfASpzFile) {
  const splat::Gaussians model = cloud(100000, 3);  // more than a chunk
  const std::string page = write("a.html", model, {.antialiased = true});
  write("a.spz", model, {.antialiased = true}, {.spz_version = 3});
  const std::string spz = text_of(folder_.path() / "a.spz");
  splat::ThreadPool pool(2);
  const std::string planes = planes_of(spz, pool);
  constexpr size_t kChunk = size_t(7) << 19;
  ASSERT_GT(planes.size(), kChunk);
  ASSERT_LT(planes.size(), 2 * kChunk);
  const std::string text = between(page, "<script type=\"text/plain\" class=\"spz\">", "</script>");
  EXPECT_EQ(text, seven_bit_text(planes.substr(0, kChunk)) + seven_bit_text(planes.substr(kChunk)));
  EXPECT_EQ(scene_of(page)["bytes"], planes.size());
  EXPECT_EQ(scene_of(page)["splats"], 100000);
  EXPECT_EQ(scene_of(page)["degree"], 3);
  EXPECT_EQ(page.substr(0, page.find(text.substr(0, 100))).find("{{"), std::string::npos)
      << "a place of the template was not filled";
  const std::string licence = text_of(test_paths::source() / "LICENSE");
  EXPECT_EQ(between(page, "<pre>", "</pre>"), html_escaped(licence));
  EXPECT_NE(licence.find("Apache License"), std::string::npos);
}

TEST_F(Page, OfAnIndexHasItsSplatsBesideIt) {
  const splat::Gaussians model = cloud(300, 1);
  const std::string page = write("out/index.html", model);
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_NE(notes_[0].find("web server"), std::string::npos);
  write("b.spz", model, {}, {.spz_version = 3});
  EXPECT_EQ(text_of(folder_.path() / "out/index.spz"), text_of(folder_.path() / "b.spz"));
  EXPECT_EQ(scene_of(page)["url"], "index.spz");
  EXPECT_EQ(scene_of(page)["title"], "out");
  EXPECT_EQ(page.find("class=\"spz\">"), std::string::npos);
}

TEST_F(Page, OfAServerInMemoryHasAdditionsThatNoFileHas) {
  const splat::Gaussians model = cloud(300, 1);
  SplatWriteOptions options;
  options.page.title = "run";
  const ServedPage served = make_served_page(model, {}, options, {"splats.spz", ".live {}", "class Live {}"});
  write("b.spz", model, {}, {.spz_version = 3});
  EXPECT_EQ(served.spz, text_of(folder_.path() / "b.spz"));
  EXPECT_EQ(scene_of(served.html)["url"], "splats.spz");
  EXPECT_EQ(scene_of(served.html)["title"], "run");
  EXPECT_EQ(scene_of(served.html)["bytes"], served.spz.size());
  for (const char* part : {".live {}</style>", "class Live {}", "connect-src 'self'"})
    EXPECT_NE(served.html.find(part), std::string::npos) << part;
  EXPECT_EQ(served.html.find("class=\"spz\""), std::string::npos) << "it fetches them";
  EXPECT_EQ(served.html.find("{{"), std::string::npos);
  EXPECT_EQ(write("a.html", model).find("class Live"), std::string::npos);
}

TEST_F(Page, TitlesAndNamesAreNoMarkup) {
  PageContents contents;
  contents.title = "</title><script>alert(1)</script>";
  contents.views.push_back({"</script><b>\xff", {{100, 80, 90, 91, 50, 40}, {}}});
  const std::string page = write("a.html", cloud(3, 0), {}, {.page = contents});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_EQ(scene_of(page)["title"], contents.title);
  const json row = scene_of(page)["views"][0];
  EXPECT_EQ(json(row.begin() + 1, row.end()), json::parse("[0,0,0,1,0,0,0,90,91,50,40,100,80]"));
}

// Titles are names of files, too, which may be any bytes.
TEST_F(Page, IsUtf8WhateverItsName) {
  const std::string page = write("b\xe9\xff\xc3.html", cloud(3, 0));
  EXPECT_NE(page.find("b\xef\xbf\xbd"), std::string::npos);
  EXPECT_NO_THROW((void)json(page).dump()) << "not all of it is UTF-8";
}

// SPZ holds sizes from 5e-5 to 400: a page counts in a unit of its own where those of its scene are others.
TEST_F(Page, OfASmallOrLargeSceneCountsInItsOwnUnit) {
  EXPECT_EQ(scene_of(write("a.html", cloud(500, 0)))["space"], json::parse("[1.0, 0.01]"));
  for (const double scale : {1e-5, 3e-3, 3e4}) {
    splat::Gaussians model = cloud(500, 0);
    splat::ThreadPool pool(1);
    splat::transform(model, {scale}, pool);
    for (float& value : model.log_scales) value = float(std::log(scale / 50)) + 0.3f * std::clamp(value, -2.f, 2.f);
    write("s/index.html", model);
    const json scene = scene_of(text_of(folder_.path() / "s/index.html"));
    const double unit = scene["space"][0], near = scene["space"][1];
    EXPECT_EQ(near < 0.01, scale < 0.05);
    EXPECT_LE(near, std::min(0.01, 0.2 * scene["radius"].get<double>()));
    const auto file = read_splat_file(folder_.path() / "s/index.spz");
    ASSERT_TRUE(file.ok()) << file.error().message;
    for (size_t i = 0; i < model.means.size(); ++i) {
      ASSERT_NEAR(file->gaussians.means[i] * unit, model.means[i], scale * 1e-3) << scale;
      ASSERT_NEAR(file->gaussians.log_scales[i] + std::log(unit), model.log_scales[i], 0.04) << scale;
    }
  }
}

TEST_F(Page, HasAPathUpAndSomeHundredViews) {
  PageContents contents;
  for (int i = 0; i < 1000; ++i) {
    contents.views.push_back({std::to_string(i), {{100, 80, 90, 90, 50, 40}, {}}});
    contents.views.back().view.cam_from_world.translation = {double(i), 0, 0};
  }
  contents.path = {24, PathEnd::kPingPong, {{{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}, 40}, {{1, 2, 4}, {1, 0, 0, 0}, 41}}};
  contents.background = {0, 0.5f, 1};
  const json scene = scene_of(write("a.html", cloud(3, 0), {.view_up = {{0, 0, 1}}}, {.page = contents}));
  ASSERT_EQ(scene["views"].size(), kMostPageViews);
  EXPECT_EQ(scene["views"][0][0], "0");
  EXPECT_EQ(scene["views"][299][1], -996);
  EXPECT_EQ(scene["up"], json({0, 0, 1}));
  EXPECT_EQ(scene["background"], json({0, 0.5, 1}));
  EXPECT_EQ(scene["path"]["fps"], 24);
  EXPECT_EQ(scene["path"]["mode"], "pingpong");
  EXPECT_EQ(scene["path"]["poses"][0], json({1, 2, 3, 0.5, 0.5, 0.5, 0.5, 40}));
}

TEST(PageNote, OfALargePageSaysWhatMakesItSmaller) {
  const uint64_t most = kLargePage / 8 * 7;
  EXPECT_NE(note_of_page("out/a.html", most).find("opens in any browser"), std::string::npos);
  const std::string note = note_of_page("out/a.html", most + 7);
  for (const char* part : {"phones may fail", "--max-splats", "--sh-degree 1", "out/a/index.html"})
    EXPECT_NE(note.find(part), std::string::npos) << part << " in: " << note;
  EXPECT_NE(note_of_page("out/index.html", 2 * most).find("web server"), std::string::npos) << "of any size";
}

TEST_F(Page, IsNoSplatFile) {
  write("a.html", cloud(3, 0));
  EXPECT_TRUE(looks_like_page(text_of(folder_.path() / "a.html")));
  EXPECT_FALSE(looks_like_page("<!doctype html>\n<title>another</title>"));
  expect_sentence(read_splat_file(folder_.path() / "a.html"), {"a.html", "web page", "for browsers"});
}

// All of a scene lies before the first camera, upright.
TEST(HomeView, SeesTheSceneFromALittleAbove) {
  for (const std::array<double, 3>& up : {std::array<double, 3>{0, -1, 0}, {0, 0, 1}, {0, 1, 0}}) {
    const splat::Gaussians model = cloud(1000, 0);
    const HomeView home = home_view(model, up);
    const auto axes = splat::math::rotation_from_quat(home.pose.world_from_cam);
    splat::View view{{600, 600, 643, 643, 300, 300}, {}};  // 50 degrees
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) view.cam_from_world.rotation[3 * r + c] = axes.m[c][r];
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c)
        view.cam_from_world.translation[r] -= view.cam_from_world.rotation[3 * r + c] * home.pose.position[c];
    size_t inside = 0;
    for (size_t i = 0; i < model.size(); ++i) {
      const float* mean = model.means.data() + 3 * i;
      const auto pixel = splat::pixel_of(view, {mean[0], mean[1], mean[2]});
      inside += pixel && splat::is_in_frame(view.camera, *pixel);
    }
    EXPECT_GT(inside, 970u);
    double upright = 0, above = 0;
    for (size_t c = 0; c < 3; ++c) {
      upright -= up[c] * axes.m[c][1];
      above += up[c] * (home.pose.position[c] - home.centre[c]);
    }
    EXPECT_GT(upright, 0.9);
    EXPECT_GT(above, 0.1 * home.distance);
  }
}

TEST(HomeView, SeesTheFrontOfGltfFromItsOtherSide) {
  const splat::Gaussians model = cloud(1000, 0);
  EXPECT_LT(home_view(model, {0, -1, 0}).pose.position[2], -1);
  EXPECT_GT(home_view(model, {0, -1, 0}, true).pose.position[2], 1);
}

// web/ is read by people, and stands in every page.
TEST(Viewer, IsSmallAndAsksNobody) {
  std::string all, packed;
  for (const auto& entry : fs::recursive_directory_iterator(test_paths::source() / "web")) {
    if (entry.is_directory()) continue;
    const std::string text = text_of(entry.path());
    const std::regex address("(https?:)?//[a-z0-9-]+\\.");
    std::string rest = text;
    for (size_t at; (at = rest.find("xmlns='http:%2F%2Fwww.w3.org/2000/svg'")) != std::string::npos;)
      rest.erase(at, 38);
    EXPECT_FALSE(std::regex_search(rest, address)) << entry.path() << " names an address";
    if (entry.path().parent_path().filename() != "live") all += text;  // of served pages alone
  }
  EXPECT_GT(all.size(), 10000u);
  EXPECT_LE(all.size(), size_t(64) << 10);
  splat::ThreadPool pool(1);
  GzipWriter gzip([&](std::string_view bytes) { packed += bytes; }, pool);
  gzip.write(all);
  gzip.finish();
  EXPECT_LE(packed.size(), size_t(32) << 10);
}

// index.html has its splats beside it as index.spz: such a file of somebody else's is not replaced.
TEST_F(Page, ReplacesItsOwnSplatsAlone) {
  const splat::Gaussians model = cloud(50, 0);
  const fs::path page = folder_.path() / "site/index.html", splats = folder_.path() / "site/index.spz";
  const auto refused = [&](const Beside& beside = {}) {
    const std::string before = text_of(splats), before_page = text_of(page);
    expect_sentence(write_splat_file(page, model, {}, {}, beside),
                    {"site/index.spz", "was not written with 'index.html'"});
    EXPECT_EQ(text_of(splats), before);
    EXPECT_EQ(text_of(page), before_page);
  };
  fs::create_directories(page.parent_path());
  write("site/index.spz", cloud(70, 3));  // a scene
  refused();
  fs::rename(splats, folder_.path() / "scene.spz");
  write("site/index.html", model);
  write("site/index.html", cloud(60, 1));  // its own, anew
  EXPECT_EQ(read_splat_file(splats)->gaussians.size(), 60u);
  write("site/index.spz", cloud(60, 1));  // of the same splats, by another writer
  refused({.otherwise = ", or give --force"});
  fs::copy_file(folder_.path() / "scene.spz", splats, fs::copy_options::overwrite_existing);
  refused();
  fs::remove(page);  // without the page nothing is known of it
  refused();
  EXPECT_TRUE(write_splat_file(page, model, {}, {}, {.replace = true}).ok());
  EXPECT_EQ(read_splat_file(splats)->gaussians.size(), 50u);
  write("site/index.html", model);
}

TEST_F(Page, APipeBesideItIsRefused) {
  ASSERT_EQ(::mkfifo((folder_.path() / "index.spz").c_str(), 0600), 0);
  expect_sentence(write_splat_file(folder_.path() / "index.html", cloud(5, 0)), {"index.spz", "is a pipe"});
}

}  // namespace
}  // namespace io::test
