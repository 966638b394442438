#include "app/jobs/blocks/job.h"

#include <fmt/format.h>

#include <chrono>

#include "app/jobs/host/host.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/training/training_run.h"
#include "io/io.h"
#include "splat/core/log.h"
#include "splat/model/gaussian_rows.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;
using splat::Status;
using Stage = BlockState::Stage;

namespace {

constexpr double kReportSeconds = 5;  // between two writings of block.json

Result<ScenePart> part_of(const City& city, size_t block) {
  SPLAT_ASSIGN_OR_RETURN(const io::SplatFile scaffold, io::read_splat_file(newest_result(city.scaffold_folder())));
  const splat::Gaussians& model = scaffold.gaussians;
  ScenePart part;
  part.views = city.blocks[block].views;
  part.colours = city.colours;
  const std::vector<uint32_t> trained = splat::blocks::rows_in(model, city.ground, city.trained_cell(block));
  std::vector<uint32_t> others;
  for (uint32_t row = 0, next = 0; row < model.size(); ++row) {
    if (next < trained.size() && trained[next] == row)
      ++next;
    else
      others.push_back(row);
  }
  part.start = splat::gather_rows(model, trained);
  part.fixed = splat::gather_rows(model, others);
  if (part.start.size() == 0)
    return splat::Error{
        fmt::format("the scaffold has no splats in block {}: make a plan with fewer blocks, or with "
                    "more --scaffold-iterations",
                    block)};
  return part;
}

Result<Options> options_of(const City& city, size_t block, const Options& given) {
  Options options;
  options.device = given.device;
  options.console = given.console;
  SPLAT_TRY(apply_settings(city.settings, "'" + (city.folder / "city.json").string() + "'", options));
  if (city.colours.empty()) options.train.exposure = splat::ExposureMode::kOff;  // decided for all of them
  options.train.iterations = city.blocks[block].iterations;
  options.train.poses = splat::PoseMode::kOff;  // blocks share their photos: none can move a camera alone
  options.verb = kTrain;
  options.input = city.dataset;
  options.output = city.block_folder(block);
  options.dataset.threads = given.device.threads;
  options.resume = newest_checkpoint(options.output);
  options.given = options.typed = given.typed;  // resuming compares what was given with the checkpoint
  return options;
}

// Keeps block.json up to date while a block is trained.
class Job {
 public:
  Job(const City& city, size_t block, BlockState state, TrainingRun& run)
      : city_(city), block_(block), state_(std::move(state)), run_(run), seconds_before_(state_.seconds) {}

  Outcome train(const BlocksWatch& watch) {
    report_running();
    while (!run_.trained()) {
      if (Outcome outcome = advance(run_, watch); !outcome) return outcome;
      if (Clock::now() >= next_) report_running();
    }
    return done();
  }

  // Training does not end for it.
  void report_running() {
    if (const Status status = report(Stage::kRunning); !status)
      splat::log::warning(status.error().message + "; training goes on");
  }

  Status report(Stage stage, const std::string& why = "") {
    next_ = Clock::now() + std::chrono::milliseconds(int(1000 * kReportSeconds));
    state_.stage = stage;
    state_.why = why;
    state_.iteration = run_.trainer().iteration();
    state_.splats = run_.trainer().splats();
    state_.seconds = seconds_before_ + run_.training_seconds();
    state_.peak_rss_bytes = std::max(state_.peak_rss_bytes, peak_rss_bytes());
    if (run_.held_out()) state_.psnr = run_.held_out()->psnr;
    if (stage == Stage::kDone) {
      state_.splats = run_.splats_in_file();
      state_.splat_file = fs::path(run_.splat_file()).lexically_relative(folder()).string();
    }
    return write_block(city_, block_, state_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  fs::path folder() const { return city_.block_folder(block_); }

  const City& city_;
  size_t block_;
  BlockState state_;
  TrainingRun& run_;
  double seconds_before_;
  Clock::time_point next_{};
};

// Not begun: it says why, but only the holder of the folder's lock may say anything about the block.
Outcome not_begun(const City& city, size_t block, Outcome outcome) {
  const fs::path folder = city.block_folder(block);
  std::error_code code;
  if (outcome.code == ExitCode::kInterrupted || !fs::is_directory(city.folder / "blocks", code)) return outcome;
  fs::create_directories(folder, code);
  OutputLock lock;
  if (!lock.take(folder / kLockName)) return outcome;
  auto state = read_block(city, block);  // as it is by now
  if (!state || state->stage == Stage::kDone) return outcome;
  state->stage = Stage::kFailed;
  state->why = outcome.sentence;
  (void)write_block(city, block, *state);
  return outcome;
}

Outcome is_done(size_t block) {
  splat::log::info(fmt::format("block {} is done", block));
  return done();
}

// What the files say at the end decides whether others take the block for trained.
Outcome not_recorded(const Error& error, size_t block) {
  return failed(fmt::format("block {} is trained, but that cannot be recorded: {}; the same command tries it again",
                            block, error.message));
}

}  // namespace

Outcome train_block(const City& city, size_t block, const Options& given, const BlocksWatch& watch) {
  auto state = read_block(city, block);
  if (!state) return bad_input(state.error());
  if (state->stage == Stage::kDone) return is_done(block);
  const auto options = options_of(city, block, given);
  if (!options) return bad_input(options.error());
  auto part = part_of(city, block);
  if (!part) return bad_input(part.error());
  splat::log::info(fmt::format("block {}: {} photos, {} splats to begin with, {} around them", block,
                               part->views.size(), human_count(part->start.size()), human_count(part->fixed.size())));
  std::error_code code;
  fs::create_directories(city.folder / "blocks", code);  // an error shows in prepare()
  TrainingRun run(*options, watch.photos(), std::move(*part));
  if (Outcome outcome = prepare(run, watch); !outcome) return not_begun(city, block, outcome);
  state = read_block(city, block);  // now that the lock is held: another job may have ended meanwhile
  if (!state) return bad_input(state.error());
  if (state->stage == Stage::kDone) return is_done(block);
  Job job(city, block, std::move(*state), run);
  Outcome outcome = job.train(watch);
  if (outcome) outcome = run.finish();
  if (outcome.code == ExitCode::kInterrupted) {
    outcome.sentence = fmt::format("block {}: interrupted at iteration {}; the same command goes on", block,
                                   run.trainer().iteration());
    (void)job.report(Stage::kStopped);
  } else {
    const Status recorded = job.report(run.splats_written() ? Stage::kDone : Stage::kFailed, outcome.sentence);
    if (outcome && !recorded) outcome = not_recorded(recorded.error(), block);
  }
  if (run.splats_written()) run.say_summary();
  return outcome;
}

Outcome train_blocks(const City& city, const Options& options, const BlocksWatch& watch) {
  std::string failures;
  ExitCode code = ExitCode::kUsage;  // unless one failed for another reason
  for (size_t k = 0; k < city.blocks.size(); ++k) {
    Outcome outcome = watch.stopped() ? stopped_by_watch("stopped") : train_block(city, k, options, watch);
    if (outcome.code == ExitCode::kInterrupted || outcome.code == ExitCode::kNoBackend) return outcome;
    if (!outcome && outcome.code != ExitCode::kUsage) code = outcome.code;
    if (!outcome) failures += fmt::format("{}block {}: {}", failures.empty() ? "" : "; ", k, outcome.sentence);
  }
  return failures.empty() ? done() : Outcome{code, failures};
}

}  // namespace app
