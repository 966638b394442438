// Whole alignments with a stand-in for colmap (tests/support/colmap), of both versions: what comes out, what is said
// when something fails, and that a run that was cut short anywhere goes on.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "align/align.h"
#include "align/colmap/database.h"
#include "align/colmap/model_files.h"
#include "io/bytes.h"
#include "io/dataset/load_dataset.h"
#include "io/image_file.h"
#include "io/json.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace align {
namespace {

namespace fs = std::filesystem;

constexpr int kPhotos = 12;

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class AlignmentTest : public testing::TestWithParam<const char*> {
 protected:
  AlignmentTest() {
    set("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM);
    set("FAKE_COLMAP_VERSION", GetParam());
    for (int i = 0; i < kPhotos; ++i)
      folder_.write("photos/" + names()[size_t(i)], io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, i), 90));
    options_.input = folder_.path() / "photos";
    options_.scene = folder_.path() / "out" / "scene";
    options_.threads = 2;
    options_.note = [this](const std::string& sentence) { said_ += sentence + "\n"; };
    options_.warning = [this](const std::string& sentence) { warned_ += sentence + "\n"; };
  }
  ~AlignmentTest() override {
    for (const std::string& name : set_) unsetenv(name.c_str());
  }
  void set(const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
    set_.push_back(name);
  }
  static std::vector<std::string> names() {
    std::vector<std::string> list;
    for (int i = 0; i < kPhotos; ++i)
      list.push_back((i % 3 == 0 ? "with blank " : i % 3 == 1 ? "Tür/ö" : "x") + std::to_string(10 + i) + ".jpg");
    std::sort(list.begin(), list.end());
    return list;
  }
  AlignOutcome align() { return align_scene(options_); }
  void expect_complete(const AlignOutcome& outcome) {
    ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
    EXPECT_EQ(outcome.report.photos, size_t(kPhotos));
    EXPECT_EQ(outcome.report.registered, size_t(kPhotos));
    EXPECT_TRUE(outcome.report.missing.empty());
    const auto model = summarise_model(options_.scene / "sparse/0");
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model->names, names());
  }
  size_t calls(const std::string& command = "") const {  // of colmap, as the log has them
    std::ifstream log(options_.scene / "align.log");
    size_t count = 0;
    for (std::string line; std::getline(log, line);) count += line.starts_with("$ ") && mentions(line, command);
    return count;
  }
  size_t cameras() {
    auto database = ColmapDatabase::open(options_.scene / "work/database.db");
    const auto images = database->images();
    std::set<uint32_t> ids;
    for (const DatabaseImage& image : *images) ids.insert(image.camera_id);
    return ids.size();
  }

  splat::test::TempFolder folder_;
  AlignOptions options_;
  std::string said_, warned_;
  std::vector<std::string> set_;
};
INSTANTIATE_TEST_SUITE_P(Versions, AlignmentTest, testing::Values("3.8", "4.1.1"),
                         [](const auto& info) { return info.param[0] == '3' ? "Colmap38" : "Colmap41"; });

