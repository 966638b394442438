#include "app/run/training_run.h"
#include "app/console/standard_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "app/console/interrupt.h"
#include "app/console/last_resort.h"
#include "app/run/memory_plan.h"
#include "app/run/region_photos.h"
#include "app/run/replaced_file.h"
#include "app/run/session.h"
#include "app/run/training_seconds.h"
#include "io/checkpoint.h"
#include "io/dataset/image_store.h"
#include "io/io.h"
#include "splat/backend/with_fixed_rows.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/train/init.h"
#include "splat/train/match_settings.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;
using splat::Status;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kCurveShare = 0.05;                // of the training that evaluations for the curve may cost
constexpr double kFollowShare = 0.005;              // of --minutes: how often the schedules follow the clock
constexpr double kUsualPace = 100;                  // iterations a second, until the run shows its own
constexpr double kViewShare = 0.35;                 // of an iteration that drawing and scoring one view costs
constexpr double kFitShare = 0.05;                  // of the training that looking at its photos again may cost
constexpr double kPhotoShare = 0.9;                 // of an iteration that it costs for a photo
constexpr size_t kFewestFitted = 8;                 // photos that are looked at however short the run was
constexpr int kCurvePoints = 10;                    // evaluations spread over the run, at most
constexpr double kSpeedWeight = 0.02;               // of the latest iteration in the displayed speed
constexpr int kUsualEvaluations[] = {7000, 30000};  // the iterations that papers report

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The settings of a checkpoint that decide what the dataset looks like, or that follow from it; they hold again unless
// given anew.
nlohmann::json data_settings(const nlohmann::json& settings, const Options& given) {
  nlohmann::json data = nlohmann::json::object();
  for (const char* name :
       {"resolution", "images", "masks", "alpha", "depths", "eval", "test_every", "test_images", "leave_out",
        // which stay as they were asked for: what they came to is the trainer's (load_state)
        "progressive_divisor", "mean_lr_from"})
    if (settings.contains(name)) data[name] = settings[name];
  if (!settings.contains("background")) data["background"] = "auto";
  if (!settings.contains("alpha")) data["alpha"] = "ignore";  // written before there was a choice: it goes on so
  if (given.was_given("test-every")) data.erase("test_images");
  return data;
}

std::vector<splat::View> training_cameras(const splat::Dataset& dataset) {
  std::vector<splat::View> cameras;
  for (const int view : dataset.training_views()) cameras.push_back(dataset.views[size_t(view)].view());
  return cameras;
}

uint64_t bytes_of(const splat::Gaussians& splats) {
  return splats.size() * uint64_t(splat::parameters_per_splat(splats.sh_degree)) * sizeof(float);
}

// Splats that were trained, and not only placed.
bool has_colour_bands(const splat::Gaussians& splats) {
  const size_t width = 3 * size_t(splats.coefficients());
  for (size_t at = 0; at < splats.sh.size(); ++at)
    if (at % width >= 3 && splats.sh[at] != 0) return true;
  return false;
}

// Training settings given beside --resume must be the checkpoint's own, but for the target.
Status check_unchanged(Options& given, const splat::TrainConfig& stored) {
  Options of_checkpoint;
  of_checkpoint.train = stored;
  const std::vector<OptionRow> rows = option_table(given), stored_rows = option_table(of_checkpoint);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!is_training_setting(rows[i]) || !given.was_given(rows[i].name) || rows[i].name == "iterations") continue;
    if (rows[i].get() != stored_rows[i].get())
      return splat::Error{
          fmt::format("--{} {} differs from the checkpoint's {}: only --iterations may change when resuming",
                      rows[i].name, rows[i].get().dump(), stored_rows[i].get().dump())};
  }
  return {};
}

}  // namespace

TrainingRun::TrainingRun(const Options& options, const PhotoWatch& photo_watch, std::optional<ScenePart> part)
    : options_(options),
      photo_watch_(photo_watch),
      display_(choose_display(options.console.json, options.console.quiet)),
      part_(std::move(part)) {}

// ---- before the first iteration

