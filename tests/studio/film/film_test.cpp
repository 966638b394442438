// Films and path files of the window, without a window: the film is that of the command line.
#include <gtest/gtest.h>

#include <fstream>

#include "app/settings/options.h"
#include "io/image_file.h"
#include "io/io.h"
#include "io/paths/path_file.h"
#include "splat/path/ready_made.h"
#include "studio/film/film_task.h"
#include "tests/app/jobs/film/decoded.h"
#include "tests/studio/live_window.h"
#include "tests/studio/model/live_choices.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/synthetic_scene.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;

namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

splat::CameraPath short_path(double seconds) {
  splat::CameraPath path = splat::orbit_path({.start = {0, 0, -4}}, seconds);
  path.target = {0.1, 0, 0};
  return path;
}

class FilmInTheWindow : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(splats_, splat::test::make_scene({}).model).ok());
    window_.send(studio::OpenPath{splats_});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); })) << window_.all_notices();
  }
  studio::FilmRequest choices(const std::string& name, double seconds) const {
    studio::FilmRequest film;
    film.splats = splats_;
    film.path = short_path(seconds);
    film.settings.width = 64, film.settings.height = 48, film.settings.per_second = 10;
    film.output = folder_.path() / name;
    return film;
  }
  testing::AssertionResult made(const studio::FilmRequest& film) {
    window_.film.reset();
    window_.send(studio::MakeFilm{film});
    if (window_.wait([&] { return window_.film.has_value(); }, 60)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << window_.all_notices();
  }
  int by_command(const studio::FilmRequest& film, const fs::path& output) {
    std::vector<std::string> words = film_words(film, LiveWindow::options(2));
    *std::find(words.begin(), words.end(), film.output.string()) = output.string();
    words.emplace_back("--quiet");
    return run(words).code;
  }
  bool worked(const std::string& part) const {
    return std::any_of(window_.works.begin(), window_.works.end(), [&](const studio::WorkProgress& work) {
      return work.what.find(part) != std::string::npos && work.can_cancel;
    });
  }

  splat::test::TempFolder folder_;
  const fs::path splats_ = folder_.path() / "scene.ply";
  LiveWindow window_;
};

// The words of a film, read by the command line, give the very task that the window runs.
TEST(FilmTask, IsTheTaskOfItsWords) {
  studio::FilmRequest film{"scene.ply", short_path(1), studio::FilmRequest::usual_film(), "a film.webm"};
  FilmSettings& settings = film.settings;
  settings.width = 640, settings.height = 480, settings.per_second = 12.5;
  settings.quality = 30, settings.projection = "stereo", settings.transparent = true;
  settings.samples = 3, settings.shutter = 0.4, settings.aperture = 0.02;
  SessionOptions session = LiveWindow::options(3);
  const auto expect_the_same = [&] {
    const auto task = film_task(film, session);
    ASSERT_TRUE(task.ok()) << task.error().message;
    Options read;
    const Outcome outcome = parse_options(film_words(film, session), read);
    ASSERT_TRUE(outcome.ok()) << outcome.sentence;
    const RenderTask command = render_task(read);
    EXPECT_EQ(task->film, command.film);
    EXPECT_EQ(task->splats, command.splats);
    EXPECT_EQ(task->output, command.output);
    EXPECT_EQ(task->low_pass_given, command.low_pass_given);
    EXPECT_EQ(task->look.low_pass, command.look.low_pass);
    EXPECT_EQ(task->look.antialias, command.look.antialias);
    EXPECT_EQ(task->look.background, command.look.background);
    EXPECT_EQ(task->words, command.words);
    EXPECT_EQ(task->device.threads, 3);
  };
  expect_the_same();
  EXPECT_EQ(film_task(film, session)->film.path, "a film.path.json");
  film.settings = studio::FilmRequest::usual_film(), film.settings.depth = true, film.output = "pictures";
  session.low_pass_of = film.splats, session.low_pass = 0.5f;
  expect_the_same();
  film.settings.depth = false, film.settings.transparent = true, film.output = "no.mp4";
  EXPECT_FALSE(film_task(film, session).ok()) << "as the command line refuses it";
}