TEST_P(AlignmentTest, PhotosBecomeASceneThatTrainingOpens) {
  const AlignOutcome outcome = align();
  expect_complete(outcome);
  EXPECT_NEAR(outcome.report.reprojection_error_px, 0.7, 1e-9);  // of the final adjustment
  EXPECT_NEAR(outcome.report.track_length, 2, 1e-9);
  EXPECT_EQ(outcome.report.colmap, GetParam());
  const auto dataset = io::load_dataset(options_.scene, {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(dataset->views.size(), size_t(kPhotos));
  EXPECT_TRUE(dataset->missing_images.empty());
  EXPECT_TRUE(dataset->extra_images.empty());
  const auto record = io::parse_json(*io::read_file(options_.scene / "align.json"), "align.json");
  EXPECT_EQ((*record)["result"]["registered"], kPhotos);
  EXPECT_EQ((*record)["stages"]["mapping"]["done"], true);
  EXPECT_FALSE(is_unaligned(options_.scene));
  EXPECT_TRUE(is_unaligned(options_.input));
  EXPECT_EQ(cameras(), 1u);
}

TEST_P(AlignmentTest, ProgressGoesThroughTheStages) {
  std::vector<Stage> stages;
  size_t registered = 0;
  double last_seconds = 0, last_share = 0;
  size_t last_done = 0;
  options_.progress = [&](const AlignProgress& now) {
    if (stages.empty() || stages.back() != now.stage) stages.push_back(now.stage), last_done = 0;
    EXPECT_GE(now.done, last_done) << name_of(now.stage);
    EXPECT_GE(now.share, last_share) << name_of(now.stage);
    EXPECT_LE(now.share, 1);
    last_done = now.done, last_share = now.share;
    registered = std::max(registered, now.registered);
    EXPECT_GE(now.seconds, last_seconds);
    EXPECT_GE(now.eta_seconds, 0);
    EXPECT_TRUE(now.total == 0 || now.done <= now.total) << name_of(now.stage) << " " << now.done << "/" << now.total;
    last_seconds = now.seconds;
  };
  expect_complete(align());
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::kPhotos, Stage::kFeatures, Stage::kMatching, Stage::kVerification,
                                        Stage::kMapping, Stage::kRefinement}));
  EXPECT_EQ(registered, size_t(kPhotos));
}

TEST_P(AlignmentTest, WhoWatchesSeesTheSceneGrow) {
  std::vector<std::string> seen;
  options_.model_so_far = [&](const fs::path& scene) {
    const auto dataset = io::load_dataset(scene, {});
    ASSERT_TRUE(dataset.ok()) << dataset.error().message;
    EXPECT_TRUE(dataset->missing_images.empty());
    for (const splat::DatasetView& view : dataset->views) seen.push_back(view.name);
  };
  expect_complete(align());
  EXPECT_GE(seen.size(), 5u);  // the first snapshot's
  const std::vector<std::string> all = names();
  for (const std::string& name : seen) EXPECT_TRUE(std::binary_search(all.begin(), all.end(), name)) << name;
}

TEST_P(AlignmentTest, WhatIsDoneIsNotDoneAgain) {
  expect_complete(align());
  const size_t before = calls();
  expect_complete(align());
  EXPECT_EQ(calls(), before);
  options_.quality = Quality::kFast;
  expect_complete(align());
  EXPECT_GT(calls(), before);
}

TEST_P(AlignmentTest, MorePhotosAreSeen) {
  fs::remove(options_.input / names().back());
  EXPECT_EQ(align().report.registered, size_t(kPhotos - 1));
  folder_.write("photos/" + names().back(), io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, 99), 90));
  expect_complete(align());
}

TEST_P(AlignmentTest, AFailingProgramIsAFailureAndTheNextRunGoesOn) {
  const std::vector<std::pair<std::string, std::string>> failures{
      {"feature_extractor=segv", "colmap feature_extractor was ended by signal 11"},
      {"feature_extractor=memory", "colmap feature_extractor ran out of memory"},
      {"matches_importer=exit", "'Check failed: something is odd'"},
      {"matches_importer=disk", "colmap matches_importer found the disk full"},
      {"mapper=segv", "colmap mapper was ended by signal 11"}};
  for (const auto& [failure, sentence] : failures) {
    set("FAKE_COLMAP_FAIL", failure);
    const AlignOutcome outcome = align();
    EXPECT_EQ(outcome.end, AlignEnd::kFailed) << failure;
    EXPECT_TRUE(mentions(outcome.sentence, sentence)) << outcome.sentence;
    EXPECT_TRUE(mentions(outcome.sentence, "align.log")) << outcome.sentence;
    EXPECT_FALSE(mentions(outcome.sentence, "\n"));
  }
  set("FAKE_COLMAP_FAIL", "bundle_adjuster=segv");  // this one can be done without
  expect_complete(align());
  EXPECT_TRUE(mentions(warned_, "the final adjustment failed and is left out"));
}