Outcome TrainingRun::prepare() {
  auto output = RunOutput::check(options_.output);
  if (!output) return bad_input(output.error());
  output_ = std::move(*output);
  const auto [file, kind] = output_.single_file() ? std::pair(output_.target(), FileKind::kSplats)
                                                  : std::pair(output_.file("input.ply"), FileKind::kPoints);
  if (const Status status = check_replaceable(file, kind, {.force = options_.force}); !status)
    return bad_input(status.error());
  if (const Status status = output_.check_free(); !status) return bad_input(status.error());
  if (Outcome outcome = open_backend(options_.device, chosen_); !outcome) return outcome;
  if (!options_.resume.empty())
    if (Outcome outcome = read_resumed(); !outcome) return outcome;
  if (!options_.init.empty())
    if (Outcome outcome = read_initial(); !outcome) return outcome;
  if (Outcome outcome = open_dataset(options_.input, options_.dataset, dataset_); !outcome) return outcome;
  if (part_) {
    scene_cameras_ = training_cameras(dataset_);
    if (const Status status = keep_views_of(*part_, dataset_); !status) return bad_input(status.error());
  }
  if (dataset_.training_views().empty())
    return bad_input(fmt::format("every photo of '{}' is held out: none is left to train on", options_.input.string()));
  if (Outcome outcome = plan_and_open_photos(); !outcome) return outcome;
  if (part_) enter_part();
  if (const splat::Box& region = options_.train.region; !region.empty())
    if (const Status status = keep_to_region(region, options_.device.threads, dataset_, photos_); !status)
      return bad_input(status.error());
  if (Outcome outcome = make_trainer(); !outcome) return outcome;
  if (interrupted()) return {ExitCode::kInterrupted, "interrupted before the first iteration; nothing was written"};
  if (Outcome outcome = check_disk(); !outcome) return outcome;
  if (const Status status = output_.create(); !status) return bad_input(status.error());
  if (const Status status = output_.take(); !status) return bad_input(status.error());
  if (!output_.single_file())
    if (Outcome outcome = write_first_files(); !outcome) return outcome;
  announce();
  return done();
}

Outcome TrainingRun::read_resumed() {
  auto file = io::CheckpointFile::open(options_.resume);
  if (!file) return bad_input(file.error());
  const splat::Archive& archive = file->archive();
  const std::string name = "'" + options_.resume.string() + "'";
  auto config = splat::load_config(archive);
  if (!config) return bad_input(name + ": " + config.error().message);
  if (const Status status = check_unchanged(options_, *config); !status) return bad_input(status.error());
  if (options_.was_given("iterations")) config->iterations = options_.train.iterations;
  options_.train = *config;
  if (auto settings = archive.get_string(kSettingsEntry)) {
    const auto json = nlohmann::json::parse(*settings, nullptr, false);
    if (!json.is_object()) return bad_input(name + ": its settings are damaged");
    if (const Status status = apply_settings(data_settings(json, options_), name, options_); !status)
      return bad_input(status.error());
  }
  seconds_before_ = seconds_at(options_.resume);
  resumed_.emplace(std::move(*file));
  return done();
}

Outcome TrainingRun::read_initial() {
  auto file = io::read_splat_file(options_.init);
  if (!file) return bad_input(file.error());
  if (file->gaussians.size() == 0)
    return bad_input(fmt::format("'{}' has no splats to start from", options_.init.string()));
  const uint64_t count = file->gaussians.size(), most = options_.train.max_splats;
  if (most > 0 && count > most)
    return bad_input(fmt::format("'{}' has {} splats, more than --max-splats {}", options_.init.string(), count, most));
  initial_ = std::move(file->gaussians);
  return done();
}

