// What features show and ask for as scenes come and go, without a window and without OpenGL.
#include "studio/window/features.h"

#include <glad/gl.h>
#include <implot/implot.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "studio/blocks/messages.h"
#include "studio/film/messages.h"
#include "studio/masks/messages.h"
#include "studio/runs/messages.h"
#include "studio/window/window_actions.h"
#include "tests/studio/drawn.h"
#include "tests/support/temp_folder.h"

namespace studio {
namespace {

class FeaturesOfAScene : public DrawnTest {
 protected:
  FeaturesOfAScene() {
    setenv("HIPSPLAT_OWN_FILE_DIALOG", "1", 1);  // NOLINT(concurrency-mt-unsafe): no thread yet
    add_features(work_);
  }
  void draw_dialogs() {
    work_.all([](Feature& feature) { feature.draw_dialogs(); });
  }
  std::string words_of_dialogs() {
    return words_of([this] { draw_dialogs(); });
  }
  void next_frame() {
    work_.all([](Feature& feature) { feature.each_frame(); });
  }
  template <class Report>
  void report(Report report) {
    bridge_.reports.put(std::move(report));
    work_.receive();
  }
  void act(const char* menu, const char* name) {
    const auto action = feature_action(work_, menu, name);
    ASSERT_TRUE(action && action->possible) << name;
    action->run();
  }
  static OpenedSplats splats(const char* path) {
    OpenedSplats opened;
    opened.path = path, opened.rows = 10;
    return opened;
  }
  static bool has(const std::string& words, const std::string& part) { return words.find(part) != std::string::npos; }

  Bridge bridge_;
  Workspace work_{bridge_};
};

// ---- blocks

class PartsOfABlockScene : public FeaturesOfAScene {
 protected:
  void SetUp() override {
    FeaturesOfAScene::SetUp();
    report(splats("/city/scaffold.ply"));
    report(city(0));
  }
  static CityScene city(uint64_t merges) {
    CityScene city;
    city.path = "/city";
    city.blocks.resize(2);
    city.boxes.resize(2);
    city.blocks[1].can_open = true;
    city.merged = merges > 0, city.merges = merges;
    return city;
  }
  void draw() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 600});
    ImGui::Begin("panel");
    std::vector<PanelSection> sections;
    work_.all([&](Feature& feature) { feature.add_sections(Column::kRight, sections); });
    for (const PanelSection& section : sections)
      if (section.title == "Blocks") section.draw();
    ImGui::End();
  }
  void click_block() {
    words_of([this] { draw(); });
    click("Block 1", [this] { draw(); });
  }
  std::optional<int> wanted() {  // the part that was asked for
    const auto part = bridge_.requests.take<OpenCityPart>();
    return part ? std::optional(part->part) : std::nullopt;
  }
};

TEST_F(PartsOfABlockScene, AreNotOpenedOverEditsThatAreNotSaved) {
  click_block();
  EXPECT_EQ(wanted(), 1);
  work_.edit.scene.emplace().unsaved = true;
  click_block();
  EXPECT_FALSE(wanted());
  EXPECT_TRUE(has(work_.said, "the edits are not saved")) << work_.said;
  report(city(1));
  EXPECT_FALSE(wanted()) << "nor the whole by itself, once it is merged";
  work_.edit.scene->unsaved = false;
  click_block();
  EXPECT_EQ(wanted(), 1);
  report(city(2));
  EXPECT_EQ(wanted(), kCityMerged);
}

// Has paint until that is given up.
class Paint final : public Feature {
 public:
  using Feature::Feature;
  bool unsaved() const override { return !given_up; }
  void leave(const std::function<void()>& then) override { waits = then; }

  std::function<void()> waits;
  bool given_up = false;
};

TEST_F(PartsOfABlockScene, AreOpenedAfterAQuestionWhereThereIsPaint) {
  work_.features.push_back(std::make_unique<Paint>(work_));
  Paint& paint = static_cast<Paint&>(*work_.features.back());
  report(city(1));
  EXPECT_FALSE(paint.waits) << "nobody has asked for the whole";
  click_block();
  ASSERT_TRUE(paint.waits);
  EXPECT_FALSE(wanted());
  paint.given_up = true;
  paint.waits();
  EXPECT_EQ(wanted(), 1);
}

// ---- masks

class MaskQuestion : public FeaturesOfAScene {
 protected:
  void SetUp() override {
    FeaturesOfAScene::SetUp();
    glad_glGenTextures = [](GLsizei count, GLuint* names) { std::fill_n(names, count, 1u); };
    glad_glDeleteTextures = [](GLsizei, const GLuint*) {};
    glad_glBindTexture = [](GLenum, GLuint) {};
    glad_glPixelStorei = [](GLenum, GLint) {};
    glad_glTexParameteri = [](GLenum, GLenum, GLint) {};
    glad_glTexImage2D = [](GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*) {};
    glad_glTexSubImage2D = [](GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void*) {};
    OpenedDataset dataset;
    dataset.path = "/photos";
    dataset.cameras.resize(2);
    report(std::move(dataset));
  }
};