TEST_F(FilmInTheWindow, IsTheFilmOfTheCommandLine) {
  studio::FilmRequest film = choices("window", 0.5);
  ASSERT_TRUE(made(film));
  EXPECT_TRUE(window_.film->whole) << window_.film->sentence;
  EXPECT_EQ(window_.film->output, film.output);
  EXPECT_EQ(io::read_path_file(folder_.path() / "window.path.json")->path, film.path);
  EXPECT_EQ(window_.film->command.rfind("hipsplat render ", 0), 0u) << window_.film->command;
  ASSERT_EQ(by_command(film, folder_.path() / "line"), 0);
  for (int i = 0; i < 5; ++i) {
    const std::string name = "picture_00000" + std::to_string(i) + ".png";
    const std::string picture = text_of(film.output / name);
    EXPECT_GT(picture.size(), 100u);
    EXPECT_TRUE(picture == text_of(folder_.path() / "line" / name)) << name;
  }
  EXPECT_EQ(text_of(film.output / "film.json"), text_of(folder_.path() / "line" / "film.json"));
}

TEST_F(FilmInTheWindow, CancelledItGoesOnWhereItWas) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const studio::FilmRequest film = choices("film.mp4", 60);
  window_.send(studio::MakeFilm{film});
  const fs::path parts = folder_.path() / "film.mp4.parts";
  ASSERT_TRUE(window_.wait([&] { return fs::exists(parts / "000001.mp4"); }, 60)) << window_.all_notices();
  EXPECT_TRUE(window_.wait([&] { return worked(" of 600 pictures"); }, 10)) << "and may be cancelled";
  window_.send(studio::CancelWork{});
  ASSERT_TRUE(window_.wait([&] { return window_.film.has_value(); }, 60)) << window_.all_notices();
  EXPECT_FALSE(window_.film->whole);
  EXPECT_NE(window_.film->sentence.find("goes on with it"), std::string::npos) << window_.film->sentence;
  EXPECT_FALSE(fs::exists(film.output));
  EXPECT_TRUE(fs::exists(parts / "000000.mp4"));
  window_.works.clear();
  ASSERT_TRUE(made(film));
  ASSERT_TRUE(window_.film->whole) << window_.film->sentence;
  EXPECT_FALSE(worked(" of 600 pictures")) << "not those of the pieces that were there";
  EXPECT_FALSE(fs::exists(parts));
  ASSERT_EQ(by_command(film, folder_.path() / "line.mp4"), 0);
  EXPECT_TRUE(text_of(film.output) == text_of(folder_.path() / "line.mp4"));
}

TEST_F(FilmInTheWindow, AForeignFileIsNotReplacedByThePath) {
  folder_.write("a.path.json", "{\"notes\": \"mine\"}");
  const studio::FilmRequest film = choices("a", 0.2);
  window_.send(studio::MakeFilm{film});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("is no camera path", NoticeKind::kError); }))
      << window_.all_notices();
  EXPECT_EQ(text_of(folder_.path() / "a.path.json"), "{\"notes\": \"mine\"}");
  EXPECT_FALSE(fs::exists(film.output));
}

// That somebody has saved; the film's own from before is replaced with it.
TEST_F(FilmInTheWindow, AnotherCameraPathIsNotReplacedByThePath) {
  studio::FilmRequest film = choices("film", 0.2);
  const fs::path file = path_file_of(film.output);
  ASSERT_TRUE(io::write_path_file(file, short_path(7)).ok());
  const std::string before = text_of(file);
  window_.send(studio::MakeFilm{film});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("is another camera path", NoticeKind::kError); }, 60))
      << window_.all_notices();
  EXPECT_EQ(text_of(file), before);
  EXPECT_EQ(window_.notices.back().mended_by, "Make a film");
  EXPECT_EQ(window_.notices.back().refused, folder_.path());
  fs::remove(file);
  ASSERT_TRUE(made(film));
  film.path = short_path(0.3);
  ASSERT_TRUE(made(film)) << "the same film, by another path";
}