Outcome TrainingRun::plan_and_open_photos() {
  StartingSplats starting{splat::starting_splats(dataset_, options_.train)};
  if (initial_)
    starting = {initial_->size(), bytes_of(*initial_),
                "--convert '" + options_.init.string() + "' -o FILE.ply --max-splats"};
  if (part_)
    starting = {part_->start.size() + part_->fixed.size(), bytes_of(part_->start) + bytes_of(part_->fixed), ""};
  if (resumed_) {
    starting.fewer = "";
    if (const auto count = resumed_->archive().get<uint64_t>("model/count")) starting.count = *count;
  }
  fixed_splats_ = part_ ? part_->fixed.size() : 0;
  if (part_ && resumed_) starting.count += fixed_splats_;
  const splat::BackendInfo device = chosen_.backend->info();
  const bool matches = !initial_ && !part_ && !resumed_;
  const auto memory = plan_run_memory(
      options_.train, dataset_, device, starting,
      matches ? splat::matching_bytes(splat::resolve_config(options_.train), dataset_, options_.device.threads) : 0);
  if (!memory) return bad_input(memory.error());
  plan_ = memory->host;
  splats_that_fit_ = memory->splats_that_fit - fixed_splats_;
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
                     {plan_.image_limit_bytes, options_.device.threads, options_.console,
                      splat::evaluation_background(options_.train)},
                     photos_, photo_watch_);
}

void TrainingRun::enter_part() {
  colours_ = held_colours(*part_, dataset_);
  photos_ = photos_of_part(*part_, *chosen_.backend, dataset_, std::move(photos_));
  chosen_.backend = splat::with_fixed_rows(std::move(chosen_.backend), std::move(part_->fixed));
  if (!resumed_) initial_ = std::move(part_->start);
  part_.reset();
}

Outcome TrainingRun::make_trainer() {
  const Clock::time_point start = Clock::now();
  if (options_.minutes > 0)  // until the clock says better
    options_.train.iterations = std::clamp(int(60 * options_.minutes * kUsualPace), 1, options_.train.iterations);
  if (initial_ && has_colour_bands(*initial_) && options_.train.sh_degree_interval == splat::kAuto) {
    options_.train.sh_degree_interval = 0;
    log::info("the colour bands of the splats to start from are trained from the first iteration on");
  }
  unresolved_ = options_.train;
  options_.train = splat::resolve_config(options_.train);
  trainer_ = std::make_unique<splat::Trainer>(
      options_.train, splat::TrainerInputs{dataset_, *photos_, *chosen_.backend, options_.device.threads,
                                           splats_that_fit_, colours_, scene_cameras_});
  const Status status = resumed_   ? trainer_->load_state(*resumed_)
                        : initial_ ? trainer_->initialise(*initial_)
                                   : trainer_->initialise();
  if (!status)
    return bad_input(resumed_ ? "'" + options_.resume.string() + "': " + status.error().message
                              : status.error().message);
  starting_seconds_ = training_seconds_ = followed_seconds_ = seconds_since(start);
  resumed_.reset();
  initial_.reset();
  for (const std::string& note : trainer_->notes()) log::info(note);
  if (trainer_->iteration() > options_.train.iterations)
    return bad_input(fmt::format("'{}' is already at iteration {}: --iterations must be more than that",
                                 options_.resume.string(), trainer_->iteration()));
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
}

void TrainingRun::announce() const {
  if (options_.minutes > 0)
    log::info(
        fmt::format("training for {}: how many iterations that makes depends on the machine and on what else it "
                    "does, so another run need not give the same bytes",
                    human_duration(60 * options_.minutes)));
  if (!options_.train.region.empty())
    log::info(fmt::format("region: {} of {} splats lie in it at the start; the others are {}",
                          human_count(trainer_->result_rows().size()), human_count(trainer_->splats()),
                          "trained without growing, and not written"));
  const size_t held_out = dataset_.held_out_views().size();
  const splat::PinholeCamera& camera = dataset_.views.front().camera;
  log::info(fmt::format("training {} splats on {} views ({} held out) of {}x{} px, iterations {} to {}, seed {}",
                        human_count(trainer_->splats()), dataset_.training_views().size(), held_out, camera.width,
                        camera.height, trainer_->iteration(), options_.train.iterations, options_.train.seed));
  const splat::TrainConfig& settings = trainer_->config();
  if (settings.progressive_divisor > 1 && trainer_->iteration() < settings.progressive_until)
    log::info(fmt::format("photos start with sides divided by {} and have their full size from iteration {} on",
                          settings.progressive_divisor, settings.progressive_until));
  if (!options_.console.json) return;
  print_json({{"type", "start"},
              {"dataset", options_.input.string()},
              {"backend", chosen_.backend->info().name},
              {"device", chosen_.backend->info().device},
              {"reason", chosen_.reason},
              {"seed", options_.train.seed},
              {"iteration", trainer_->iteration()},
              {"iterations", options_.train.iterations},
              {"splats", trainer_->splats()},
              {"training_views", dataset_.training_views().size()},
              {"held_out_views", held_out}});
}

