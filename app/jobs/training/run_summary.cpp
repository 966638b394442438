#include "app/jobs/training/run_summary.h"

#include <fmt/format.h>

#include "app/jobs/host/host.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

std::optional<ExposureRecord> exposure_record(const RunNow& run) {
  const splat::Exposures& exposures = run.trainer.exposures();
  if (!exposures.decided()) return {};
  ExposureRecord record;
  record.trained = exposures.active();
  record.deviation_stops = exposures.deviation_stops();
  if (record.trained)
    for (int view : run.dataset.training_views())
      record.photos.push_back({run.dataset.views[size_t(view)].name, exposures.colour(view)});
  return record;
}

std::optional<PoseRecord> pose_record(const RunNow& run) {
  const splat::Poses& poses = run.trainer.poses();
  if (!poses.decided()) return {};
  PoseRecord record{poses.active(), poses.median_px(), {}};
  if (record.refined)
    for (int view : run.dataset.training_views())
      record.photos.push_back({run.dataset.views[size_t(view)].name, poses.moved_px(view)});
  return record;
}

std::optional<RegionRecord> region_record(const RunNow& run) {
  if (run.options.train.region.empty()) return {};
  RegionRecord record{run.options.train.region, run.trainer.splats() - run.trainer.result_rows().size(), 0};
  for (const splat::DatasetView& view : run.dataset.views) record.views_left_out += view.left_out;
  return record;
}

// Iterations a second, without the time before the first one.
double speed_of(int iterations, double seconds, const TrainingTime& time) {
  return seconds > time.starting ? iterations / (seconds - time.starting) : 0;
}

std::string summary_text(const RunNow& run, const RunRecord& record, const fs::path& splat_file,
                         const fs::path& report_file) {
  const int iterations = record.iterations - record.first_iteration;
  std::string text = fmt::format("trained   {} iterations in {} ({:.1f} it/s), peak memory {}\n", iterations,
                                 human_duration(run.time.here), speed_of(iterations, run.time.here, run.time),
                                 human_bytes(record.peak_rss_bytes));
  if (record.held_out)
    text += fmt::format("held out  PSNR {:.2f} dB, SSIM {:.4f}, FLIP {:.4f} over {} views\n", record.held_out->psnr,
                        record.held_out->ssim, record.held_out->flip.value_or(0), record.held_out->views.size());
  else
    text += "held out  no views: --eval measures PSNR, SSIM and FLIP on photos that training never saw\n";
  if (record.held_out && record.held_out->psnr_aligned)
    text += "          " + aligned_sentence(*record.held_out) + "\n";
  if (record.fit) text += "photos    " + fit_sentence(*record.fit, record.held_out) + "\n";
  if (record.fit && !record.fit->held_out.empty())
    text += "          " + confirmation_sentence(record.fit->held_out) + "\n";
  if (const std::string note = overfitting_note(record); !note.empty()) text += "note      " + note + "\n";
  text += fmt::format("splats    {} ({} splats)\n", splat::printable(splat_file.string()), human_count(record.splats));
  if (!report_file.empty()) text += fmt::format("report    {}\n", splat::printable(report_file.string()));
  return text;
}

}  // namespace

void announce(const RunNow& run, Monitor& monitor) {
  if (run.options.minutes > 0)
    log::info(
        fmt::format("training for {}: how many iterations that makes depends on the machine and on what else it "
                    "does, so another run need not give the same bytes",
                    human_duration(60 * run.options.minutes)));
  if (!run.options.train.region.empty())
    log::info(fmt::format("region: {} of {} splats lie in it at the start; the others are {}",
                          human_count(run.trainer.result_rows().size()), human_count(run.trainer.splats()),
                          "trained without growing, and not written"));
  const size_t held_out = run.dataset.held_out_views().size();
  const splat::PinholeCamera& camera = run.dataset.views.front().camera;
  log::info(fmt::format("training {} {} on {} ({} held out) of {}x{} px, iterations {} to {}, seed {}",
                        human_count(run.trainer.splats()), splat::noun(run.trainer.splats(), "splat"),
                        splat::counted(run.dataset.training_views().size(), "view"), held_out, camera.width,
                        camera.height, run.trainer.iteration(), run.options.train.iterations, run.options.train.seed));
  const splat::TrainConfig& settings = run.trainer.config();
  if (settings.progressive_divisor > 1 && run.trainer.iteration() < settings.progressive_until)
    log::info(fmt::format("photos start with sides divided by {} and have their full size from iteration {} on",
                          settings.progressive_divisor, settings.progressive_until));
  monitor.result({{"type", "start"},
                  {"dataset", run.options.input.string()},
                  {"backend", run.backend.backend->info().name},
                  {"device", run.backend.backend->info().device},
                  {"reason", run.backend.reason},
                  {"seed", run.options.train.seed},
                  {"iteration", run.trainer.iteration()},
                  {"iterations", run.options.train.iterations},
                  {"splats", run.trainer.splats()},
                  {"training_views", run.dataset.training_views().size()},
                  {"held_out_views", held_out}},
                 "");
}

void fill_record(const RunNow& run, RunRecord& record) {
  std::error_code code;
  record.scene = fs::weakly_canonical(run.options.input, code).filename().string();
  record.dataset = run.options.input.string();
  record.backend = run.backend.backend->info().name;
  record.device = run.backend.backend->info().device;
  record.reason = run.backend.reason;
  record.seed = run.options.train.seed;
  record.iterations = run.trainer.iteration();
  record.seconds = run.time.all();
  // In all legs; where nobody knows how long those before took, in this one.
  record.iterations_per_second =
      speed_of(record.iterations - (run.time.before > 0 ? 0 : record.first_iteration), run.time.all(), run.time);
  record.region = region_record(run);
  record.splats = run.trainer.splats() - (record.region ? record.region->splats_around : 0);
  record.left_out = run.options.dataset.leave_out;
  record.exposure = exposure_record(run);
  record.poses = pose_record(run);
  record.depths = record_of(run.trainer.depths(), run.dataset);
  record.alignment = alignment_of(run.options.input);
  record.training_views = run.dataset.training_views().size();
  record.peak_rss_bytes = peak_rss_bytes();
  record.history = run.trainer.history();
}

void say_summary(const RunNow& run, const RunRecord& record, const fs::path& splat_file, const fs::path& report_file,
                 Monitor& monitor) {
  nlohmann::json summary = to_json(record);
  summary["type"] = "summary";
  summary["output"] = splat_file.string();
  if (!report_file.empty()) summary["report"] = report_file.string();
  monitor.result(summary, summary_text(run, record, splat_file, report_file));
}

}  // namespace app
