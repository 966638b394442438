// The state and the threads of a WindowSession, shared by the files that carry out its commands: window_session.cpp
// (beginning, end, training), window_adding.cpp, window_opening.cpp, window_files.cpp, window_questions.cpp,
// window_alignment.cpp, window_city.cpp, window_cleanup.cpp, window_editing.cpp, window_mesh.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/blocks/city.h"
#include "app/meshing/mesh_making.h"
#include "app/run/cleaning.h"
#include "app/run/run_estimate.h"
#include "app/window/cleanup_answer.h"
#include "app/window/cleanup_effects.h"
#include "app/window/editing.h"
#include "app/window/job_thread.h"
#include "app/window/live_training.h"
#include "app/window/opening.h"
#include "app/window/window_session.h"
#include "app/window/work_in_progress.h"
#include "io/splats/common/splat_file.h"
#include "viewer/live/engine_thread.h"

namespace app {

inline constexpr auto kCityLook = std::chrono::seconds(1);  // between two looks at the files of a scene in blocks

// In the log, and over the scene for a moment: what the user asked for is done.
void say_done(viewer::AppState& state, const std::string& text);

// What is open, as the opening thread leaves it for the others: each takes a copy of what it needs.
struct OpenScene {
  std::filesystem::path splats;          // the file; empty: none is open
  std::optional<splat::Dataset> photos;  // of the dataset, or those that the splats were trained on
  bool may_train = false;                // it is a dataset that was opened
  std::optional<Options> run;            // that the opened splats come from
  io::SplatFileInfo file_info;           // of the splats, for files written from them
  viewer::DisplaySettings as_trained;    // how the splats are compared with photos
};

// Rows of the opened splats that are not deleted, by themselves.
struct RowsLeft {
  splat::Gaussians model;
  std::vector<uint32_t> rows;  // [N of model] of the opened splats
  size_t all = 0;              // that were opened
};

struct WindowSession::Impl {
  Impl(const SessionOptions& given, viewer::AppState& shared, std::filesystem::path config_folder);
  ~Impl();

  void dispatch();
  void handle(viewer::Command& command);
  void say_progress();

  void carry_out(viewer::OpenPath& command);
  void carry_out(viewer::AddSplats& command);
  void carry_out(viewer::StartAlignment& command);
  void carry_out(viewer::CancelOpening&) { cancel_opening(); }
  void carry_out(viewer::CloseAll&);
  void carry_out(viewer::StartTraining& command);
  void carry_out(viewer::PauseTraining&);
  void carry_out(viewer::ResumeTraining&);
  void carry_out(viewer::StopTraining& command);
  void carry_out(viewer::SaveCheckpoint&);
  void carry_out(viewer::ExportSplats& command);
  void carry_out(viewer::WantRunPreview& command);
  void carry_out(viewer::WantCommandLine& command);
  void carry_out(viewer::WantRunHistory& command);
  void carry_out(viewer::WantRecentPictures& command);
  void carry_out(viewer::WantRunPrediction& command);
  void carry_out(viewer::SaveSettings& command);
  void carry_out(viewer::RememberScene& command);
  void carry_out(viewer::WantPhoto& command);
  void carry_out(viewer::WantComparison& command);
  void carry_out(viewer::WantPackedModel&);
  void carry_out(viewer::PublishModel&);
  void carry_out(viewer::PickPoint& command);
  void carry_out(viewer::SaveRendering& command);
  void carry_out(viewer::SavePicture& command);
  void carry_out(viewer::MakeMesh& command);
  void carry_out(viewer::WantMeshPrediction& command);
  void carry_out(viewer::SaveMesh& command);
  void carry_out(viewer::CloseMesh&);
  void carry_out(viewer::EditScene& command);
  void carry_out(viewer::SaveBox& command);
  void carry_out(viewer::ProposeCleanup&);
  void carry_out(viewer::MeasureCleanup&);
  void carry_out(viewer::RestoreEdits& command);
  void carry_out(viewer::ForgetEdits& command);
  void carry_out(viewer::OpenCityPart& command);
  void carry_out(viewer::Quit& command) { quit = true, keeps_edits = command.keep_edits; }

  void propose_cleanup(const CleaningOptions& wanted, const RowsLeft& left, std::unique_ptr<CleanupAnswer> answer);
  Editing& begin_editing();
  void end_editing();
  void keep_edits_when_due();
  void offer_kept_edits();
  void offer_kept_edits_of(const std::filesystem::path& splats);
  void restore_edits(const std::filesystem::path& splats);