// ---- the loop

Outcome TrainingRun::train() {
  while (!trained())
    if (Outcome outcome = advance(); !outcome) return outcome;
  return done();
}

Outcome TrainingRun::advance() try {
  const Clock::time_point start = Clock::now();
  if (trainer_->iteration() == 0)
    began_ = start - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(starting_seconds_));
  hold_reserve();
  auto step = this->step();
  const double seconds = seconds_since(start);
  training_seconds_ += seconds;
  step_seconds_ = step_seconds_ == 0 ? seconds : step_seconds_ + kSpeedWeight * (seconds - step_seconds_);
  if (!step) return failed_keeping_state(step.error().message);
  return after_step(*step);
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

// A diverged state is not worth a file: going on from it would end in the same way, and it would take an older one's
// place.
Outcome TrainingRun::failed_keeping_state(std::string sentence) {
  release_reserve();
  if (!trainer_->diverged() && write_checkpoint())
    sentence += fmt::format(" (iteration {} is kept in '{}')", trainer_->iteration(), last_checkpoint_.string());
  else if (!last_checkpoint_.empty())
    sentence += fmt::format(" (the last checkpoint is '{}')", last_checkpoint_.string());
  return failed(sentence);
}

// Stretches all schedules to the iterations that there is time for at the pace since the last time, and ends the run
// when time is up.
void TrainingRun::follow_clock() {
  const double limit = 60 * options_.minutes, elapsed = seconds_since(began_);
  const int iteration = trainer_->iteration();
  const bool over = elapsed >= limit;
  // What was estimated while the machine did something else is over too early.
  const bool early = trainer_->done() && limit - elapsed > kFollowShare * limit;
  if (!over && !early && elapsed - followed_seconds_ < kFollowShare * limit) return;
  const double pace = (elapsed - followed_seconds_) / std::max(1, iteration - followed_iteration_);
  const double more = over ? 0 : std::min((limit - elapsed) / std::max(pace, 1e-6), 1e6);
  followed_seconds_ = elapsed;
  followed_iteration_ = iteration;
  splat::TrainConfig config = unresolved_;
  config.iterations = iteration + int(more) + (over ? 0 : 1);
  trainer_->retarget(config);
  options_.train = trainer_->config();
}

Outcome TrainingRun::after_step(const splat::StepReport& step) {
  if (options_.minutes > 0) follow_clock();
  const int iteration = step.iteration;
  loss_ = step.loss_ema;
  densified_ = densified_ || step.densify.densified;
  const bool last = trainer_->done();
  if (display_.due()) {
    display_.update({iteration, options_.train.iterations, 1 / std::max(step_seconds_, 1e-9), step.loss_ema,
                     step.splats, latest_psnr_, training_seconds()});
  }
  if (interrupted() && !last) return interrupt();
  if (last) return done();
  if (evaluation_due()) {
    if (Outcome outcome = evaluate(splat::Metrics::kQuick); !outcome) return outcome;
    display_.evaluated(trainer_->history().back());
  }
  // A full disk must not end the training: the failure is logged, and older files are still there.
  if (std::find(options_.save.at.begin(), options_.save.at.end(), iteration) != options_.save.at.end())
    if (const Status status = write_splats(); !status) log::warning(status.error().message + "; training goes on");
  const int every = options_.save.checkpoint_every;
  if (!output_.single_file() && every > 0 && iteration % every == 0)
    if (const Status status = write_checkpoint(", training goes on"); !status)
      log::warning(status.error().message + (last_checkpoint_.empty()
                                                 ? "; training goes on"
                                                 : "; '" + last_checkpoint_.string() + "' is kept, training goes on"));
  return done();
}

