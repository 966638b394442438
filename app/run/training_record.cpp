// What a training run says about itself at its end.
#include <fmt/format.h>

#include "app/console/host.h"
#include "app/console/standard_streams.h"
#include "app/run/training_run.h"

namespace app {

namespace fs = std::filesystem;

std::optional<ExposureRecord> TrainingRun::exposure_record() const {
  const splat::Exposures& exposures = trainer_->exposures();
  if (!exposures.decided()) return {};
  ExposureRecord record;
  record.trained = exposures.active();
  record.deviation_stops = exposures.deviation_stops();
  if (record.trained)
    for (int view : dataset_.training_views())
      record.photos.push_back({dataset_.views[size_t(view)].name, exposures.colour(view)});
  return record;
}

std::optional<PoseRecord> TrainingRun::pose_record() const {
  const splat::Poses& poses = trainer_->poses();
  if (!poses.decided()) return {};
  PoseRecord record{poses.active(), poses.median_px(), {}};
  if (record.refined)
    for (int view : dataset_.training_views())
      record.photos.push_back({dataset_.views[size_t(view)].name, poses.moved_px(view)});
  return record;
}

std::optional<RegionRecord> TrainingRun::region_record() const {
  if (options_.train.region.empty()) return {};
  RegionRecord record{options_.train.region, trainer_->splats() - trainer_->result_rows().size(), 0};
  for (const splat::DatasetView& view : dataset_.views) record.views_left_out += view.left_out;
  return record;
}

void TrainingRun::fill_record() {
  std::error_code code;
  record_.scene = fs::weakly_canonical(options_.input, code).filename().string();
  record_.dataset = options_.input.string();
  record_.backend = chosen_.backend->info().name;
  record_.device = chosen_.backend->info().device;
  record_.reason = chosen_.reason;
  record_.seed = options_.train.seed;
  record_.iterations = trainer_->iteration();
  record_.seconds = training_seconds();
  record_.iterations_per_second =
      training_seconds_ > starting_seconds_
          ? (trainer_->iteration() - record_.first_iteration) / (training_seconds_ - starting_seconds_)
          : 0;
  record_.region = region_record();
  record_.splats = trainer_->splats() - (record_.region ? record_.region->splats_around : 0);
  record_.left_out = options_.dataset.leave_out;
  record_.exposure = exposure_record();
  record_.poses = pose_record();
  record_.depths = record_of(trainer_->depths(), dataset_);
  record_.alignment = alignment_of(options_.input);
  record_.training_views = dataset_.training_views().size();
  record_.peak_rss_bytes = peak_rss_bytes();
  record_.predicted_peak_bytes = plan_.peak_bytes(trainer_->splats() + fixed_splats_, densified_);
  record_.history = trainer_->history();
}

void TrainingRun::print_summary() const {
  const std::string splat_file = output_.splat_file(trainer_->iteration()).string();
  const std::string report_file = output_.single_file() ? "" : output_.file("report.html").string();
  if (options_.console.json) {
    nlohmann::json summary = to_json(record_);
    summary["type"] = "summary";
    summary["output"] = splat_file;
    if (!report_file.empty()) summary["report"] = report_file;
    print_json(summary);
    return;
  }
  print("trained   {} iterations in {} ({:.1f} it/s), peak memory {}\n", record_.iterations - record_.first_iteration,
        human_duration(training_seconds_), record_.iterations_per_second, human_bytes(record_.peak_rss_bytes));
  if (record_.held_out)
    print("held out  PSNR {:.2f} dB, SSIM {:.4f}, FLIP {:.4f} over {} views\n", record_.held_out->psnr,
          record_.held_out->ssim, record_.held_out->flip.value_or(0), record_.held_out->views.size());
  else
    print("held out  no views: --eval measures PSNR, SSIM and FLIP on photos that training never saw\n");
  if (record_.held_out && record_.held_out->psnr_aligned) print("          {}\n", aligned_sentence(*record_.held_out));
  if (record_.fit) print("photos    {}\n", fit_sentence(*record_.fit, record_.held_out));
  if (record_.fit && !record_.fit->held_out.empty())
    print("          {}\n", confirmation_sentence(record_.fit->held_out));
  if (const std::string note = overfitting_note(record_); !note.empty()) print("note      {}\n", note);
  print("splats    {} ({} splats)\n", splat_file, human_count(record_.splats));
  if (!report_file.empty()) print("report    {}\n", report_file);
}

}  // namespace app
