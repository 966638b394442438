// --train --film through the program.
#include <csignal>
#include <fstream>

#include "io/image_file.h"
#include "tests/app/jobs/film/decoded.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

class TrainingFilm : public testing::TestWithParam<const char*> {
 protected:
  TrainingFilm() {
    std::ofstream(out("path.json")) << R"({"format": "hipsplat camera path", "version": 1, "keys": [
        {"seconds": 0, "position": [0, 0, -6], "rotation": [1, 0, 0, 0], "fov_y": 50},
        {"seconds": 1, "position": [1, 0, -6], "rotation": [1, 0, 0, 0], "fov_y": 50}]})";
  }
  std::string out(const std::string& name) const { return scene_.output(name); }
  std::vector<std::string> training(const std::string& output, std::vector<std::string> more) const {
    std::vector<std::string> words{"train", scene_.dataset(), "-o", out(output), "--threads", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<std::string> filmed(const std::string& output, const std::string& film,
                                  std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--film", out(film), "--path", out("path.json"), "--size", "64x48", "--fps", "8"});
    return training(output, more);
  }
  std::string pictures(const std::string& folder) const {
    std::string all;
    for (int i = 0; fs::exists(picture(folder, i)); ++i) all += pixels(folder, i);
    return all;
  }
  std::string picture(const std::string& folder, int index) const {
    char name[32];
    std::snprintf(name, sizeof name, "/picture_%06d.png", index);
    return out(folder) + name;
  }
  std::string pixels(const std::string& folder, int index) const {
    const auto image = io::read_image(picture(folder, index));
    EXPECT_TRUE(image.ok()) << image.error().message;
    return image ? std::string(image->pixels.begin(), image->pixels.end()) : std::string();
  }
  // As --render draws it.
  std::string rendered(const std::string& run_output, int index) {
    const std::string folder = run_output + "_rendered";
    const Ran ran = run(
        {"render", out(run_output), "-o", out(folder), "--path", out("path.json"), "--size", "64x48", "--fps", "8"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return pixels(folder, index);
  }

  SceneOnDisk scene_;
  static constexpr size_t kPicture = 64 * 48 * 3;
};

TEST_P(TrainingFilm, ShowsTheRunFromItsFirstSplatsToItsLast) {
  const std::vector<std::string> how{"-i", "60", "--strategy", GetParam(), "--densify-from", "10", "--densify-every",
                                     "10"};
  Ran ran = run(filmed("run", "film", how));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("film: 8 pictures of 64x48"), std::string::npos) << ran.err;
  const std::string all = pictures("film");
  ASSERT_EQ(all.size(), 8 * kPicture);
  for (size_t i = 1; i < 8; ++i) EXPECT_NE(all.substr(i * kPicture, kPicture), all.substr(0, kPicture));
  EXPECT_EQ(all.substr(7 * kPicture), rendered("run", 7)) << "the last picture is of the result";
  std::vector<std::string> none = how;
  none[1] = "0";
  ASSERT_EQ(run(training("start", none)).code, 0);
  EXPECT_EQ(all.substr(0, kPicture), rendered("start", 0)) << "the first picture is of what training begins with";

  ASSERT_EQ(run(training("plain", how)).code, 0);
  const char* splats = "/point_cloud/iteration_60/point_cloud.ply";
  EXPECT_EQ(text_of(out("run") + splats), text_of(out("plain") + splats)) << "a film changes nothing";
}
INSTANTIATE_TEST_SUITE_P(Strategies, TrainingFilm, testing::Values("budget", "adc", "mcmc"));

class OneTrainingFilm : public TrainingFilm {};
INSTANTIATE_TEST_SUITE_P(Any, OneTrainingFilm, testing::Values(""));

TEST_P(OneTrainingFilm, GoesOnWithAResumedRun) {
  const std::vector<std::string> how{"-i", "400", "--checkpoint-every", "100"};
  ASSERT_EQ(run(filmed("whole", "whole_film", how)).code, 0);
  RunOptions stopped;
  stopped.signal = SIGINT;
  stopped.when = [&] { return fs::exists(picture("film", 3)); };
  Ran ran = run(filmed("run", "film", how), stopped);
  ASSERT_EQ(ran.code, 130) << ran.err;
  fs::path checkpoint;
  for (const auto& entry : fs::directory_iterator(out("run/checkpoints"))) {
    const auto newer = [&] { return fs::last_write_time(entry) > fs::last_write_time(checkpoint); };
    if (checkpoint.empty() || newer()) checkpoint = entry.path();
  }
  const auto drawn = fs::last_write_time(picture("film", 2));
  ran = run(filmed("run", "film", {"--resume", checkpoint.string(), "--json"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(pictures("film"), pictures("whole_film"));
  EXPECT_EQ(fs::last_write_time(picture("film", 2)), drawn) << "not drawn again";
  EXPECT_EQ(ran.err.find("not kept"), std::string::npos) << ran.err;

  // One that was not filmed from its beginning says so, and another run begins its film anew.
  ran = run(filmed("run", "late", {"--resume", checkpoint.string()}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("were not kept"), std::string::npos) << ran.err;
  EXPECT_EQ(pictures("late").size(), 8 * kPicture);
  ASSERT_EQ(run(filmed("other", "film", {"-i", "10", "--seed", "5"})).code, 0);
  EXPECT_EQ(pixels("film", 7), rendered("other", 7));
  ASSERT_EQ(run(filmed("other", "film", {"-i", "10", "--seconds", "0.5"})).code, 0);
  EXPECT_EQ(pictures("film").size(), 4 * kPicture) << "none of the longer film before";
}

// Of a run that is resumed far behind its beginning: earlier pictures are those of the finished film.
TEST_P(OneTrainingFilm, AFinishedFilmKeepsThePicturesOfIterationsThatAreGone) {
  const std::vector<std::string> how{"-i", "60", "--checkpoint-every", "50"};
  ASSERT_EQ(run(filmed("run", "film", how)).code, 0);
  const std::string first = pictures("film"), checkpoint = out("run/checkpoints/iteration_50.checkpoint");
  ASSERT_TRUE(fs::exists(checkpoint));
  // With more iterations what comes later is drawn anew, and what was before stays, as near as it is.
  Ran ran = run(filmed("run", "film", {"--resume", checkpoint, "-i", "70"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("4 pictures of the film stay as they are"), std::string::npos) << ran.err;
  const std::string second = pictures("film");
  ASSERT_EQ(second.size(), first.size());
  EXPECT_EQ(second.substr(0, 5 * kPicture), first.substr(0, 5 * kPicture));
  for (size_t i = 5; i < 8; ++i) EXPECT_NE(second.substr(i * kPicture, kPicture), first.substr(i * kPicture, kPicture));
  if (!has_ffmpeg()) return;
  ASSERT_EQ(run(filmed("run", "film.mp4", how)).code, 0);
  EXPECT_FALSE(fs::exists(out("film.mp4.pictures")));
  ran = run(filmed("run", "film.mp4", {"--resume", checkpoint}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err.find("were not kept"), std::string::npos) << ran.err;
  const std::string film = decoded(out("film.mp4"));
  ASSERT_EQ(film.size(), first.size());
  for (size_t i = 0; i < 8; ++i)
    EXPECT_GT(psnr(film.substr(i * kPicture, kPicture), first.substr(i * kPicture, kPicture)), 33) << i;
}

TEST_P(OneTrainingFilm, ItsPicturesCountInWhatIsSaidOfDiskAndMemory) {
  const Ran ran = run(filmed("run", "film", {"-i", "1"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("of disk for its pictures"), std::string::npos) << ran.err;
}

// Before anything is written: neither a run begins nor a film.
TEST_P(OneTrainingFilm, ThatNoDiskHoldsIsRefusedAtOnce) {
  if (fs::space(out("")).available > 13'000'000'000'000) GTEST_SKIP() << "the disk is larger than any film";
  const std::vector<std::string> film{"-i",        "1",         "--film", out("film"), "--size",
                                      "4000x4000", "--seconds", "86400",  "--fps",     "100"};
  expect_refused(run(training("run", film)), 2, {"need at least", "of disk", "--size"});
  EXPECT_FALSE(fs::exists(out("run")));
  EXPECT_FALSE(fs::exists(out("film")));
}

// On a disk of 10 MB the splats and the checkpoint come before the pictures.
TEST_P(OneTrainingFilm, EndsWhereTheRunNeedsTheDisk) {
  const std::string disk = out("disk");
  fs::create_directories(disk);
  const std::string mount = "mount -t tmpfs -o size=10000k tmpfs '" + disk + "'";
  std::string own = "unshare -rm ";
  if (std::system((own + mount + " 2> /dev/null").c_str()) != 0) own = "unshare -m ";
  if (std::system((own + mount + " 2> /dev/null").c_str()) != 0) GTEST_SKIP() << "no disk can be mounted";
  const std::string train = HIPSPLAT_PROGRAM " train '" + scene_.dataset() + "' --threads 2 -i 30 --path orbit -o '" +
                            disk + "/run' --film '" + disk + "/film' --size 1000x1000 --seconds 1";
  const std::string script = mount + "; " + train + " 2>&1; echo code $?; ls '" + disk + "/run' '" + disk + "/film'";
  std::ofstream(out("script")) << script;
  const std::string said = output_of(own + "sh '" + out("script") + "'");
  EXPECT_NE(said.find("the film ends here, training goes on"), std::string::npos) << said;
  EXPECT_NE(said.find("code 1\n"), std::string::npos) << said;
  EXPECT_NE(said.find("metrics.json\n"), std::string::npos) << said;
  EXPECT_NE(said.find("picture_000000.png\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("picture_000029.png\n"), std::string::npos) << said;
}

// A film whose pictures are nearly all of the last splats need not be waited for.
TEST_P(OneTrainingFilm, CanBeInterruptedAfterTheRun) {
  RunOptions stopped;
  stopped.signal = SIGINT;
  stopped.when = [&] { return fs::exists(picture("film", 1)); };
  const std::vector<std::string> how{"-i", "1", "--seconds", "1000"};
  Ran ran = run(filmed("run", "film", how), stopped);
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find(" of 8000 pictures"), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(out("run/metrics.json"))) << "the run is done";
  EXPECT_FALSE(fs::exists(picture("film", 7999)));
}

TEST_P(OneTrainingFilm, IsEncodedAtTheEnd) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::vector<std::string> how{"-i", "30", "--seconds", "9"};
  Ran ran = run(filmed("pictures_run", "pictures", how));
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<std::string> words = how;
  words.insert(words.end(), {"--json"});
  ran = run(filmed("run", "film.mp4", words));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<nlohmann::json> lines = ran.json_lines();
  EXPECT_EQ(lines.back()["type"], "film");
  EXPECT_EQ(lines.back()["pictures"], 72);
  EXPECT_GE(psnr(decoded(out("film.mp4")), pictures("pictures")), 38);
  EXPECT_FALSE(fs::exists(out("film.mp4.pictures")));
  EXPECT_FALSE(fs::exists(out("film.mp4.parts")));
}

// metrics.json says what was to be expected of the memory: pictures larger than the photos, too.
TEST_P(OneTrainingFilm, CountsInTheMemoryOfTheRun) {
  const auto predicted = [&](const std::string& size) {
    const Ran ran =
        run(training("run" + size, {"-i", "1", "--film", out("film" + size), "--size", size, "--seconds", "0.1"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(text_of(out("run" + size + "/metrics.json")))["predicted_peak_bytes"].get<double>();
  };
  EXPECT_GT(predicted("1000x1000"), predicted("100x100") + 20e6);
}

// The path is made of the dataset's cameras where it is not a file's.
TEST_P(OneTrainingFilm, FliesAroundTheSceneByItself) {
  const Ran ran = run(training("run", {"-i", "5", "--film", out("film"), "--size", "32x32", "--seconds", "0.2"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(pictures("film").size(), 6u * 32 * 32 * 3);
}

TEST_P(OneTrainingFilm, WrongInputIsRefusedBeforeTraining) {
  expect_refused(run(training("run", {"--film", out("film"), "--path", out("none.json")})), 2, {"none.json"});
  expect_refused(run(training("run", {"--film", out("film.avi")})), 2, {"film.avi", ".mp4"});
  expect_refused(run(training("run", {"--film", out("film.mp4"), "--size", "63x48"})), 2, {"even"});
  expect_refused(run(training("run", {"--path", "orbit"})), 2, {"--path", "--film"});
  expect_refused(run(training("run", {"--fps", "5"})), 2, {"--fps", "--film"});
  fs::create_directories(out("other.mp4.parts"));
  std::ofstream(out("other.mp4.parts/000000.mp4")) << "mine";
  expect_refused(run(training("run", {"--film", out("other.mp4")})), 2, {"other.mp4.parts", "no film"});
  std::ofstream(out("text.mp4")) << "a letter";
  expect_refused(run(training("run", {"--film", out("text.mp4")})), 2, {"text.mp4"});
  EXPECT_EQ(text_of(out("text.mp4")), "a letter");
  std::ofstream(out("file")) << "a letter";
  expect_refused(run(training("run", {"--film", out("file")})), 2, {"file"});
  EXPECT_FALSE(fs::exists(out("run")));
  fs::create_directories(out("mine"));
  std::ofstream(picture("mine", 0)) << "mine";
  expect_refused(run(training("run", {"--film", out("mine")})), 2, {"picture_000000.png"});
  EXPECT_EQ(text_of(picture("mine", 0)), "mine");
}

// Its pictures land neither among photos nor in a run's folders, whatever way leads there.
TEST_P(OneTrainingFilm, HasAPlaceOfItsOwn) {
  const fs::path images = fs::path(scene_.dataset()) / "images";
  fs::create_directory_symlink(images, out("link"));
  const std::string photo = fs::directory_iterator(images)->path().filename();
  const auto refused = [&](const std::string& film, const std::vector<std::string>& parts,
                           const std::string& to = "run") {
    expect_refused(run(filmed(to, film, {"-i", "3"})), 2, parts);
    EXPECT_FALSE(fs::exists(out("run"))) << film;
    EXPECT_FALSE(fs::exists(images / "film.json")) << film;
  };
  const std::string data = fs::relative(scene_.dataset(), out(""));
  refused("link", {"holds photos", "--force"});
  refused("link/film", {"holds photos"});
  refused(data + "/images", {"holds photos"});
  refused(data + "/images/../images/new/../film", {"holds photos"});
  refused(data + "/images/film.mp4", {"holds photos"});
  for (const char* name : {"run", "run/", "other/../run", "run/point_cloud", "run/point_cloud/iteration_3",
                           "run/checkpoints", "run/checkpoints/film.mp4", "run/align", "run/align/images"})
    refused(name, {"training run keeps its files", "--force"});
  ASSERT_EQ(run(training("earlier", {"-i", "1"})).code, 0);
  for (const char* name : {"earlier", "earlier/point_cloud/iteration_1", "earlier/checkpoints"})
    refused(name, {"training run keeps its files"});
  fs::create_directories(out("theirs.mp4.parts"));
  std::ofstream(out("theirs.mp4.parts/000000.mp4")) << "theirs";
  if (has_ffmpeg()) refused("theirs.mp4", {"theirs.mp4.parts/000000.mp4", "belongs to no film"});
  EXPECT_EQ(text_of(out("theirs.mp4.parts/000000.mp4")), "theirs");
  std::ofstream(out("theirs.mp4.parts/film.json")) << "[]";
  if (has_ffmpeg()) refused("theirs.mp4", {"theirs.mp4.parts/film.json", "belongs to no film"});
  EXPECT_EQ(run(filmed("run", "run/film", {"-i", "3", "--seconds", "0.2"})).code, 0) << "beside the run's files";
  EXPECT_EQ(run(filmed("run", "run/film", {"-i", "3", "--seconds", "0.2"})).code, 0) << "and again";
}

}  // namespace
}  // namespace app::test
