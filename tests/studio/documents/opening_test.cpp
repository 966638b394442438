// Files and datasets as the window opens them.
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/image_file.h"
#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "splat/model/gaussian_rows.h"
#include "studio/documents/demo.h"
#include "studio/runs/setting_words.h"
#include "studio/window/settings_file.h"
#include "tests/studio/live_window.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/synthetic_scene.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;

namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;
using studio::NoticeKind;

splat::test::Scene write_scene(const fs::path& path, int splats) {
  splat::test::SceneOptions options;
  options.splats = splats;
  splat::test::Scene scene = make_scene(options);
  const auto report = io::write_splat_file(path, scene.model);
  EXPECT_TRUE(report.ok());
  return scene;
}

TEST(Opening, WhereTheFrontIsSaysTheFile) {
  for (const bool front_at_z : {false, true}) {
    SplatInput input;
    input.file.gaussians = splat::test::make_scene({.splats = 20}).model;
    input.file.front_at_z = front_at_z;
    splat::ThreadPool pool(1);
    EXPECT_EQ(opened_with(std::move(input), {}, "scene.glb", pool).for_window.front_at_z, front_at_z);
  }
}

// As file managers drop them.
TEST(Opening, PhotosChosenAsFilesAreADataset) {
  const SceneOnDisk scene;
  const TempFolder home;
  setenv("HOME", home.path().c_str(), 1);
  std::vector<fs::path> photos;
  for (const auto& entry : fs::recursive_directory_iterator(scene.dataset()))
    if (entry.path().extension() == ".png") photos.push_back(entry.path());
  ASSERT_GT(photos.size(), 4u);
  LiveWindow window;
  window.send(studio::OpenPhotos{photos});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  EXPECT_EQ(window.dataset->cameras.size(), photos.size()) << "with the cameras that lie beside them";
  const auto asked_for = [&](const std::vector<fs::path>& some) {
    window.unaligned.reset();
    window.send(studio::OpenPhotos{some});
    EXPECT_TRUE(window.wait([&] { return window.unaligned.has_value(); })) << window.all_notices();
    EXPECT_EQ(window.unaligned->photos, some.size());
    return window.unaligned->input;
  };
  const fs::path two = asked_for({photos[0], photos[1]});
  EXPECT_EQ(two.parent_path(), home.path() / "hipsplat") << "these alone; nothing is written beside them";
  EXPECT_EQ(asked_for({photos[1], photos[0]}), two) << "once";
  const TempFolder other;  // a photo of the same name
  fs::copy_file(photos[0], other.path() / photos[0].filename());
  EXPECT_NE(asked_for({photos[0], other.path() / photos[0].filename()}), two);
}

// As large as it takes for a part to be shown first: 68 bytes a splat.
TEST(Opening, OfMillionsOfSplatsAPartIsSeenFirst) {
  const TempFolder folder;
  const fs::path path = folder.path() / "scene.ply";
  const size_t all = 1'600'000;
  const auto scene = splat::bench::make_scene({all, 320, 180});
  ASSERT_TRUE(io::write_splat_file(path, splat::with_sh_degree(scene.model, 0)).ok());
  LiveWindow window;
  window.look(viewer::RenderRequest{scene.view, {}});
  window.send(studio::OpenPath{path});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }, 60)) << window.all_notices();
  const bool saw_part = window.splats->part;
  const uint64_t number = window.splats->number;
  EXPECT_EQ(window.splats->rows, all);
  EXPECT_FALSE(window.splats->bounds.empty());
  window.send(studio::ExportSplats{folder.path() / "copy.ply"});  // waits for all of them
  ASSERT_TRUE(window.wait([&] { return !window.splats->part; }, 60)) << window.all_notices();
  EXPECT_EQ(window.splats->number, number) << "the same scene";
  EXPECT_EQ(window.splats->rows, all);
  ASSERT_TRUE(window.wait([&] { return window.noticed("copy.ply", NoticeKind::kInfo); }, 60)) << window.all_notices();
  EXPECT_EQ(fs::file_size(folder.path() / "copy.ply"), fs::file_size(path));

  window.splats.reset();
  window.send(studio::OpenPath{path});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }, 60)) << window.all_notices();
  EXPECT_TRUE(saw_part || window.splats->part) << "not once in two";
  window.send(studio::CancelWork{});
  ASSERT_TRUE(window.wait([&] { return !window.splats->part; }, 60)) << "gone, or it was there already";
}