// At the usual iterations, and at every tenth of the run, or fewer where that would cost more than a small share of it.
// Decided by counts alone, so that equal runs have the same history.
bool TrainingRun::evaluation_due() const {
  const size_t views = dataset_.held_out_views().size();
  if (views == 0) return false;
  const int iteration = trainer_->iteration(), iterations = options_.train.iterations;
  if (std::find(std::begin(kUsualEvaluations), std::end(kUsualEvaluations), iteration) != std::end(kUsualEvaluations))
    return true;
  const int affordable = int(std::min(double(kCurvePoints), kCurveShare * iterations / (kViewShare * double(views))));
  return affordable > 0 && iteration % std::max(iterations / affordable, 1) == 0;
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

// At the end, and of an interrupted or failed run never: it is no reason to lose one that is done. How many photos
// are looked at follows from counts alone, so that equal runs have equal reports.
void TrainingRun::measure_fit() try {
  const auto affordable = size_t(kFitShare / kPhotoShare * trainer_->iteration());
  auto fit = trainer_->measure_fit(std::max(affordable, kFewestFitted));
  if (fit)
    record_.fit = std::move(*fit);
  else
    log::warning(fit.error().message + ": how well the photos fit is not in the report");
} catch (const splat::DeviceError& error) {
  log::warning(fmt::format("{}: how well the photos fit is not in the report", error.what()));
} catch (const std::bad_alloc&) {
  log::warning(out_of_memory() + ": how well the photos fit is not in the report");
}

Outcome TrainingRun::interrupt() {
  if (const Status status = write_checkpoint(); !status)
    return failed("interrupted, and the checkpoint could not be written: " + status.error().message);
  const std::string path = last_checkpoint_.string();
  if (options_.console.json)
    print_json({{"type", "interrupted"}, {"iteration", trainer_->iteration()}, {"checkpoint", path}});
  else
    print("{}\n", path);
  return {ExitCode::kInterrupted,
          fmt::format("interrupted at iteration {}; to go on: --resume '{}'", trainer_->iteration(), path)};
}

// ---- the end

// Not of a run that may go on to the same bytes, nor of a block: photos that it does not train on may show its splats.
void TrainingRun::remove_veils() {
  if (!trained() || fixed_splats_ > 0) return;
  if (const size_t removed = trainer_->finish(); removed > 0)
    log::info(fmt::format("{} splats in mid-air, which hardly any photo has in frame, are removed", removed));
}

Outcome TrainingRun::finish() try {
  remove_veils();
  ReportPictures pictures(dataset_.held_out_views().size());
  const Status splats_written = write_splats();
  if (Outcome outcome = evaluate(splat::Metrics::kAll,
                                 [&](const auto& metrics, const auto& render, const auto& photo) {
                                   if (!output_.single_file()) pictures.add(metrics, render, photo);
                                 });
      !outcome)
    return outcome;
  if (record_.held_out) display_.evaluated(trainer_->history().back());
  measure_fit();
  Status rest;
  if (!output_.single_file()) rest = write_checkpoint();
  fill_record();
  if (!output_.single_file()) {
    const Status reports = write_reports(pictures.views());
    if (rest) rest = reports;
  }
  output_.release();
  if (!splats_written) return failed_without_splats(splats_written.error().message);
  display_.clear();
  splats_written_ = true;
  if (rest && last_checkpoint_is_spare())
    return failed(fmt::format("the last checkpoint could not be written into '{}' and is kept in '{}': {}",
                              output_.target().string(), last_checkpoint_.string(), spare_cause_));
  return rest ? done() : failed(rest.error());
} catch (const splat::DeviceError& error) {
  return failed_keeping_state(error.what());
} catch (const std::bad_alloc&) {
  return failed_keeping_state(out_of_memory());
}

// What was trained is worth keeping, wherever there is room for it.
Outcome TrainingRun::failed_without_splats(std::string sentence) {
  display_.clear();
  if (const Status status = write_spare_splats(); status)
    return failed(fmt::format("{}; the splats are kept in '{}'", sentence, spare_splats_.string()));
  if (last_checkpoint_.empty()) (void)write_checkpoint();
  if (!last_checkpoint_.empty())
    sentence += fmt::format("; nothing is lost before '{}': go on with --resume", last_checkpoint_.string());
  return failed(sentence);
}

}  // namespace app
