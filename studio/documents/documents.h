// What is open: a splat file, a dataset, or both with a run between them. Opens and closes them, and answers what their
// files say: photos, thumbnails, pictures of recent scenes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/jobs/input/recognise.h"
#include "app/settings/options.h"
#include "io/dataset/load_dataset.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/unique_function.h"
#include "splat/model/dataset.h"
#include "studio/documents/opening.h"
#include "studio/job_thread.h"
#include "studio/jobs.h"
#include "viewer/display_settings.h"

namespace studio {

struct Context;

// As the opening thread leaves it for the others: each takes a copy of what it needs.
struct OpenScene {
  explicit OpenScene(uint64_t number = 0) : openings(number) {}

  std::filesystem::path splats;          // the file; empty: none is open
  std::optional<splat::Dataset> photos;  // of the dataset, or those that the splats were trained on
  bool may_train = false;                // it is a dataset that was opened
  std::optional<Options> run;            // that the opened splats come from
  io::SplatFileInfo file_info;           // of the splats, for files written from them
  DisplaySettings as_trained;            // how the splats are compared with photos
  uint64_t openings = 0;                 // of splats so far: OpenedSplats::number
};

// A dataset that is to be opened.
struct PhotoSet {
  std::filesystem::path path;
  io::DatasetOptions options;
  std::function<void()> then{};  // once it is open: its splats stay, and a run goes on with it
};

class Documents {
 public:
  explicit Documents(Context& context) : context_(context) {}

  template <class Use>
  auto with(const Use& use) {  // from any thread; for a copy or a move, no longer
    std::lock_guard lock(mutex_);
    return use(scene_);
  }
  std::filesystem::path training_data();  // the dataset that a run would train on; empty: none is open
  std::optional<splat::DatasetView> photo_view(int index);
  std::array<float, 3> background_as_trained();      // that photos are shown over
  double to_metres(std::optional<double> measured);  // a unit of the scene, for formats that count in metres

  // On the dispatcher's thread.
  void handle_requests();
  void open_path(const std::filesystem::path& path, bool restores_edits = false);
  void leave(std::optional<PathKind> next);  // all services do
  void open_photo_set(PhotoSet wanted);
  void wind_down();

  // On the thread that opens, or makes.
  bool show_photo_set(const PhotoSet& wanted, const Job& job);  // false: cancelled, or said why not
  // In place of those of the scene before; `more`: of the same scene, those that are not there yet.
  void make_thumbnails(std::vector<splat::DatasetView> views, bool more = false);
  struct SplatsToShow {
    std::filesystem::path remembered_as;  // where the scene is remembered
    bool restores_edits = false;
    uint64_t part_shown = 0;  // OpenedSplats::number of the part of it that the window has; 0: none
  };
  void show_splats(OpenedSplatFile&& opened, SplatsToShow& as);

  // Who opens what is not a document: a scene in blocks; photos whose cameras are not known (on the opening thread).
  // A mesh is shown beside what is open.
  std::function<void(const std::filesystem::path&)> open_city, open_mesh, ask_for_alignment;

 private:
  void open_splat_file(const std::filesystem::path& path, bool restores_edits, Job& job);
  void open_photos(const PhotoSet& wanted, Job& job);
  void give_up_part(const std::filesystem::path& path);
  void close_all();
  void send_photo(int view, int max_side);
  void send_packed_model();
  void send_recent_pictures(std::vector<std::filesystem::path> scenes);

  Context& context_;
  std::mutex mutex_;
  OpenScene scene_;
  std::atomic<uint64_t> thumbnails_wanted_{0}, pictures_wanted_{0};  // count up: what is older is not wanted
  std::set<std::string> thumbnails_of_;  // names of the photos that have one; for `pictures_`
  JobThread pictures_{JobThread::Priority::kLow};
};

}  // namespace studio