TEST(Opening, ASplatFileComesReadyToDraw) {
  const TempFolder folder;
  const fs::path path = folder.path() / "scene.ply";
  const splat::test::Scene scene = write_scene(path, 200);
  LiveWindow window;
  window.look(viewer::RenderRequest{scene.view, {}});
  window.send(studio::OpenPath{path});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
  EXPECT_EQ(window.splats->rows, 200u);
  EXPECT_EQ(window.splats->sh_degree, scene.model.sh_degree);
  EXPECT_EQ(window.splats->packed.splats.count, 0u) << "nobody has asked for what OpenGL needs";
  EXPECT_FALSE(window.splats->bounds.empty());
  EXPECT_EQ(window.splats->file_bytes, fs::file_size(path));
  ASSERT_TRUE(window.wait([&] { return window.image && window.image->divisor == 1; })) << "the engine draws it too";
  EXPECT_EQ(window.image->iteration, -1);
  ASSERT_TRUE(window.wait([&] { return !window.works.empty() && window.works.back().what.empty(); }));
  window.send(studio::WantPackedModel{});
  ASSERT_TRUE(window.wait([&] { return window.packed.has_value(); }));
  EXPECT_EQ(window.packed->opened, window.splats->number);
  EXPECT_EQ(window.packed->revision, 0u);
  EXPECT_EQ(window.packed->splats.count, 200u);
  ASSERT_EQ(window.packed->centres_radii.size(), 800u);
  EXPECT_TRUE(
      std::equal(scene.model.means.begin(), scene.model.means.begin() + 3, window.packed->centres_radii.begin()));

  window.send(studio::ExportSplats{folder.path() / "copy.ply"});
  ASSERT_TRUE(window.wait([&] { return window.noticed("copy.ply", NoticeKind::kInfo); }));
  EXPECT_EQ(text_of(folder.path() / "copy.ply").size(), text_of(path).size());
  splat::View large = scene.view;
  large.camera.width = 333;
  window.send(studio::SaveRendering{{large, {}}, folder.path() / "shot.png"});
  ASSERT_TRUE(window.wait([&] { return window.noticed("shot.png", NoticeKind::kInfo); }));
  const auto size = io::read_image_size(folder.path() / "shot.png");
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(size->width, 333);
  ASSERT_TRUE(window.wait([&] { return window.works.back().what.empty(); })) << "nothing is being drawn any more";

  large.camera.width = large.camera.height = 4'000'000;
  window.send(studio::SaveRendering{{large, {}}, folder.path() / "huge.png"});
  ASSERT_TRUE(window.wait([&] { return window.noticed("make it smaller", NoticeKind::kError); }));
  window.send(studio::ExportSplats{folder.path() / "flat.ply", 0});
  ASSERT_TRUE(window.wait([&] { return window.noticed("flat.ply", NoticeKind::kInfo); }));
  const auto flat = io::read_splat_file(folder.path() / "flat.ply");
  ASSERT_TRUE(flat.ok());
  EXPECT_EQ(flat->gaussians.sh_degree, 0);
}