TEST_F(MaskQuestion, EndsWhereAnotherSceneComesMeanwhile) {
  ASSERT_NO_FATAL_FAILURE(act("View", "Paint a mask"));
  MaskPhoto photo;
  photo.picture = {1, 1, 3, {0, 0, 0}};
  photo.kept = {{PaintKind::kInvert}};
  report(std::move(photo));
  work_.open("/another.ply");
  EXPECT_TRUE(has(words_of_dialogs(), "What was painted"));
  EXPECT_FALSE(bridge_.requests.take<OpenPath>());
  report(splats("/opened before that.ply"));  // it took its time
  ASSERT_TRUE(work_.received.cameras().empty());
  EXPECT_FALSE(has(words_of_dialogs(), "What was painted"));
  EXPECT_FALSE(work_.scene_covered());
}

TEST_F(MaskQuestion, MasksWaitUntilAllCamerasAreFound) {
  const auto possible = [this] { return feature_action(work_, "View", "Paint a mask")->possible; };
  EXPECT_TRUE(possible());
  work_.received.dataset->growing = true;
  EXPECT_FALSE(possible()) << "a view is another photo in a moment";
}

// ---- meshes

TEST_F(FeaturesOfAScene, MeshesOfEveryKindThatIsReadAreListed) {
  const splat::test::TempFolder folder;
  for (const char* name : {"a.glb", "b.gltf", "c.obj", "d.ply", "notes.txt"}) folder.write(name, "");
  work_.settings.last_folder = folder.path().string();
  ASSERT_NO_FATAL_FAILURE(act("File", "Open mesh"));
  for (int i = 0; i < 2000 && work_.dialogs.file.shown_rows() < 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    words_of([this] { (void)work_.dialogs.file.poll(); });
  }
  EXPECT_EQ(work_.dialogs.file.shown_rows(), 4);
}

// ---- films

class FilmOfAScene : public FeaturesOfAScene {
 protected:
  void SetUp() override {
    FeaturesOfAScene::SetUp();
    report(splats("/a.ply"));
    next_frame();
  }
  // As a file that was read.
  void take_path(PathRead read) {
    report(std::move(read));
    next_frame();
  }
  static PathRead path_of_two() {
    PathRead read;
    read.path.keys = {{0, {{0, 0, -4}}}, {5, {{1, 0, -4}}}};
    return read;
  }
  void open_another() {
    report(splats("/b.ply"));
    next_frame();
    ASSERT_TRUE(work_.path.keys.empty());
  }
  void draw_path() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 700});
    ImGui::Begin("panel");
    std::vector<PanelSection> sections;
    work_.all([&](Feature& feature) { feature.add_sections(Column::kLeft, sections); });
    for (const PanelSection& section : sections)
      if (section.id == "path") section.draw();
    ImGui::End();
  }
  void draw_strip() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({900, 200});
    ImGui::Begin("strip");
    work_.all([](Feature& feature) {
      if (feature.strip_height() > 0) feature.draw_strip();
    });
    ImGui::End();
  }
  std::optional<WantFilmPreview> wanted() {
    words_of_dialogs();
    work_.now += 1;
    words_of_dialogs();
    return bridge_.requests.take<WantFilmPreview>();
  }
};

TEST_F(FilmOfAScene, HasEvenSidesWhateverTheFileOfThePathSays) {
  PathRead read = path_of_two();
  read.width = 1237, read.height = 823;
  take_path(std::move(read));
  ASSERT_NO_FATAL_FAILURE(act("File", "Make a film"));
  const auto film = wanted();
  ASSERT_TRUE(film);
  EXPECT_EQ(film->film.settings.width, 1236);
  EXPECT_EQ(film->film.settings.height, 822);
}

TEST_F(FilmOfAScene, ItsDialogEndsWithTheScene) {
  take_path(path_of_two());
  ASSERT_NO_FATAL_FAILURE(act("File", "Make a film"));
  ASSERT_TRUE(wanted());
  report(splats("/b.ply"));
  next_frame();
  EXPECT_FALSE(wanted()) << "without keys there is no film";
  EXPECT_FALSE(has(words_of_dialogs(), "Make it..."));
}

// The desktop's dialogs for files do not keep the window from going on.
TEST_F(FilmOfAScene, SavesThePathThatWasShownWhateverIsOpenOnceItsFileIsChosen) {
  take_path(path_of_two());
  words_of([this] { draw_path(); });
  click("Save...###path_save", [this] { draw_path(); });
  ASSERT_NO_FATAL_FAILURE(open_another());
  work_.dialogs.file_answer("/path");
  const auto saved = bridge_.requests.take<SavePath>();
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->path.keys.size(), 2u);
}

TEST_F(FilmOfAScene, IsThatWhichWasAskedForWhateverIsOpenOnceItsFileIsChosen) {
  take_path(path_of_two());
  ASSERT_NO_FATAL_FAILURE(act("File", "Make a film"));
  words_of_dialogs();
  click("Make it...", [this] { draw_dialogs(); });
  ASSERT_NO_FATAL_FAILURE(open_another());
  work_.dialogs.file_answer("/film");
  const auto made = bridge_.requests.take<MakeFilm>();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->film.splats, "/a.ply");
  EXPECT_EQ(made->film.output, "/film.mp4");
  EXPECT_EQ(made->film.path.keys.size(), 2u);
}

