// One training run from its options to its files, headless or shown in a window. The order of the steps is a promise:
// nothing is written before the input has been found usable, and an output that cannot be written is an error before
// training starts.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/console/outcome.h"
#include "app/options/options.h"
#include "app/run/memory_plan.h"
#include "app/run/progress_display.h"
#include "app/run/report/report.h"
#include "app/run/run_output.h"
#include "app/run/run_record.h"
#include "app/run/scene_part.h"
#include "app/run/session.h"
#include "devices/registry.h"
#include "io/checkpoint.h"
#include "splat/train/trainer.h"

namespace app {

inline constexpr const char* kSettingsEntry = "app/settings";  // of a checkpoint: the options as JSON

class TrainingRun {
 public:
  // With a part, that is trained and not the whole scene; resuming then needs the same part again.
  explicit TrainingRun(const Options& options, const PhotoWatch& photo_watch = {}, std::optional<ScenePart> part = {});

  Outcome prepare();  // output place, backend, checkpoint, dataset, memory, photos, first files
  Outcome train();    // to the last iteration, or to an interruption
  Outcome finish();   // splats, checkpoint, metrics, report
  bool splats_written() const { return splats_written_; }      // by finish(), whatever else failed
  uint64_t splats_in_file() const { return splats_in_file_; }  // that was written last
  void print_summary() const;

  // ---- step by step; after prepare()
  bool trained() const { return trainer_->done(); }
  Outcome advance();  // one iteration, and what is due after it (progress, evaluation, files)
  // Where it cannot be written, into the spare folder; the log says so, and what happens `then`.
  splat::Status write_checkpoint(std::string_view then = {});
  // After a problem that ends the run: saves the state; the sentence names its file.
  Outcome failed_keeping_state(std::string sentence);
  Outcome evaluate(splat::Metrics metrics, const splat::Trainer::OnView& on_view = {});

  // ---- state; after prepare(), between two iterations
  const Options& options() const { return options_; }  // a resumed run's are the checkpoint's
  const splat::BackendChoice& backend() const { return chosen_; }
  const splat::Dataset& dataset() const { return dataset_; }
  splat::ImageSource& photos() { return *photos_; }
  const splat::Trainer& trainer() const { return *trainer_; }
  double iterations_per_second() const { return step_seconds_ > 0 ? 1 / step_seconds_ : 0; }  // smoothed
  double loss() const { return loss_; }                                                       // smoothed
  double training_seconds() const { return seconds_before_ + training_seconds_; }             // in all its legs
  const std::optional<splat::Evaluation>& held_out() const { return record_.held_out; }       // the latest
  const std::filesystem::path& last_checkpoint() const { return last_checkpoint_; }
  std::filesystem::path splat_file() const { return output_.splat_file(trainer_->iteration()); }

 private:
  Outcome read_resumed();  // the checkpoint and its settings
  Outcome read_initial();  // the splats of --init
  Outcome plan_and_open_photos();
  void enter_part();  // of the scene: its photos, and the backend that shows what lies around it
  Outcome make_trainer();
  Outcome check_disk() const;
  Outcome write_first_files();
  void announce() const;

  splat::Result<splat::StepReport> step();
  void follow_clock();  // --minutes
  Outcome after_step(const splat::StepReport& step);
  bool evaluation_due() const;
  void measure_fit();
  Outcome interrupt();
  void remove_veils();
  splat::Status write_splats();
  splat::Status write_splats_to(const std::filesystem::path& path);
  splat::Status write_spare_splats();
  splat::Status write_checkpoint_to(const std::filesystem::path& path);
  bool last_checkpoint_is_spare() const;
  Outcome failed_without_splats(std::string sentence);
  splat::Status write_reports(const std::vector<ReportPictures::View>& views) const;
  void fill_record();
  std::optional<ExposureRecord> exposure_record() const;
  std::optional<PoseRecord> pose_record() const;
  std::optional<RegionRecord> region_record() const;

  Options options_;
  PhotoWatch photo_watch_;
  RunOutput output_;
  RunRecord record_;
  ProgressDisplay display_;
  std::optional<io::CheckpointFile> resumed_;
  std::optional<splat::Gaussians> initial_;
  std::optional<ScenePart> part_;
  std::vector<splat::PhotoColour> colours_;  // of the part's photos
  std::vector<splat::View> scene_cameras_;   // of the scene that it is a part of
  splat::BackendChoice chosen_;
  splat::Dataset dataset_;
  std::unique_ptr<splat::ImageSource> photos_;
  MemoryPlan plan_;
  uint64_t splats_that_fit_ = 0, fixed_splats_ = 0;  // fixed: of the part
  bool densified_ = false;                           // some iteration changed the number of splats
  std::unique_ptr<splat::Trainer> trainer_;

  // --minutes: the settings whose schedules are stretched, when training began, what came before its first iteration
  // included, and when and where they were last.
  splat::TrainConfig unresolved_;
  std::chrono::steady_clock::time_point began_{};
  double starting_seconds_ = 0, followed_seconds_ = 0;
  int followed_iteration_ = 0;

  bool splats_written_ = false;
  uint64_t splats_in_file_ = 0;
  double seconds_before_ = 0, training_seconds_ = 0;  // up to the checkpoint it goes on from; in this process
  double loss_ = 0;
  double step_seconds_ = 0;  // of one iteration, moving average
  std::optional<double> latest_psnr_;
  std::filesystem::path last_checkpoint_, spare_splats_;
  std::string spare_cause_;  // why the last checkpoint is not where it should be, where it is not
};

}  // namespace app
