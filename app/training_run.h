// One headless training run from its options to its files. The order of the steps is a promise: nothing is written
// before the input has been found usable, and what cannot be written is found out before training starts.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/outcome.h"
#include "app/progress_display.h"
#include "app/report/report.h"
#include "app/run_output.h"
#include "app/run_record.h"
#include "splat/backend/registry.h"
#include "splat/core/archive.h"
#include "splat/train/trainer.h"

namespace app {

class TrainingRun {
 public:
  explicit TrainingRun(const Options& options);

  Outcome prepare();  // output place, backend, checkpoint, dataset, memory, photos, first files
  Outcome train();    // to the last iteration, or to an interruption
  Outcome finish();   // splats, checkpoint, metrics, report

 private:
  Outcome read_resumed();  // the checkpoint and its settings
  Outcome plan_and_open_photos();
  Outcome make_trainer();
  splat::Status write_first_files() const;
  void announce() const;

  splat::Result<splat::StepReport> step();
  Outcome after_step(const splat::StepReport& step);
  bool evaluation_due() const;
  Outcome evaluate(const splat::Trainer::OnView& on_view);
  Outcome interrupt();
  splat::Status write_splats();
  splat::Status write_checkpoint();
  splat::Status write_reports(const std::vector<ReportPictures::View>& views) const;
  void fill_record();
  void print_summary() const;

  Options options_;
  RunOutput output_;
  RunRecord record_;
  ProgressDisplay display_;
  std::optional<splat::Archive> resumed_;
  splat::BackendChoice chosen_;
  splat::Dataset dataset_;
  std::unique_ptr<splat::ImageSource> photos_;
  uint64_t splats_that_fit_ = 0;
  std::unique_ptr<splat::Trainer> trainer_;

  double training_seconds_ = 0;
  double step_seconds_ = 0;                                 // of one iteration, moving average
  double curve_seconds_ = 0, last_evaluation_seconds_ = 0;  // evaluations while training; the latest of them
  std::optional<double> latest_psnr_;
  std::filesystem::path last_checkpoint_;
};

}  // namespace app