// --low-pass is of the file that was named with it, and kept where that is saved.
TEST(Opening, TheLowPassIsTheFilesUnlessAnotherIsGivenForIt) {
  const TempFolder folder;
  const fs::path named = folder.path() / "named.ply", other = folder.path() / "other.ply";
  splat::test::Scene scene = write_scene(named, 50);
  ASSERT_TRUE(io::write_splat_file(other, scene.model, {.antialiased = true, .low_pass = 0.1f}).ok());
  SessionOptions options = LiveWindow::options(2);
  options.low_pass_of = named, options.low_pass = 0.5f;
  LiveWindow window(options);
  const auto filter_of = [&](const fs::path& file) {
    window.splats.reset();
    window.send(studio::OpenPath{file});
    EXPECT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
    return window.splats ? window.splats->filter : splat::ScreenFilter();
  };
  EXPECT_EQ(filter_of(other), (splat::ScreenFilter{true, 0.1f}));
  EXPECT_EQ(filter_of(named), (splat::ScreenFilter{false, 0.5f}));
  window.send(studio::ExportSplats{folder.path() / "copy.ply"});
  ASSERT_TRUE(window.wait([&] { return window.noticed("copy.ply", NoticeKind::kInfo); })) << window.all_notices();
  EXPECT_EQ(io::read_splat_file(folder.path() / "copy.ply")->low_pass, 0.5f);
}

TEST(Opening, EveryFormatThatCanBeWrittenIsOffered) {
  const TempFolder folder;
  const splat::test::Scene scene = write_scene(folder.path() / "scene.ply", 50);
  const auto formats = format_rows();
  ASSERT_GE(formats.size(), 6u);
  EXPECT_EQ(formats.front().extension, ".ply");
  EXPECT_TRUE(formats.front().loss.empty());
  LiveWindow window;
  window.send(studio::OpenPath{folder.path() / "scene.ply"});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  for (const studio::FormatRow& format : formats) {
    const std::string name = "copy" + format.extension;
    window.send(studio::ExportSplats{folder.path() / name});
    ASSERT_TRUE(window.wait([&] { return window.noticed(name, NoticeKind::kInfo); })) << window.all_notices();
    const auto back = io::read_splat_file(folder.path() / name);
    if (format.extension == ".html") {  // for browsers
      EXPECT_GT(std::filesystem::file_size(folder.path() / name), 10'000u);
      continue;
    }
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->gaussians.size(), 50u) << name;
  }
}

TEST(Opening, WhatCannotBeOpenedIsOneSentenceAndChangesNothing) {
  const TempFolder folder;
  write_scene(folder.path() / "good.ply", 20);
  folder.write("bad.ply", "ply\nformat ascii 1.0\nnonsense");
  LiveWindow window;
  window.send(studio::OpenPath{folder.path() / "good.ply"});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  window.splats.reset();
  for (const char* name : {"bad.ply", "missing.ply"}) {
    window.send(studio::OpenPath{folder.path() / name});
    ASSERT_TRUE(window.wait([&] { return window.noticed(name, NoticeKind::kError); })) << window.all_notices();
  }
  window.send(studio::OpenPath{folder.path()});  // a folder without a dataset
  ASSERT_TRUE(window.wait([&] { return window.noticed(folder.path().filename(), NoticeKind::kError); }));
  EXPECT_EQ(window.notices.back().mended_by, "Open") << "splats lie in it";
  folder.write("photo.jpg", "\xff\xd8\xff\xe0");
  window.send(studio::OpenPath{folder.path() / "photo.jpg"});
  ASSERT_TRUE(window.wait([&] { return window.noticed("open the folder of photos", NoticeKind::kError); }));
  EXPECT_EQ(window.notices.back().mended_by, "Open folder");
  EXPECT_FALSE(window.splats.has_value());
  EXPECT_TRUE(window.wait([&] { return window.works.back().what.empty(); }));
}

// Opening the small file comes last, and nothing else arrives. Large takes longer than all that follows it.
class Cancelling : public testing::Test {
 protected:
  Cancelling() {
    write_scene(large_, 60000);
    write_scene(small_, 20);
  }
  void only_the_small_file_arrives() {
    window_.send(studio::OpenPath{small_});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); }));
    EXPECT_EQ(window_.splats->rows, 20u);
    for (const studio::Notice& notice : window_.notices) EXPECT_NE(notice.kind, NoticeKind::kError) << notice.text;
  }

  const TempFolder folder_;
  const fs::path large_ = folder_.path() / "large.ply", small_ = folder_.path() / "small.ply";
  LiveWindow window_;
};