// The run's splats are with the run, and not with what was opened before.
TEST_F(FilmInTheWindow, AfterTrainingThePreviewShowsWhatWasTrained) {
  const SceneOnDisk scene;
  window_.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window_.wait([&] { return window_.dataset.has_value(); })) << window_.all_notices();
  window_.send(studio::StartTraining{test::choices(scene.output("run"), 20)});
  ASSERT_TRUE(window_.wait_for(studio::RunStatus::kFinished, 60)) << window_.all_notices();
  studio::FilmRequest film = choices("film", 1);
  film.splats = scene.output("run");
  const std::vector<splat::View> views{window_.dataset->cameras[0].view, window_.dataset->cameras[1].view};
  film.path = splat::flight_path(views, 1);
  window_.send(studio::WantFilmPreview{film, 0});
  ASSERT_TRUE(window_.wait([&] { return window_.preview.has_value(); }, 60)) << window_.all_notices();
  EXPECT_EQ(window_.preview->problem, "");
  const auto& pixels = window_.preview->picture.pixels;
  EXPECT_GT(std::count_if(pixels.begin(), pixels.end(), [](uint8_t value) { return value > 40; }), 100) << "no black";
  window_.send(studio::WantMeshPrediction{});
  EXPECT_TRUE(window_.wait([&] { return window_.mesh_prediction.has_value(); }, 60)) << "and so do meshes";
}

TEST_F(FilmInTheWindow, APictureIsThereBeforehandAndWhatItWillTake) {
  studio::FilmRequest film = choices("", 2);
  film.output.clear();
  const auto previewed = [&](const studio::FilmRequest& wanted) {
    window_.preview.reset();
    window_.send(studio::WantFilmPreview{wanted, 0.5});
    EXPECT_TRUE(window_.wait([&] { return window_.preview.has_value(); }, 60)) << window_.all_notices();
    return window_.preview.value_or(studio::FilmPreview{});
  };
  const studio::FilmPreview small = previewed(film);
  EXPECT_EQ(small.problem, "");
  EXPECT_EQ(small.film, film);
  EXPECT_EQ(small.picture.width, 64);
  studio::FilmRequest named = film;
  named.output = folder_.path() / "film";
  ASSERT_TRUE(made(named));
  const auto fifth = io::read_image(named.output / "picture_000005.png");
  ASSERT_TRUE(fifth.ok());
  EXPECT_EQ(small.picture.pixels, fifth->pixels) << "that of the film, at this time";
  EXPECT_NEAR(double(small.picture_bytes), double(fs::file_size(named.output / "picture_000005.png")), 1);
  film.settings.width = 1920, film.settings.height = 1080, film.settings.samples = 32, film.settings.transparent = true;
  const studio::FilmPreview large = previewed(film);
  EXPECT_EQ(large.problem, "");
  EXPECT_LE(large.picture.width * large.picture.height, 640 * 360 * 1.05);
  EXPECT_EQ(large.picture.channels, 4);
  EXPECT_GT(large.seconds, 20 * small.seconds) << "32 times as many drawings of 675 times as many pixels";
  film.settings = choices("", 2).settings, film.settings.projection = "360";
  EXPECT_NE(previewed(film).problem.find("twice as wide"), std::string::npos);
}

TEST_F(FilmInTheWindow, PathsAreReadAndWritten) {
  const splat::CameraPath path = short_path(2);
  const fs::path ours = folder_.path() / "path.json", theirs = folder_.path() / "camera_path.json";
  FilmSettings pictures = studio::FilmRequest::usual_film();
  pictures.per_second = 5, pictures.width = 320, pictures.height = 200;
  window_.send(studio::SavePath{ours, path});
  window_.send(studio::SavePath{theirs, path, true, pictures});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("written to '" + theirs.string(), NoticeKind::kDone); }))
      << window_.all_notices();
  window_.send(studio::ReadPath{ours});
  ASSERT_TRUE(window_.wait([&] { return window_.path.has_value(); }));
  EXPECT_EQ(window_.path->path, path);
  window_.path.reset();
  window_.send(studio::ReadPath{theirs});
  ASSERT_TRUE(window_.wait([&] { return window_.path.has_value(); }));
  EXPECT_EQ(window_.path->path.keys.size(), 10u);
  EXPECT_EQ(window_.path->per_second, 5);
  EXPECT_EQ(window_.path->width, 320);
  window_.path.reset();
  window_.send(studio::ReadPath{splats_});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("scene.ply", NoticeKind::kError); }));
  EXPECT_FALSE(window_.path);
}

}  // namespace
}  // namespace studio::test
