#include "app/jobs/training/training_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "app/jobs/host/last_resort.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/training/evaluation_times.h"
#include "app/jobs/training/region_photos.h"
#include "app/jobs/training/run_place.h"
#include "app/jobs/training/run_summary.h"
#include "io/beside_splats.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/train/match_settings.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;
using splat::Status;

namespace {

using Clock = std::chrono::steady_clock;

Outcome interrupted_at_the_start() {
  return {ExitCode::kInterrupted, "interrupted before the first iteration; nothing was written"};
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

TrainingRun::TrainingRun(const Options& options, const PhotoWatch& photo_watch, std::optional<ScenePart> part)
    : options_(options), photo_watch_(photo_watch), start_(std::move(part)) {}

// ---- before the first iteration

Outcome TrainingRun::prepare(const std::function<Outcome()>& before_files) {
  begin_peak_rss_anew();
  held_before_ = rss_bytes();
  auto output = RunOutput::check(options_.output);
  if (!output) return bad_input(output.error());
  output_ = std::move(*output);
  if (const Status status = check_run_place(output_, options_.force); !status) return bad_input(status.error());
  if (const Status status = output_.check_free(); !status) return bad_input(status.error());
  if (Outcome outcome = open_backend(options_.device, chosen_); !outcome) return outcome;
  if (Outcome outcome = start_.read(options_); !outcome) return outcome;
  time_.before = start_.seconds_before();
  if (Outcome outcome = open_dataset(options_.input, options_.dataset, dataset_); !outcome) return outcome;
  if (const Status status = start_.keep_to_part(dataset_); !status) return bad_input(status.error());
  if (output_.single_file()) {
    const io::SplatFileInfo info = info_of_result(options_, dataset_);
    const Status status = io::check_beside_splats(output_.target(), &info, beside_of(options_.force));
    if (!status) return bad_input(status.error());
  }
  if (dataset_.training_views().empty())
    return bad_input(fmt::format("every photo of '{}' is held out: none is left to train on", options_.input.string()));
  if (Outcome outcome = plan_and_open_photos(); !outcome) return outcome;
  start_.enter_part(dataset_, chosen_, photos_);
  if (const splat::Box& region = options_.train.region; !region.empty())
    if (const Status status = keep_to_region(region, options_.device.threads, dataset_, photos_); !status)
      return bad_input(status.error());
  if (Outcome outcome = make_trainer(); !outcome) return outcome;
  if (stops()) return interrupted_at_the_start();
  if (Outcome outcome = check_disk(now(), output_, splats_that_fit_); !outcome) return outcome;
  if (before_files)
    if (Outcome outcome = before_files(); !outcome) return outcome;
  if (const Status status = output_.create(); !status) return bad_input(status.error());
  if (const Status status = output_.take(); !status) return bad_input(status.error());
  if (!output_.single_file())
    if (Outcome outcome = write_first_files(now(), output_); !outcome) return outcome;
  announce(now(), *monitor_);
  return done();
}

Outcome TrainingRun::plan_and_open_photos() {
  const splat::BackendInfo device = chosen_.backend->info();
  const uint64_t matching = start_.from_points() ? splat::matching_bytes(splat::resolve_config(options_.train),
                                                                         dataset_, options_.device.threads)
                                                 : 0;
  const auto memory = plan_run_memory(options_.train, dataset_, device, start_.splats(options_, dataset_), matching);
  if (!memory) return bad_input(memory.error());
  plan_ = memory->host;
  splats_that_fit_ = memory->splats_that_fit - start_.fixed_splats();
  log::info(fmt::format("memory: about {} at the start, {} available; room for {} splats",
                        human_bytes(plan_.needed_bytes), human_bytes(host_memory().available_bytes),
                        human_count(plan_.splats_that_fit)));
  if (device.device_total_bytes > 0)
    log::info(fmt::format("memory of the GPU: {} free of {}; room for {} splats", human_bytes(device.device_free_bytes),
                          human_bytes(device.device_total_bytes), human_count(memory->splats_on_device)));
  if (options_.train.max_splats > splats_that_fit_)
    log::warning(fmt::format("--max-splats {} needs more memory than there is: growth will stop at {}",
                             options_.train.max_splats, splats_that_fit_));
  return open_photos(dataset_,
                     {plan_.image_limit_bytes, options_.device.threads, splat::evaluation_background(options_.train)},
                     photos_, photo_watch_);
}

Outcome TrainingRun::make_trainer() try {
  const Clock::time_point start = Clock::now();
  if (options_.minutes > 0)
    options_.train.iterations = TimeLimit::first_guess(options_.minutes, options_.train.iterations);
  start_.fit_settings(options_.train);
  const splat::TrainConfig unresolved = options_.train;
  options_.train = splat::resolve_config(options_.train);
  if (Outcome outcome = start_.make_trainer(options_,
                                            {dataset_,
                                             *photos_,
                                             *chosen_.backend,
                                             options_.device.threads,
                                             splats_that_fit_,
                                             {},
                                             {},
                                             [this] { return stops(); }},
                                            trainer_);
      !outcome)
    return outcome;
  time_.starting = time_.here = seconds_since(start);
  if (options_.minutes > 0) limit_.emplace(options_.minutes, unresolved, time_.starting);
  for (const std::string& note : trainer_->notes()) log::info(note);
  if (trainer_->iteration() > options_.train.iterations)
    return bad_input(fmt::format("'{}' is already at iteration {}: --iterations must be more than that",
                                 options_.resume.string(), trainer_->iteration()));
  time_left_.expect(expected_.value_or(usual_pace(trainer_->config().progressive_divisor)));
  record_.first_iteration = trainer_->iteration();
  for (const splat::HistoryEntry& entry : trainer_->history()) {
    loss_ = entry.loss;
    if (entry.evaluated) latest_psnr_ = entry.psnr;
  }
  for (int iteration : options_.save.at)
    if (iteration > options_.train.iterations)
      log::warning(
          fmt::format("--save-at {} lies beyond the last iteration, {}", iteration, options_.train.iterations));
  return done();
} catch (const splat::Stopped&) {
  return interrupted_at_the_start();
}

// ---- the loop

Outcome TrainingRun::train() {
  while (!trained())
    if (Outcome outcome = advance(); !outcome) return outcome;
  return done();
}

Outcome TrainingRun::advance() try {
  const Clock::time_point start = Clock::now();
  if (limit_ && trainer_->iteration() == 0) limit_->begin(start);
  hold_reserve();
  auto step = this->step();
  time_.add_iteration(seconds_since(start));
  time_left_.add_iteration(trainer_->config(), trainer_->iteration(), seconds_since(start));
  if (!step) return failed_keeping_state(step.error().message);
  return after_step(*step);
} catch (const splat::Stopped&) {
  return monitor_->cancelled() ? interrupt() : done();
} catch (const std::bad_alloc&) {
  return failed_keeping_state(out_of_memory());
}

// A GPU that fails, or memory that is refused, ends the run as a photo does that cannot be read: with what was trained
// so far.
splat::Result<splat::StepReport> TrainingRun::step() try {
  return trainer_->step();
} catch (const splat::DeviceError& error) {
  return splat::Error{error.what()};
} catch (const std::bad_alloc&) {
  return splat::Error{out_of_memory()};
}

double TrainingRun::seconds_left() const {
  if (options_.minutes > 0) return std::max(0.0, 60 * options_.minutes - time_.here);
  return time_left_.seconds(trainer_->config(), trainer_->iteration());
}

Status TrainingRun::keep_checkpoint() {
  std::error_code code;
  if (checkpoint_iteration() == trainer_->iteration() && fs::exists(last_checkpoint(), code)) return {};
  return write_checkpoint();
}

// A diverged state is not worth a file: going on from it would end in the same way, and it would take an older one's
// place.
Outcome TrainingRun::failed_keeping_state(std::string sentence) {
  release_reserve();
  if (!trainer_->diverged() && write_checkpoint())
    sentence += fmt::format(" (iteration {} is kept in '{}')", trainer_->iteration(), last_checkpoint().string());
  else if (!last_checkpoint().empty())
    sentence += fmt::format(" (the last checkpoint is '{}')", last_checkpoint().string());
  return failed(sentence);
}

RunProgress TrainingRun::progress(const splat::StepReport& step) const {
  RunProgress now;
  now.iteration = step.iteration, now.iterations = options_.train.iterations;
  now.iterations_per_second = 1 / std::max(time_.last_iteration, 1e-9);
  now.loss = step.loss_ema, now.splats = step.splats, now.psnr = latest_psnr_;
  now.seconds = time_.all(), now.eta_seconds = seconds_left();
  return now;
}

Outcome TrainingRun::after_step(const splat::StepReport& step) {
  if (limit_)
    if (const auto config = limit_->follow(trainer_->iteration(), trainer_->done(), Clock::now())) {
      trainer_->retarget(*config);
      options_.train = trainer_->config();
    }
  const int iteration = step.iteration;
  loss_ = step.loss_ema;
  densified_ = densified_ || step.densify.densified;
  const bool last = trainer_->done();
  monitor_->progress(progress(step));
  if (monitor_->cancelled() && !last) return interrupt();
  if (last) return done();
  if (evaluation_is_due(iteration, options_.train.iterations, dataset_.held_out_views().size())) {
    if (Outcome outcome = evaluate(splat::Metrics::kQuick); !outcome) return outcome;
    say_evaluated();
  }
  // A full disk must not end the training: the failure is logged, and older files are still there.
  if (std::find(options_.save.at.begin(), options_.save.at.end(), iteration) != options_.save.at.end())
    if (const Status status = files_.write_splats(now()); !status)
      log::warning(status.error().message + "; training goes on");
  const int every = options_.save.checkpoint_every;
  if (!output_.single_file() && every > 0 && iteration % every == 0)
    if (const Status status = write_checkpoint(", training goes on"); !status)
      log::warning(status.error().message + (last_checkpoint().empty()
                                                 ? "; training goes on"
                                                 : "; '" + last_checkpoint().string() + "' is kept, training goes on"));
  return done();
}

Outcome TrainingRun::evaluate(splat::Metrics metrics, const splat::Trainer::OnView& on_view) try {
  auto evaluation = trainer_->evaluate(on_view, metrics);
  if (!evaluation) return failed_keeping_state(evaluation.error().message);
  if (!evaluation->views.empty()) {
    latest_psnr_ = evaluation->psnr;
    record_.held_out = std::move(*evaluation);
  }
  return done();
} catch (const splat::DeviceError& error) {
  return failed_keeping_state(error.what());
} catch (const std::bad_alloc&) {
  return failed_keeping_state(out_of_memory());
}

// At the end, and of an interrupted or failed run never: it is no reason to lose one that is done.
void TrainingRun::measure_fit() try {
  auto fit = trainer_->measure_fit(photos_to_fit(trainer_->iteration()));
  if (fit)
    record_.fit = std::move(*fit);
  else
    log::warning(fit.error().message + ": how well the photos fit is not in the report");
} catch (const splat::DeviceError& error) {
  log::warning(fmt::format("{}: how well the photos fit is not in the report", error.what()));
} catch (const std::bad_alloc&) {
  log::warning(out_of_memory() + ": how well the photos fit is not in the report");
}

bool TrainingRun::stops() const { return monitor_->cancelled() || (stop_asked_ && stop_asked_()); }

Outcome TrainingRun::interrupt() {
  if (const Status status = write_checkpoint(); !status)
    return failed("interrupted, and the checkpoint could not be written: " + status.error().message);
  const std::string path = last_checkpoint().string();
  monitor_->result({{"type", "interrupted"}, {"iteration", trainer_->iteration()}, {"checkpoint", path}}, path + "\n");
  return {ExitCode::kInterrupted,
          fmt::format("interrupted at iteration {}; to go on: --resume '{}'", trainer_->iteration(), path)};
}

// ---- the end

// Not of a run that may go on to the same bytes, nor of a block: photos that it does not train on may show its splats.
Outcome TrainingRun::remove_veils() try {
  if (!trained() || start_.fixed_splats() > 0) return done();
  if (const size_t removed = trainer_->finish(); removed > 0)
    log::info(fmt::format("{} splats in mid-air, which hardly any photo has in frame, are removed", removed));
  return done();
} catch (const splat::Stopped&) {
  return monitor_->cancelled() ? interrupt() : done();
}

uint64_t TrainingRun::predicted_peak_bytes() const {
  const uint64_t largest_view = most_pixels(dataset_);
  MemoryPlan plan = plan_;
  plan.add_held(held_before_);
  plan.add_pixels(std::max(drawn_pixels_, largest_view) - largest_view);
  return plan.peak_bytes(trainer_->splats() + start_.fixed_splats(), densified_);
}

Outcome TrainingRun::finish() try {
  if (Outcome outcome = remove_veils(); !outcome) return outcome;
  ReportPictures pictures(dataset_.held_out_views().size());
  const Status splats_written = files_.write_splats(now());
  if (Outcome outcome = evaluate(splat::Metrics::kAll,
                                 [&](const auto& metrics, const auto& render, const auto& photo) {
                                   if (!output_.single_file()) pictures.add(metrics, render, photo);
                                 });
      !outcome)
    return outcome;
  if (record_.held_out) say_evaluated();
  measure_fit();
  Status rest;
  if (!output_.single_file()) rest = write_checkpoint();
  fill_record(now(), record_);
  record_.predicted_peak_bytes = predicted_peak_bytes();
  if (!output_.single_file()) {
    const Status reports = write_reports(now(), output_, record_, pictures.views());
    if (rest) rest = reports;
  }
  output_.release();
  if (!splats_written) return failed(files_.keep_without_splats(now(), splats_written.error().message));
  splats_written_ = true;
  if (const std::string elsewhere = files_.kept_elsewhere(); rest && !elsewhere.empty()) return failed(elsewhere);
  return rest ? done() : failed(rest.error());
} catch (const splat::DeviceError& error) {
  return failed_keeping_state(error.what());
} catch (const std::bad_alloc&) {
  return failed_keeping_state(out_of_memory());
}

void TrainingRun::say_evaluated() const {
  const splat::HistoryEntry& entry = trainer_->history().back();
  log::info(fmt::format("iteration {}: held-out PSNR {:.2f} dB, SSIM {:.4f}, {} splats", entry.iteration, entry.psnr,
                        entry.ssim, human_count(entry.splats)));
  nlohmann::json facts = to_json(entry);
  facts["type"] = "eval";
  monitor_->result(facts, "");
}

void TrainingRun::say_summary() const {
  app::say_summary(now(), record_, splat_file(), output_.single_file() ? fs::path() : output_.file("report.html"),
                   *monitor_);
}

}  // namespace app
