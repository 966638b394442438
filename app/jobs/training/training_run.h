// One training run from its options to its files, headless or shown in a window. The order of the steps is a promise:
// nothing is written before the input has been found usable, and an output that cannot be written is an error before
// training starts.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/memory_plan.h"
#include "app/jobs/outcome.h"
#include "app/jobs/session.h"
#include "app/jobs/training/run_files.h"
#include "app/jobs/training/run_now.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/run_progress.h"
#include "app/jobs/training/run_record.h"
#include "app/jobs/training/run_start.h"
#include "app/jobs/training/time_left.h"
#include "app/jobs/training/time_limit.h"
#include "app/settings/options.h"
#include "devices/registry.h"
#include "splat/train/trainer.h"

namespace app {

class TrainingRun {
 public:
  // part: a share of the scene to train in place of the whole; resuming requires the same part.
  explicit TrainingRun(const Options& options, const PhotoWatch& photo_watch = {}, std::optional<ScenePart> part = {});
  // Before prepare(): whoever watches the run, and outlives it. Where it cancels, the run ends with a checkpoint.
  void watched_by(Monitor& monitor) { monitor_ = &monitor; }
  // Before prepare(). Where it says true, what takes long ends within half a second: prepare() is kInterrupted,
  // advance() may have done nothing, and finish() leaves veils alone.
  void stop_where(splat::StopAsked asked) { stop_asked_ = std::move(asked); }

  // The cost of an iteration as run_estimate.h measured it; before prepare().
  void expect(const RunPace& pace) { expected_ = pace; }

  // A picture of this number of pixels was drawn between two iterations by the run's backend.
  void drawn(uint64_t pixels) { drawn_pixels_ = std::max(drawn_pixels_, pixels); }

  // Output place, backend, checkpoint, dataset, memory, photos, disk, first files. What `before_files` refuses, with
  // all of the state below known, is refused before anything is written.
  Outcome prepare(const std::function<Outcome()>& before_files = {});
  Outcome train();                                                     // to the last iteration, or to an interruption
  Outcome finish();                                                    // splats, checkpoint, metrics, report
  bool splats_written() const { return splats_written_; }              // by finish(), whatever else failed
  uint64_t splats_in_file() const { return files_.splats_in_file(); }  // that was written last
  void say_summary() const;

  // ---- step by step; after prepare()
  bool trained() const { return trainer_->done(); }
  Outcome advance();  // one iteration, and what is due after it (progress, evaluation, files)
  // Where it cannot be written, into the spare folder; the log says so, and what happens `then`.
  splat::Status write_checkpoint(std::string_view then = {}) { return files_.write_checkpoint(now(), then); }
  // Writes a checkpoint of the paused run unless the newest one is of this iteration and still exists; before finish().
  splat::Status keep_checkpoint();
  // After a problem that ends the run: saves the state; the sentence names its file.
  Outcome failed_keeping_state(std::string sentence);
  Outcome evaluate(splat::Metrics metrics, const splat::Trainer::OnView& on_view = {});

  // ---- state; after prepare(), between two iterations
  const Options& options() const { return options_; }  // a resumed run's are the checkpoint's
  const splat::BackendChoice& backend() const { return chosen_; }
  const splat::Dataset& dataset() const { return dataset_; }
  splat::ImageSource& photos() { return *photos_; }
  const splat::Trainer& trainer() const { return *trainer_; }
  double iterations_per_second() const { return time_.iterations_per_second(); }         // smoothed
  double seconds_left() const;                                                           // 0: not known yet
  double loss() const { return loss_; }                                                  // smoothed
  double training_seconds() const { return time_.all(); }                                // in all its legs
  double seconds_before() const { return time_.before; }                                 // 0: no leg before, or unknown
  const std::optional<splat::Evaluation>& held_out() const { return record_.held_out; }  // the latest
  const std::filesystem::path& last_checkpoint() const { return files_.last_checkpoint(); }
  int checkpoint_iteration() const { return files_.checkpoint_iteration(); }  // of that; -1: none yet
  std::filesystem::path splat_file() const { return output_.splat_file(trainer_->iteration()); }

 private:
  RunNow now() const { return {options_, chosen_, dataset_, *trainer_, time_}; }
  Outcome plan_and_open_photos();
  Outcome make_trainer();
  splat::Result<splat::StepReport> step();
  RunProgress progress(const splat::StepReport& step) const;
  Outcome after_step(const splat::StepReport& step);
  void measure_fit();
  void say_evaluated() const;
  Outcome interrupt();
  bool stops() const;
  Outcome remove_veils();
  uint64_t predicted_peak_bytes() const;

  Options options_;
  PhotoWatch photo_watch_;
  splat::StopAsked stop_asked_;
  RunOutput output_;
  RunFiles files_{output_};
  RunRecord record_;
  Monitor unwatched_;
  Monitor* monitor_ = &unwatched_;
  RunStart start_;
  splat::BackendChoice chosen_;
  splat::Dataset dataset_;
  std::unique_ptr<splat::ImageSource> photos_;
  MemoryPlan plan_;
  uint64_t splats_that_fit_ = 0;
  uint64_t held_before_ = 0, drawn_pixels_ = 0;  // bytes; see drawn()
  bool densified_ = false;                       // some iteration changed the number of splats
  std::unique_ptr<splat::Trainer> trainer_;
  TrainingTime time_;
  std::optional<RunPace> expected_;
  TimeLeft time_left_;
  std::optional<TimeLimit> limit_;  // --minutes
  bool splats_written_ = false;
  double loss_ = 0;
  std::optional<double> latest_psnr_;
};

}  // namespace app