TEST_F(Cancelling, AFileNeverArrives) {
  window_.send(studio::OpenPath{large_});
  window_.send(studio::CancelWork{});
  window_.send(studio::OpenPath{large_});
  only_the_small_file_arrives();  // which takes the place of the one before
}

TEST_F(Cancelling, EndsAllFilesThatWereAskedFor) {
  window_.send(studio::OpenPath{large_});
  window_.send(studio::AddSplats{small_, true});
  window_.send(studio::CancelWork{});
  only_the_small_file_arrives();
}

// A unit of the scene has become 2 m since it was opened, that of the file that joins it is half a metre.
TEST(Opening, AnAddedFileComesAtTheScaleThatTheSceneHasNow) {
  const TempFolder folder;
  const fs::path config = folder.path() / "config", scene = folder.path() / "a.ply", other = folder.path() / "b.ply";
  splat::Gaussians model;
  model.resize(1);
  model.means = {0, 0, 8};
  model.quats[0] = 1;
  model.logit_opacities = {8};
  ASSERT_TRUE(io::write_splat_file(scene, model).ok() && io::write_splat_file(other, model).ok());
  io::SceneFrame frame;
  frame.metres_per_unit = 1;
  ASSERT_TRUE(io::write_scene_json_of(scene, {frame}).ok());
  frame.metres_per_unit = 0.5;
  ASSERT_TRUE(io::write_scene_json_of(other, {frame}).ok());
  const auto depth_of_the_added_one = [](LiveWindow& window) {
    if (!window.wait([&] { return window.edited && window.edited->objects.size() == 2; })) return 0.0;
    studio::EditScene select;
    select.request.step = splat::edit::SelectObject{1};
    select.request.wants.extent = true;
    window.edited.reset();
    window.send(select);
    window.wait([&] { return window.edited && window.edited->extent; });
    return window.edited && window.edited->extent ? window.edited->extent->centre[2] : 0.0;
  };
  {
    LiveWindow window(2, config);
    window.send(studio::OpenPath{scene});
    ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
    window.send(studio::AddSplats{other, false, 2});
    EXPECT_NEAR(depth_of_the_added_one(window), 2, 1e-6) << "4 m";
  }
  LiveWindow window(2, config);
  window.send(studio::OpenPath{scene});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  window.send(studio::RestoreEdits{scene});
  EXPECT_NEAR(depth_of_the_added_one(window), 2, 1e-6) << "as it was added";
}

TEST(Opening, PicksASurfaceAndAPhoto) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); }));
  window.send(studio::WantPhoto{2, 20});
  ASSERT_TRUE(window.wait([&] { return window.photo.has_value(); }));
  EXPECT_EQ(window.photo->view, 2);
  EXPECT_EQ(window.photo->picture.width, 20);
  EXPECT_EQ(window.photo->picture.height, 16);
  const fs::path file = scene.output("one.ply");
  splat::Gaussians model;
  model.resize(1);
  model.means = {0, 0, 5};
  model.quats[0] = 1;
  model.logit_opacities = {8};
  ASSERT_TRUE(io::write_splat_file(file, model).ok());
  window.send(studio::OpenPath{file});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  window.send(studio::PickPoint{view_of(viewer::CameraState{}, 64, 48), 32, 24});
  ASSERT_TRUE(window.wait([&] { return window.picked.has_value(); }));
  ASSERT_TRUE(window.picked->point.has_value());
  EXPECT_NEAR(window.picked->point->z, 5, 1e-3);
}

