// The training loop, one iteration a call: densify where due, choose a view, render, compare, differentiate, update.
// Owned by one thread. Everything random comes from (seed, iteration), so that a run depends on nothing but its config,
// its dataset and the backend's arithmetic: not on threads, not on time, not on where it was interrupted and resumed.
//
//   Trainer trainer(config, {dataset, images, backend});
//   trainer.initialise() or .initialise(model) or .load_state(archive);   // each Status
//   while (!trainer.done()) trainer.step();                               // Result<StepReport>: a photo may not decode
//   trainer.finish(); trainer.evaluate(); trainer.model();
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/archive.h"
#include "splat/core/parallel.h"
#include "splat/core/state.h"
#include "splat/core/stop.h"
#include "splat/densify/strategy.h"
#include "splat/model/coarse_view.h"
#include "splat/model/dataset.h"
#include "splat/train/config.h"
#include "splat/train/evaluate.h"
#include "splat/train/growth_limit.h"
#include "splat/train/photo_fit.h"
#include "splat/train/progress.h"
#include "splat/train/resolution.h"
#include "splat/train/terms/depths.h"
#include "splat/train/terms/exposure.h"
#include "splat/train/terms/poses.h"
#include "splat/train/terms/surface.h"
#include "splat/train/view_order.h"

namespace splat {

// What a run works on; all must outlive the trainer.
struct TrainerInputs {
  const Dataset& dataset;
  ImageSource& images;
  Backend& backend;
  int threads = 0;  // host threads for initialisation and metrics; 0: all cores
  // The number of splats that fit in memory, as the caller predicts; growth stops there. 0: no limit known.
  uint64_t splats_in_memory = 0;
  // Exposures of every view of the dataset, held as they are (Exposures::hold); empty: as the config says.
  std::vector<PhotoColour> held_colours{};
  // Cameras of all photos of the scene, if the dataset is a part of it: a strategy asks how many of them see a splat,
  // and how near a camera is. Empty: those trained on are all.
  std::vector<View> scene_cameras{};
  // Whether the run is to end: asked in initialise(), density control and finish(), which then throw Stopped.
  StopAsked stop{};
};

class Trainer {
 public:
  Trainer(const TrainConfig& config, const TrainerInputs& inputs);  // config is resolved (config.h)
  ~Trainer();

  Status initialise();                        // from the dataset's points, or random
  Status initialise(const Gaussians& model);  // from these splats; SH of other degrees is cut or filled with zero
  // Between two steps: all schedules become those of `config`, the same settings for another number of iterations, its
  // kAuto fields not yet resolved (config.h). What was done stays done.
  void retarget(const TrainConfig& config);
  // Stopped: the state is that of before, and saved so it goes on to the same bytes.
  Result<StepReport> step();
  // Once after the last step: what training cannot hold back goes, by the strategy's rule. How many splats that was.
  // Stopped: none yet.
  size_t finish();
  bool done() const { return iteration_ >= config_.iterations; }
  // The last step() failed because the loss is no number: what was trained since is of no use.
  bool diverged() const { return diverged_; }

  int iteration() const { return iteration_; }  // iterations completed
  size_t splats() const { return inputs_.backend.size(); }
  Gaussians model() const;  // result_rows(), downloaded; empty splats stay
  // The backend's rows that are the result, ascending: those with their centre in the region, where there is one.
  std::vector<uint32_t> result_rows() const;
  const TrainConfig& config() const { return config_; }
  double extent() const { return extent_; }                         // world units
  const std::vector<std::string>& notes() const { return notes_; }  // of initialise()
  const Exposures& exposures() const { return exposures_; }
  const Poses& poses() const { return poses_; }
  const Depths& depths() const { return depths_; }
  const std::vector<HistoryEntry>& history() const { return history_; }  // at most about kHistoryLength entries

  // All held-out views; enters the means into the history. Without held-out views: an empty evaluation.
  using OnView = std::function<void(const ViewMetrics&, const ImageF& render, const TrainingImage& photo)>;
  Result<Evaluation> evaluate(const OnView& on_view = {}, Metrics metrics = Metrics::kQuick);
  Result<TrainingFit> measure_fit(size_t most_photos);  // photo_fit.h

  // Everything a resumed run needs to go on to the same bytes: what is small, and the rows of the model, which pass in
  // blocks (valid until the next step). load_state() replaces initialise(): the trainer must have been made with
  // load_config(archive), with `iterations` raised or not. A different dataset is refused.
  std::unique_ptr<RowSource> save_state_in_rows(Archive& archive) const;
  Status load_state(const StateReader& state);
  // The same with the rows in the archive: holds them twice.
  void save_state(Archive& archive) const;
  Status load_state(const Archive& archive);

  static constexpr int kHistoryLength = 500;

 private:
  Status check_ready() const;
  void fill_resolution(int divisor);  // of the settings, what kAuto stands for: this divisor
  MeanFall mean_fall() const { return {config_.mean_lr_from, config_.mean_lr_steps}; }
  Status measure_detail();
  Status measure_terms(int iteration);
  Status start(const Gaussians& model);
  void begin();  // as before the first iteration, but for the backend's rows
  void reserve_splats(uint64_t least);
  Error divergence(bool in_iteration_before, int view);
  GrowthLimit growth_limit_now() const;
  std::unique_ptr<Strategy> make_strategy();
  RenderSettings evaluation_settings() const;
  bool needs_photo(int view, int divisor) const;
  int announce_photos(int iteration, int divisor);
  AdamSettings adam_steps(int iteration) const;
  AdamHistory scheduled_rates(int iteration) const;
  DensifyReport densify();
  DensifyReport change_splats();
  void record(const StepReport& report);

  TrainConfig config_;
  TrainerInputs inputs_;
  double extent_;
  double detail_px_ = 0;  // StrategyScene
  ThreadPool pool_;
  std::unique_ptr<Strategy> strategy_;
  ViewOrder order_;
  std::vector<int> upcoming_;
  CoarseView coarse_;
  Exposures exposures_;
  Poses poses_;
  Depths depths_;
  Surface surface_;
  const std::array<PhotoTerm*, 4> terms_{&exposures_, &poses_, &depths_, &surface_};
  int iteration_ = 0;
  int densified_ = 0;  // the iteration after which the strategy acted last; 0: none
  int view_ = -1;      // of the iteration before, once there is one
  double loss_ema_ = 0;
  bool limit_told_ = false, diverged_ = false;
  std::vector<std::string> notes_;
  std::vector<HistoryEntry> history_;
};

// The splats of a state that save_state() filled, whatever data it was made with.
Result<Gaussians> stored_model(const StateReader& state);

// Hash of what training depends on: names, cameras, poses, hold-out and points. Pixels are not in it.
uint64_t dataset_fingerprint(const Dataset& dataset);

}  // namespace splat