TEST_P(AlignmentTest, TooFewPlacedPhotosAreTriedAgain) {
  set("FAKE_COLMAP_REGISTERED", "0.5");
  expect_complete(align());
  EXPECT_TRUE(mentions(said_, "6 of 12 photos found their place; trying again with wider settings")) << said_;
}

// Two models that share photos: each too small, together the whole.
TEST_P(AlignmentTest, ModelsThatSharePhotosAreMerged) {
  set("FAKE_COLMAP_HALVES", "3");
  expect_complete(align());
  EXPECT_TRUE(mentions(said_, "9 of 12 photos found their place; trying again")) << said_;
  EXPECT_FALSE(fs::exists(options_.scene / "work/mapping/more")) << "nothing was left to be added one by one";
}

TEST_P(AlignmentTest, AnAdjustmentThatMakesItWorseIsNotKept) {
  set("FAKE_COLMAP_ADJUSTED", "0.81");
  const AlignOutcome outcome = align();
  expect_complete(outcome);
  EXPECT_NEAR(outcome.report.reprojection_error_px, 0.8, 1e-9);  // the mapper's
}

TEST_P(AlignmentTest, WithTooLittleMemoryForTwoThreadsOneIsUsed) {
  set("FAKE_COLMAP_FAIL", "feature_extractor=memory_of_threads");
  expect_complete(align());
  EXPECT_TRUE(mentions(said_, "ran out of memory with 2 threads; going on with fewer")) << said_;
}

TEST_P(AlignmentTest, StragglersAreAdded) {
  set("FAKE_COLMAP_REGISTERED", "0.9");
  expect_complete(align());
}

TEST_P(AlignmentTest, WhatWasVerifiedAnewForStragglersIsNotDoneAgain) {
  set("FAKE_COLMAP_REGISTERED", "0.9");
  options_.cancelled = [&] { return fs::exists(options_.scene / "work/mapping/more"); };
  ASSERT_EQ(align().end, AlignEnd::kCancelled);
  const size_t before = calls("matches_importer");
  options_.cancelled = {};
  expect_complete(align());
  EXPECT_EQ(calls("matches_importer"), before);
}

TEST_P(AlignmentTest, PhotosWithoutOverlapAreExplained) {
  set("FAKE_COLMAP_ISLANDS", "1");
  const AlignOutcome outcome = align();
  EXPECT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_EQ(outcome.report.registered, 6u);
  EXPECT_EQ(outcome.report.missing.size(), 6u);
  EXPECT_TRUE(mentions(warned_, "the photos fall into 2 groups with no overlap between them: 6 (")) << warned_;
  EXPECT_TRUE(mentions(warned_, "6 of 12 photos found no place: ")) << warned_;
  EXPECT_TRUE(mentions(warned_, " (next to ")) << warned_;
}

TEST_P(AlignmentTest, PhotosThatCannotWorkAreUnusable) {
  set("FAKE_COLMAP_FEATURES", "30");
  AlignOutcome outcome = align();
  EXPECT_EQ(outcome.end, AlignEnd::kUnusable);
  EXPECT_TRUE(mentions(outcome.sentence, "too few features")) << outcome.sentence;
  unsetenv("FAKE_COLMAP_FEATURES");
  fs::remove_all(options_.scene);
  for (size_t i = 2; i < kPhotos; ++i) fs::remove(options_.input / names()[i]);
  outcome = align();
  EXPECT_EQ(outcome.end, AlignEnd::kUnusable);
  EXPECT_TRUE(mentions(outcome.sentence, "holds 2 photos that can be used")) << outcome.sentence;
}