TEST(Opening, ChoicesAreTheCommandLinesOptions) {
  studio::TrainingChoices c;
  c.output = "/tmp/hipsplat-choices-test";
  c.train.iterations = 1234;
  c.dataset.resolution = 4;
  c.train.max_splats = 5000;
  c.train.sh_degree = 2;
  c.dataset.test_every = 6;
  c.train.seed = 11;
  c.train.background = splat::BackgroundMode::kColour;
  c.train.background_colour = {1, 0.5f, 0.25f};
  c.train.antialias = true;
  c.fine = {{"densify-until", "700"}};
  const SceneOnDisk scene;
  const auto options = options_of(scene.dataset(), c);
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->train.iterations, 1234);
  EXPECT_EQ(options->dataset.resolution, 4);
  EXPECT_EQ(options->train.max_splats, 5000u);
  EXPECT_EQ(options->train.sh_degree, 2);
  EXPECT_TRUE(options->dataset.eval);
  EXPECT_EQ(options->dataset.test_every, 6);
  EXPECT_EQ(options->train.seed, 11u);
  EXPECT_TRUE(options->train.antialias);
  EXPECT_EQ(options->train.background, splat::BackgroundMode::kColour);
  EXPECT_FLOAT_EQ(options->train.background_colour[1], 0.5f);
  EXPECT_EQ(options->train.adc.until, 700);
  EXPECT_EQ(options->input, scene.dataset());
  EXPECT_EQ(options->verb, kTrain);
  c.dataset.eval = false;
  EXPECT_FALSE(options_of(scene.dataset(), c)->dataset.eval);
  c.train.sh_degree = 9;
  EXPECT_FALSE(options_of(scene.dataset(), c).ok());
}

TEST(Opening, TheCommandLineHasWhatDiffersFromItsDefaults) {
  studio::TrainingChoices c;
  c.output = "/tmp/it's here";
  c.train.iterations = 500;
  c.dataset.test_every = 5;
  c.fine = {{"strategy", "adc"}, {"surface", ""}};
  EXPECT_EQ(command_line_of("/data/my photos", c),
            "hipsplat train '/data/my photos' -o '/tmp/it'\\''s here' --eval --test-every 5 --iterations 500 "
            "--strategy adc --surface");
  const auto options = options_of("/data/my photos", c);
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(splat::name_of(options->train.strategy), "adc");
}

TEST(Opening, RegionAndPhotosThatAreLeftOutAreOfTheCommandLine) {
  studio::TrainingChoices c;
  c.output = "/tmp/out";
  c.dataset.eval = false;
  c.train.region = splat::box_about({1, 2, 3}, {0.5, 0.25, 1}, splat::quat_about({0, 0, 1}, 30));
  c.left_out = {{"a b.jpg", "c.jpg"}};
  const auto options = options_of("/data/photos", c);
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->train.region, c.train.region) << "to the last bit";
  EXPECT_EQ(options->dataset.leave_out, (std::vector<std::string>{"a b.jpg", "c.jpg"}));
  c.resume = "/tmp/out/checkpoints/iteration_5.checkpoint";
  c.left_out->clear();
  const std::string line = command_line_of("/data/photos", c);
  EXPECT_NE(line.find("--leave-out ''"), std::string::npos) << line;
  EXPECT_EQ(line.find("--region"), std::string::npos) << "the checkpoint has it";
  const auto again = options_of("/data/photos", c);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again->was_given("leave-out"));
  c.left_out.reset();
  EXPECT_EQ(command_line_of("/data/photos", c).find("--leave-out"), std::string::npos);
}

TEST(Opening, EverySettingWithoutAControlIsARowThatCanBeSet) {
  const std::vector<OptionRow>& rows = training_settings();
  ASSERT_GT(rows.size(), 40u);
  const auto has = [&](const std::string& name) { return find_row(rows, name) != nullptr; };
  EXPECT_TRUE(has("strategy"));
  for (const char* name : {"masks", "depths", "images", "test-images", "save-at", "init", "deterministic", "minutes"})
    EXPECT_TRUE(has(name)) << name;
  for (const char* name : {"align-quality", "threads", "output", "json", "film", "path", "crf", "serve"})
    EXPECT_FALSE(has(name)) << name;
  EXPECT_FALSE(has("iterations")) << "it has a control of its own";
  for (const OptionRow& row : rows) {
    EXPECT_FALSE(row.help.empty()) << row.name;
    const bool is_flag = row.value.empty();
    const std::string usual = default_of(row);
    if (!is_flag && (usual.empty() || usual == "automatic")) continue;
    studio::TrainingChoices c;
    c.output = "/tmp/hipsplat-choices-test";
    c.fine = {{row.name, is_flag ? "" : usual}};
    EXPECT_TRUE(options_of("/data/photos", c).ok()) << row.name << " " << usual;
    for (const std::string& one : row.choices) {
      c.fine[row.name] = one;
      EXPECT_TRUE(options_of("/data/photos", c).ok()) << row.name << " " << one;
    }
  }
}

