#include "studio/model/live_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "app/jobs/host/host.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "studio/documents/opened_model.h"
#include "studio/documents/opening.h"
#include "studio/model/continuation.h"
#include "viewer/camera/camera_state.h"
#include "viewer/live/draw_picture.h"

namespace studio {

namespace log = splat::log;

namespace {

constexpr double kPublishSeconds = 0.05, kMeasureSeconds = 0.5;
constexpr double kSpeedPoints = 400;  // of the speed's curve, at most
constexpr std::chrono::milliseconds kIdle = std::chrono::hours(1);

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LiveTraining::LiveTraining(const Options& options, Devices& devices, Bus& reports, const std::optional<RunPace>& pace)
    : options_(options),
      expected_(pace),
      devices_(devices),
      reports_(reports),
      drawer_([this] { return make_drawer(); }),
      thread_([this] { work(); }) {}

LiveTraining::~LiveTraining() {
  if (request_ != Request::kLeave) leave(false);
  thread_.join();
}

void LiveTraining::leave(bool save_checkpoint) {
  save_when_left_ = save_checkpoint;
  cancelled_ = true;
  set_request(Request::kLeave);
}

void LiveTraining::stop() {
  if (!prepared_) cancelled_ = true;
  set_request(Request::kStop);
}

void LiveTraining::set_request(Request request) {
  {
    std::lock_guard lock(reporting_);
    const bool final = request_ == Request::kLeave || (request_ == Request::kStop && request != Request::kLeave);
    if (!final) request_ = request;
  }
  jobs_.put({});
}

void LiveTraining::set_view(std::optional<RenderRequest> view) {
  view_mailbox_.put(std::move(view));
  jobs_.put({});
}

void LiveTraining::ask(Job job) { jobs_.put(std::move(job)); }

void LiveTraining::draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done) {
  ask([this, request, done = std::move(done)](TrainingRun&) mutable {
    done(picture_of(request, 1, true));
    if (status_ == RunStatus::kRunning) forget_drawer();
  });
}

// ---- the thread

void LiveTraining::work() {
  try {
    run();
  } catch (const std::bad_alloc&) {
    fail_keeping_state(out_of_memory());
  } catch (const splat::DeviceError& error) {
    fail_keeping_state(error.what());
  } catch (const std::exception& error) {
    fail_keeping_state(std::string("unexpected problem: ") + error.what());
  }
  run_.reset();
  log::close_file();
  left_ = true;
}

void LiveTraining::run() {
  publish(RunStatus::kPreparing);
  PhotoWatch watch;
  watch.cancelled = &cancelled_;
  watch.progress = [this](size_t done, size_t total) {
    report(WorkProgress{fmt::format("reading photos {}/{}", done, total), float(done) / float(total), false});
  };
  auto run = std::make_unique<TrainingRun>(options_, watch);
  if (expected_) run->expect(*expected_);
  run->stop_where([this] { return request_ == Request::kStop || request_ == Request::kLeave; });
  const Outcome prepared = run->prepare();
  report(WorkProgress{});
  if (request_ == Request::kStop) {
    sentence_ = "stopped before the first iteration";
    return publish(RunStatus::kStopped);
  }
  if (!prepared) {
    if (request_ != Request::kLeave && prepared.code != ExitCode::kInterrupted) fail(prepared.sentence);
    return;
  }
  prepared_ = true;
  run_ = std::move(run);
  report(RunPreview{held_out_names(run_->dataset()), {}, {}});
  note_speed_before();
  if (!train()) return serve();
  if (request_ == Request::kLeave) return;
  finish();
  serve();
}

bool LiveTraining::train() {
  publish(RunStatus::kRunning);
  while (!run_->trained()) {
    do_jobs();
    if (request_ == Request::kPause) wait_paused();
    if (request_ == Request::kStop) break;
    if (request_ == Request::kLeave) {
      if (save_when_left_)
        if (const splat::Status status = run_->keep_checkpoint(); !status) log::error(status.error().message);
      break;
    }
    const Clock::time_point start = Clock::now();
    if (const Outcome outcome = run_->advance(); !outcome) {
      if (outcome.code != ExitCode::kInterrupted) fail(outcome.sentence);  // a checkpoint was written, all is well
      return false;
    }
    draw_while_training(seconds_between(start, Clock::now()));
    note_speed();
    publish_if_due();
  }
  return true;
}

void LiveTraining::wait_paused() {
  publish(RunStatus::kPaused);
  keep_paused();
  moved_ = true;  // the model is another one than at the last rest
  while (request_ == Request::kPause) {
    do_jobs();
    if (request_ == Request::kPause) wait_for_something(draw_at_rest());
  }
  sentence_.clear();
  forget_drawer();  // its model will soon be an old one, and training may need the memory
  publish(RunStatus::kRunning);
}

// A pause may last for days; what kills it then takes nothing.
void LiveTraining::keep_paused() {
  if (const splat::Status status = run_->keep_checkpoint(); !status)
    log::warning(sentence_ = status.error().message + "; the run stays paused, and can go on");
  publish(RunStatus::kPaused);
}

void LiveTraining::finish() {
  const bool early = !run_->trained();
  sentence_ = "measuring the held-out photos, and writing splats, checkpoint and report";
  publish(RunStatus::kStopping);
  const Outcome outcome = run_->finish();
  if (!outcome) return fail(outcome.sentence);
  sentence_ = fmt::format("written to '{}'", run_->splat_file().string());
  log::info(sentence_);
  publish(early ? RunStatus::kStopped : RunStatus::kFinished);
  splat::ThreadPool pool(options_.device.threads);
  report(opened_model(*run_, pool));
}

void LiveTraining::serve() {
  moved_ = true;
  while (request_ != Request::kLeave) {
    do_jobs();
    if (request_ != Request::kLeave) wait_for_something(draw_at_rest());
  }
}

// Takes what would wake the thread, too: whoever waits after it looks at the request once more.
void LiveTraining::do_jobs() {
  for (auto job = jobs_.take(); job; job = jobs_.take())
    if (*job && request_ != Request::kLeave) {
      (*job)(*run_);
      publish(status_);
    }
}

void LiveTraining::wait_for_something(std::chrono::milliseconds longest) {
  if (longest.count() <= 0) return;
  if (auto job = jobs_.wait(longest); job && *job && request_ != Request::kLeave) {
    (*job)(*run_);
    publish(status_);
  }
}

// ---- pictures

std::optional<RenderRequest> LiveTraining::wanted_view() {
  if (auto newest = view_mailbox_.take()) {
    const auto& now = *newest;
    const bool same = view_ && now && viewer::same_view(view_->view, now->view) && view_->settings == now->settings;
    moved_ = moved_ || !same;
    if (!same) moved_at_ = Clock::now();
    view_ = now;
  }
  return view_;
}

// What would need another model is drawn so only at rest: while it trains, as viewer::live_settings() has it.
EngineImage LiveTraining::picture_of(const RenderRequest& request, int divisor, bool any_mode) {
  std::optional<EngineImage> image;
  if (any_mode && viewer::variant_for(request.settings) != ModelVariant{}) image = variant_picture(request, divisor);
  if (!image)
    image = viewer::draw_picture(*run_->backend().backend, {request.view, viewer::live_settings(request.settings)},
                                 divisor);
  run_->drawn(uint64_t(image->width) * uint64_t(image->height));
  image->iteration = run_->trainer().iteration();
  return std::move(*image);
}

// None where there is no room for another model; the run itself must not suffer from what is looked at.
std::optional<EngineImage> LiveTraining::variant_picture(const RenderRequest& request, int divisor) {
  if (drawer_refused_) return std::nullopt;
  std::string problem = "there is not enough memory";
  drawn_pixels_ = uint64_t(request.view.camera.width) * uint64_t(request.view.camera.height);
  try {
    splat::Status prepared;
    if (!drawer_.prepared_for(request.settings)) prepared = drawer_.prepare(request.settings, run_->trainer().model());
    if (prepared) return drawer_.draw(request, divisor);
    problem = prepared.error().message;
  } catch (const std::bad_alloc&) {
  } catch (const splat::DeviceError& error) {
    problem = error.what();
  }
  forget_drawer();
  drawer_refused_ = true;
  log::warning("this cannot be drawn beside the run, which is shown as splats: " + problem);
  return std::nullopt;
}

splat::Result<std::unique_ptr<splat::Backend>> LiveTraining::make_drawer() {
  DeviceOptions device = options_.device;
  device.backend = run_->backend().backend->info().name;
  device.deterministic = false;
  SPLAT_ASSIGN_OR_RETURN(Devices::Loan loan, devices_.lend_exactly(device, {run_->trainer().splats(), drawn_pixels_}));
  drawer_memory_ = std::move(loan.memory);
  return std::move(loan.backend);
}

void LiveTraining::forget_drawer() {
  drawer_.release();
  drawer_memory_ = {};
  drawer_refused_ = false;
}

void LiveTraining::draw(const RenderRequest& request, int divisor, bool at_rest) {
  EngineImage image = picture_of(request, divisor, at_rest);
  last_picture_ = Clock::now();
  moved_ = false;
  report(std::move(image));
}

void LiveTraining::draw_while_training(double iteration_seconds) {
  budget_.trained(iteration_seconds);
  const auto request = wanted_view();
  if (!request || (!moved_ && reports_.waits<EngineImage>())) return;  // nobody has looked at the last one yet
  const Clock::time_point start = Clock::now();
  const int divisor = budget_.due(moved_, seconds_between(last_picture_, start));
  if (divisor == 0) return;
  draw(*request, divisor, false);
  budget_.spent(divisor, seconds_between(start, last_picture_));
}

std::chrono::milliseconds LiveTraining::draw_at_rest() {
  const auto request = wanted_view();
  if (!request || (!moved_ && pace_.sharp())) return kIdle;
  const Clock::time_point start = Clock::now();
  const double still_ms = 1e3 * seconds_between(moved_at_, start);
  if (!moved_ && still_ms < pace_.still_ms()) return std::chrono::milliseconds(int(pace_.still_ms() - still_ms) + 1);
  const int divisor = pace_.next(moved_).divisor;
  draw(*request, divisor, true);
  pace_.took(1e3 * seconds_between(start, last_picture_));
  return {};
}

// ---- reports to the window

OpenedSplats LiveTraining::opened_model(const TrainingRun& run, splat::ThreadPool& pool) {
  OpenedSplats opened;
  opened.path = run.splat_file();
  opened.format = "trained model";
  opened.filter = splat::screen_filter(run.options().train);
  const splat::Gaussians model = run.trainer().model();
  describe_model(model, pool, opened);
  opened.packed = pack_model(model, pool);
  opened.up = {viewer::vec3(run.dataset().view_up), UpSource::kCameras};
  opened.iteration = run.trainer().iteration();
  return opened;
}

// Nothing but the mean is known of the legs before.
void LiveTraining::note_speed_before() {
  const int first = run_->trainer().iteration();
  if (first == 0 || run_->seconds_before() <= 0) return;
  const float mean = float(first / run_->seconds_before());
  speed_ = {{0, mean}, {float(first), mean}};
}

void LiveTraining::note_speed() {
  const int iteration = run_->trainer().iteration();
  const double stride = std::max(1.0, run_->options().train.iterations / kSpeedPoints);
  if (speed_.empty() || iteration - double(speed_.back()[0]) >= stride)
    speed_.push_back({float(iteration), float(run_->iterations_per_second())});
}

void LiveTraining::publish_if_due() {
  if (seconds_between(last_published_, Clock::now()) >= kPublishSeconds) publish(status_);
}

void LiveTraining::publish(RunStatus status) {
  status_ = status;
  last_published_ = Clock::now();
  if (seconds_between(last_measured_, last_published_) >= kMeasureSeconds) {
    last_measured_ = last_published_;
    memory_bytes_ = rss_bytes();
    available_bytes_ = host_memory().available_bytes;
  }
  TrainingState now;
  now.status = status;
  finished_ = now.ended();
  now.output = options_.output;
  now.iterations = options_.train.iterations;
  now.memory_bytes = memory_bytes_;
  now.memory_available_bytes = available_bytes_;
  now.sentence = sentence_;
  now.seed = options_.train.seed;
  now.view_share = budget_.share();
  if (run_) {
    now.iteration = run_->trainer().iteration();
    now.iterations = run_->options().train.iterations;
    now.iterations_per_second = run_->iterations_per_second();
    now.loss = run_->loss();
    now.splats = run_->trainer().splats();
    now.seconds = run_->training_seconds();
    now.seconds_left = run_->seconds_left();
    now.history = run_->trainer().history();
    for (const splat::HistoryEntry& entry : now.history)
      if (entry.evaluated) now.psnr = entry.psnr, now.ssim = entry.ssim;
    now.speed = speed_;
    now.backend = run_->backend().backend->info().name;
    now.device = run_->backend().backend->info().device;
    now.reason = run_->backend().reason;
    now.last_checkpoint = run_->last_checkpoint();
    now.kept = run_->checkpoint_iteration();
    now.seed = run_->options().train.seed;
    now.sh_degree = run_->options().train.sh_degree;
    now.filter = splat::screen_filter(run_->options().train);
  }
  if (now.ended())
    now.continuation = continuation_from(now.last_checkpoint.empty() ? options_.resume : now.last_checkpoint,
                                         run_ ? run_->options() : options_);
  report(std::move(now));
}

// A run that was not finished yet leaves its state.
void LiveTraining::fail_keeping_state(const std::string& sentence) {
  const bool unfinished = run_ && (status_ == RunStatus::kRunning || status_ == RunStatus::kPaused);
  fail(unfinished ? run_->failed_keeping_state(sentence).sentence : sentence);
}

void LiveTraining::fail(const std::string& sentence) {
  sentence_ = sentence;
  log::error(sentence);
  publish(RunStatus::kFailed);
}

}  // namespace studio