TEST_P(AlignmentTest, ColmapsOwnMatcherIsAnOption) {
  options_.matcher = Matcher::kColmap;
  expect_complete(align());
  EXPECT_FALSE(fs::exists(options_.scene / "work/matches.bin"));
  options_.matcher = Matcher::kOurs;  // changed: matched again
  expect_complete(align());
  EXPECT_TRUE(fs::exists(options_.scene / "work/matches.bin"));
}

TEST_P(AlignmentTest, ASceneAmongThePhotosIsRefused) {
  options_.scene = options_.input / "scene";
  const AlignOutcome outcome = align();
  EXPECT_EQ(outcome.end, AlignEnd::kUnusable);
  EXPECT_TRUE(mentions(outcome.sentence, "lies among the photos")) << outcome.sentence;
}

TEST_P(AlignmentTest, AMissingProgramIsNamed) {
  set("HIPSPLAT_COLMAP", folder_.path() / "nowhere/colmap");
  EXPECT_EQ(align().end, AlignEnd::kMissingProgram);
}

// Empty, cut off, foreign, a folder, or gone: features are found anew, and what follows from them.
TEST_P(AlignmentTest, ADamagedDatabaseIsMadeAnew) {
  expect_complete(align());
  const fs::path database = options_.scene / "work/database.db";
  const std::string whole = *io::read_file(database), name = fs::relative(database, folder_.path()).string();
  const std::vector<std::function<void()>> damages{
      [&] { fs::resize_file(database, 0); }, [&] { folder_.write(name, whole.substr(0, whole.size() / 2)); },
      [&] { folder_.write(name, "no database"); },
      [&] { fs::remove(database), fs::create_directory(database), folder_.write(name + "/x", "x"); },
      [&] { fs::remove(database); }};
  for (size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    damages[i]();
    said_.clear();
    const size_t before = calls("mapper");
    expect_complete(align());
    EXPECT_TRUE(mentions(said_, "the features of an earlier run are gone or damaged: they are found anew")) << said_;
    EXPECT_GT(calls("mapper"), before) << "the model was that of the lost features";
  }
}

TEST_P(AlignmentTest, DeterministicMeansOneThreadOfColmap) {
  options_.deterministic = true;
  expect_complete(align());
  const std::string log = *io::read_file(options_.scene / "align.log");
  EXPECT_TRUE(mentions(log, "'1'"));
  for (const char* name : {"SiftExtraction", "FeatureExtraction", "SiftMatching", "FeatureMatching", "Mapper"})
    EXPECT_FALSE(mentions(log, std::string("'--") + name + ".num_threads' '2'")) << name;
}

TEST_P(AlignmentTest, CancellingLeavesAStateToGoOnFrom) {
  int asked = 0;
  options_.cancelled = [&] { return ++asked > 25; };
  EXPECT_EQ(align().end, AlignEnd::kCancelled);
  options_.cancelled = {};
  expect_complete(align());
}

// SIGKILL at moments spread over the whole run: every time the next run goes on, and the last one ends in a whole
// model.
TEST_P(AlignmentTest, KilledAnywhereItGoesOn) {
  set("FAKE_COLMAP_DELAY_MS", "10");
  folder_.write("photos/other lens.jpg", io::encode_jpeg(splat::test::wavy_picture(80, 48, 3, 50), 90));
  int killed = 0, finished = 0;
  for (int round = 0; round < 60 && finished == 0; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      const AlignOutcome outcome = align_scene(options_);
      _exit(outcome.end == AlignEnd::kDone ? 0 : 1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + 35 * round));
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == 0) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
    killed += WIFSIGNALED(status);
    finished += WIFEXITED(status);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << round;
  }
  EXPECT_GE(killed, 2);
  EXPECT_EQ(finished, 1);
  const AlignOutcome outcome = align();
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_EQ(outcome.report.registered, size_t(kPhotos + 1));
  EXPECT_EQ(cameras(), 2u);  // each lens kept its one camera over all the interruptions
}

}  // namespace
}  // namespace align