TEST(Opening, ASettingThatCannotBeIsSaidBeforeTheStart) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); }));
  studio::TrainingChoices c;
  c.fine = {{"opacity-rate", "much"}};
  window.send(studio::WantRunPreview{c});
  ASSERT_TRUE(window.wait([&] { return window.preflight.has_value(); }));
  EXPECT_NE(window.preflight->refused.find("opacity-rate"), std::string::npos) << window.preflight->refused;
  window.preflight.reset();
  window.send(studio::WantRunPreview{});
  ASSERT_TRUE(window.wait([&] { return window.preflight.has_value(); }));
  EXPECT_EQ(window.preflight->refused, "");
}

// The box is the scene's, and goes when another one is opened.
TEST(Opening, WhatLiesAroundIsKeptWhereThereIsNoBox) {
  studio::TrainingChoices c;
  c.output = "/tmp/out";
  c.train.region_alone = true;
  const auto without = options_of("/data/photos", c);
  ASSERT_TRUE(without.ok()) << without.error().message;
  EXPECT_FALSE(without->train.region_alone);
  c.train.region = splat::box_about({1, 2, 3}, {0.5, 0.25, 1}, splat::quat_about({0, 0, 1}, 30));
  EXPECT_TRUE(options_of("/data/photos", c)->train.region_alone);
}

// A first run in the window is to be seen to its end.
TEST(Opening, ChoicesAreFewerIterationsWithPhotosHeldOut) {
  const studio::TrainingChoices c;
  RunSettings settings = c;
  EXPECT_LT(settings.train.iterations, RunSettings().train.iterations);
  EXPECT_TRUE(settings.dataset.eval);
  settings.train.iterations = RunSettings().train.iterations, settings.dataset.eval = false;
  EXPECT_EQ(settings, RunSettings());
}

TEST(Opening, TheSuggestedFolderIsNotTaken) {
  const TempFolder folder;
  fs::create_directories(folder.path() / "garden");
  const fs::path first = suggested_output(folder.path() / "garden");
  EXPECT_EQ(first, fs::weakly_canonical(folder.path()) / "garden_splats");
  fs::create_directories(first);
  EXPECT_EQ(suggested_output(folder.path() / "garden/").filename(), "garden_splats_2");
}

TEST(Opening, TheSuggestedFolderIsBesideTheLinkAndNeverInTheProgram) {
  const TempFolder folder;
  fs::create_directories(folder.path() / "real/garden");
  fs::create_directories(folder.path() / "mine");
  fs::create_directory_symlink(folder.path() / "real/garden", folder.path() / "mine/link");
  EXPECT_EQ(suggested_output(folder.path() / "mine/link"), folder.path() / "mine/link_splats");
  ASSERT_FALSE(demo_folder().empty());
  EXPECT_EQ(suggested_output(demo_folder()).parent_path().filename(), "hipsplat");
}