  void cancel_opening();
  void open_path(const std::filesystem::path& path, bool restores_edits);
  void add_splats(const viewer::AddSplats& wanted, Opening& opening);
  void open_splat_file(const std::filesystem::path& path, Opening& opening);
  void show_splats(OpenedSplatFile&& opened, const std::filesystem::path& remembered_as, Opening& opening);
  void give_up_part(const std::filesystem::path& path);
  void begin_city(const std::filesystem::path& folder, std::optional<int> part);  // none: what shows most
  void open_city(const std::filesystem::path& folder, std::optional<int> part, uint64_t number, Opening& opening);
  void close_city();
  void look_at_city_when_due();
  void look_at_city();
  struct PhotoSetToOpen {
    std::filesystem::path path;
    io::DatasetOptions options;
    std::optional<viewer::StartTraining> then;  // the run to go on with, once it is open
  };
  void open_photo_set(const PhotoSetToOpen& wanted, Opening& opening);
  Opening* begin_opening(const std::string& name);
  bool open_photos_of_run(const viewer::StartTraining& then);  // false: no run's splats are open
  bool show_photo_set(const PhotoSetToOpen& wanted, const Opening& opening);
  void ask_for_alignment(const std::filesystem::path& input);
  void align_photos(const viewer::StartAlignment& command, Opening& opening);
  void show_growing_scene(const std::filesystem::path& model, const std::filesystem::path& scene_folder,
                          const Opening& opening);
  void make_thumbnails(std::vector<splat::DatasetView> views);
  // antialias: nothing: as the open scene was trained.
  MeshInput mesh_input(splat::Gaussians&& model, std::optional<bool> antialias, const viewer::MeshChoices& wanted);
  void make_mesh_of(splat::Gaussians model, std::optional<bool> antialias, const viewer::MeshChoices& wanted,
                    Opening& opening);
  // some: of all `splats`, which stand for them (thinned.h).
  void predict_mesh(splat::Gaussians&& some, size_t splats, const viewer::MeshChoices& choices, uint64_t number);
  void forget_mesh();
  double to_metres(std::optional<double> measured);  // a unit of the scene, for formats that count in metres
  void end_training(bool save_checkpoint);
  void forward_view();
  void wind_down();
  splat::Result<std::optional<RunEstimate>> predicted(const std::filesystem::path& data,
                                                      const viewer::TrainingChoices& choices,
                                                      const std::function<bool()>& stop) const;
  bool training_now() const;
  std::filesystem::path training_data();  // the dataset that a run would train on; empty: none is open
  std::optional<splat::DatasetView> photo_view(int index);
  std::array<float, 3> background_as_trained();  // that photos are shown over
  void compare_with_run(const viewer::WantComparison& command, const std::string& name);
  void compare_with_file(const viewer::WantComparison& command, const splat::DatasetView& view);

  const SessionOptions options;
  viewer::AppState& state;
  const std::filesystem::path config;
  bool quit = false, keeps_edits = false;
  std::optional<std::chrono::steady_clock::time_point> keep_edits_at;  // of the dispatcher

  bool city_open = false;                                   // of the dispatcher: a scene in blocks
  std::chrono::steady_clock::time_point look_at_city_at{};  // likewise
  std::atomic<uint64_t> city_number{0};                     // counts up: what belongs to an earlier one is dropped
  struct CityOnShow {
    City city;
    std::vector<viewer::CityBox> boxes;
    int shown = viewer::kCityScaffold;
  };
  std::unique_ptr<CityOnShow> city_on_show;  // of the watching thread, like the next two
  std::vector<viewer::CityBlock> city_seen;  // as last reported
  bool city_seen_merged = false;

  std::list<Opening> all_openings;  // of the dispatcher; cancelled ones stay until the opening thread is done
  Opening* opening = nullptr;       // the current one; null: none
  std::mutex scene_mutex;           // held for a copy or a move, no longer
  OpenScene scene;
  uint64_t openings_shown = 0;                 // of splats; under the same mutex
  std::atomic<uint64_t> thumbnails_wanted{0};  // counts up: older ones are not
  std::atomic<uint64_t> run_preview_wanted{0}, pictures_wanted{0}, predictions_wanted{0};

  std::mutex drawer_mutex;  // held for a pointer and a request, no longer
  std::unique_ptr<LiveTraining> training;
  std::optional<viewer::RenderRequest> last_view;

  std::unique_ptr<MadeMesh> mesh;    // of the writing thread; null: none is shown
  JobThread writings;                // the last to end: others give it work
  std::unique_ptr<Editing> editing;  // of the engine's thread; null: nothing was edited
  bool said_backend = false;         // of the engine's thread: which one it is
  viewer::EngineThread engine;
  std::atomic<uint64_t> effects_wanted{0};          // counts up: older ones are not
  std::unique_ptr<CleaningPhotos> cleaning_photos;  // of the cleaning thread
  CleanupEffects effects;                           // likewise
  JobThread cleanings;
  JobThread watching{JobThread::Priority::kLow};  // of the files of a scene in blocks; openings give it work
  JobThread openings, thumbnails{JobThread::Priority::kLow};
  JobThread predictions;  // with the priority of a run, whose iterations they time
  std::thread dispatcher;
};

}  // namespace app