TEST_F(FilmOfAScene, PlayingEndsWhereNothingIsLeftToPlay) {
  PathRead read = path_of_two();
  read.path.loop = splat::LoopMode::kLoop;
  take_path(std::move(read));
  ASSERT_NO_FATAL_FAILURE(act("View", "Play the camera path"));
  next_frame();
  EXPECT_TRUE(work_.plays);
  ASSERT_NO_FATAL_FAILURE(act("View", "Next key"));
  ASSERT_NO_FATAL_FAILURE(act("View", "Delete the key"));
  next_frame();
  EXPECT_EQ(work_.path.keys.size(), 1u);
  EXPECT_FALSE(work_.plays) << "frames would follow each other for nothing";
}

TEST_F(FilmOfAScene, WhereAKeyIsHeldNoOtherOneFits) {
  PathRead read = path_of_two();
  read.path.keys[0].hold = 4;
  take_path(std::move(read));
  words_of([this] { draw_strip(); });
  click("ruler", [this] { draw_strip(); });  // its middle, in the hold
  ASSERT_NO_FATAL_FAILURE(act("View", "Add a key from this view"));
  next_frame();
  EXPECT_EQ(work_.path.keys.size(), 2u);
  EXPECT_TRUE(has(work_.said, "no key fits at this time")) << work_.said;
}

TEST_F(FilmOfAScene, AKeyAtAPhotoHasItsLensHoweverItIsSet) {
  OpenedSplats opened = splats("/photos.ply");
  opened.cameras.resize(1);
  opened.cameras[0].view.camera = {200, 100, 100, 100, 100, 50};
  opened.has_photos = true;
  work_.look.navigator.set_viewport(100, 400);
  report(std::move(opened));
  next_frame();
  ASSERT_TRUE(work_.look.navigator.photo());
  ASSERT_NO_FATAL_FAILURE(act("View", "Camera path"));
  ASSERT_NO_FATAL_FAILURE(act("View", "Add a key from this view"));
  next_frame();
  ASSERT_EQ(work_.path.keys.size(), 1u);
  const double fov = work_.path.keys[0].pose.fov_y_deg;
  EXPECT_LT(fov, work_.look.navigator.camera().fov_y_deg - 1) << "which shows all of the photo in this viewport";
  words_of([this] { draw_strip(); });
  click("Set###path_set", [this] { draw_strip(); });
  next_frame();
  EXPECT_EQ(work_.path.keys[0].pose.fov_y_deg, fov);
}

// ---- runs

class ListOfRuns : public FeaturesOfAScene {
 protected:
  void SetUp() override {
    FeaturesOfAScene::SetUp();
    ImPlot::CreateContext();
  }
  void TearDown() override {
    ImPlot::DestroyContext();
    FeaturesOfAScene::TearDown();
  }
  static PastRun run(const std::string& folder, int64_t written) {
    PastRun run;
    run.folder = folder, run.file = run.folder / "point_cloud.ply", run.written = written;
    run.state = PastRunState::kDone;
    return run;
  }
  static RunHistory history(bool all) {
    RunHistory found;
    found.all = all;
    found.runs = {run("/first/out", 2), run("/second/out", 1)};
    return found;
  }
};

TEST_F(ListOfRuns, RunsOfTheSameNameAreEachOpened) {
  ASSERT_NO_FATAL_FAILURE(act("Training", "All runs"));
  report(history(true));
  words_of_dialogs();
  click("Open##out", [this] { draw_dialogs(); });  // the lower one: its place was noted last
  const auto opened = bridge_.requests.take<OpenPath>();
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->path, "/second/out/point_cloud.ply");
}

TEST_F(ListOfRuns, SaysOfWhichDatasetsItsRunsAre) {
  ASSERT_NO_FATAL_FAILURE(act("Training", "All runs"));
  RunHistory none;
  none.all = true;
  report(none);
  EXPECT_TRUE(has(words_of_dialogs(), "No run was found"));
  none.all = false;  // of a dataset that was opened meanwhile
  report(none);
  EXPECT_TRUE(has(words_of_dialogs(), "No run of this dataset was found"));
}

TEST_F(ListOfRuns, PicturesThatDidNotComeAreAskedForAgain) {
  const auto asked = [this] {
    act("Training", "All runs");
    report(history(true));
    words_of_dialogs();
    const auto wanted = bridge_.requests.take<WantRecentPictures>();
    return wanted ? wanted->scenes.size() : 0;
  };
  EXPECT_EQ(asked(), 2u);
  words_of_dialogs();
  EXPECT_FALSE(bridge_.requests.take<WantRecentPictures>()) << "once";
  EXPECT_EQ(asked(), 2u) << "what was opened meanwhile has ended it";
}

}  // namespace
}  // namespace studio