// Sets a variable of the environment for one test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Opening, APictureIsTransparentWhereNoSplatsAreAndOneIsMadeForTheClipboard) {
  const TempFolder folder;
  const Environment cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
  const splat::test::Scene scene = splat::test::make_scene({.splats = 20, .width = 64, .height = 48});
  splat::Gaussians model = scene.model;
  model.sh.assign(model.sh.size(), 0.0f);  // grey, one half
  const fs::path path = folder.path() / "scene.ply";
  ASSERT_TRUE(io::write_splat_file(path, model).ok());
  LiveWindow window;
  window.send(studio::OpenPath{path});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  window.send(studio::SaveRendering{{scene.view, {}}, folder.path() / "clear.png", true});
  ASSERT_TRUE(window.wait([&] { return window.noticed("clear.png", NoticeKind::kInfo); }));
  const auto clear = io::read_image(folder.path() / "clear.png");
  ASSERT_TRUE(clear.ok());
  ASSERT_EQ(clear->channels, 4);
  size_t empty = 0, seen = 0;
  for (size_t i = 0; i < clear->pixels.size(); i += 4) {
    const int alpha = clear->pixels[i + 3];
    empty += alpha == 0;
    if (alpha < 40) continue;
    ++seen;
    EXPECT_NEAR(clear->pixels[i], 128, 5) << "not darkened by what is behind it";
  }
  EXPECT_GT(empty, 0u);
  EXPECT_GT(seen, 0u);
  window.send(studio::SaveRendering{{scene.view, {}}, {}});
  ASSERT_TRUE(window.wait([&] { return window.to_copy.has_value(); }));
  const auto copied = io::read_image(window.to_copy->png);
  ASSERT_TRUE(copied.ok());
  EXPECT_EQ(copied->channels, 3);
  EXPECT_EQ(copied->width, scene.view.camera.width);
}

TEST(Opening, TheFolderOfAFirstRunIsMadeInAnEmptyHome) {
  const TempFolder folder;
  const fs::path home = folder.path() / "home";
  fs::create_directories(home);
  const Environment at_home("HOME", home.string());
  LiveWindow window;
  window.send(studio::OpenPath{demo_folder()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  EXPECT_EQ(window.dataset->suggested_output, home / "hipsplat/demo_splats");
  EXPECT_TRUE(fs::is_empty(home)) << "nothing is written before there is a run";
  studio::TrainingChoices choices;
  choices.train.iterations = 2;
  choices.dataset.resolution = 60;
  choices.output = window.dataset->suggested_output;
  window.send(studio::StartTraining{choices});
  ASSERT_TRUE(window.wait_for(studio::RunStatus::kFinished, 120)) << window.all_notices();
  EXPECT_TRUE(fs::exists(home / "hipsplat/demo_splats/metrics.json"));
  choices.output = home / "mistyped/demo_splats";
  window.send(studio::StartTraining{choices});
  ASSERT_TRUE(window.wait([&] { return window.noticed("there is no folder", studio::NoticeKind::kError); }))
      << "a name of the user's own makes no tree of folders";
  EXPECT_EQ(window.notices.back().mended_by, "Choose where results go");
  EXPECT_EQ(window.training.status, studio::RunStatus::kFinished) << "nothing was begun";
  EXPECT_FALSE(fs::exists(home / "mistyped"));
}

TEST(Opening, WhereThereIsNoHomeResultsGoWhereEverybodyMayWrite) {
  const TempFolder folder;
  const Environment nowhere("HOME", (folder.path() / "nowhere").string());
  const Environment temporary("TMPDIR", folder.path().string());
  EXPECT_EQ(suggested_output(demo_folder()), folder.path() / "hipsplat/demo_splats");
  EXPECT_FALSE(fs::exists(folder.path() / "nowhere"));
}

TEST(WindowSettingsFile, WhatIsWrittenIsReadAndWhatIsNotThereIsEmpty) {
  const TempFolder folder;
  const fs::path config = folder.path() / "a/b";
  EXPECT_EQ(read_window_settings(config), "");
  ASSERT_TRUE(write_window_settings(config, "{\"theme\": 1}").ok());
  EXPECT_EQ(read_window_settings(config), "{\"theme\": 1}");
  folder.write("file", "");
  EXPECT_FALSE(write_window_settings(folder.path() / "file", "x").ok());
  EXPECT_FALSE(write_window_settings("", "x").ok());
  folder.write("huge/window.json", std::string(2 << 20, ' '));
  EXPECT_EQ(read_window_settings(folder.path() / "huge"), "");
}

}  // namespace
}  // namespace studio::test
