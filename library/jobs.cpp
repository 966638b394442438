#include <locale.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/jobs/host/last_resort.h"
#include "app/jobs/run_job.h"
#include "app/jobs/training/report/pictures.h"
#include "app/settings/options.h"
#include "io/json.h"
#include "library/structs.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/train/evaluate.h"

struct hs_job {
  app::Options options;
  std::atomic<bool> cancelled = false;
};

namespace library {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kUsualProgress = 0.5, kUsualPreview = 2;  // s
constexpr double kPreviewShare = 0.1;                      // of the time, at most
constexpr auto kAskAgain = std::chrono::milliseconds(50);  // whether a job that waits is cancelled

// stderr is the caller's. Once, when the library is loaded.
const bool kSilent = [] {
  splat::log::set_silent(true);
  return true;
}();

// The log, the memory held in reserve and the count of peak memory are the process's: jobs run one at a time.
std::timed_mutex& running() {
  static std::timed_mutex mutex;
  return mutex;
}
thread_local bool runs_here = false;

// Names of files need not be UTF-8.
std::string text_of(const nlohmann::json& facts) {
  return facts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double or_usual(double seconds, double usual) { return seconds == 0 ? usual : std::max(seconds, 0.0); }

Clock::duration as_duration(double seconds) {
  constexpr double kMost = 1e8;
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, kMost)));
}

// Hands all that a job says to the caller, one call at a time.
class Watcher final : public app::Monitor {
 public:
  Watcher(const hs_job_callbacks& callbacks, const std::atomic<bool>& cancelled)
      : to_(callbacks), cancelled_(cancelled) {
    if (to_.log)
      splat::log::set_listener([this](splat::log::Level level, std::string_view line) {
        const std::lock_guard lock(calling_);
        to_.log(to_.user, int32_t(level), std::string(line).c_str());
      });
  }
  ~Watcher() override { splat::log::set_listener({}); }

  void stage(const std::string& name) override { call(to_.stage, name.c_str()); }
  void step(size_t done, size_t total) override { call(to_.step, uint64_t(done), uint64_t(total)); }
  void reading(size_t done, size_t total) override { call(to_.reading, uint64_t(done), uint64_t(total)); }
  void progress(const app::Progress& now) override {
    if (!to_.progress || to_.progress_seconds < 0) return;
    const std::lock_guard lock(calling_);
    if (Clock::now() < next_progress_ && !now.urgent()) return;
    to_.progress(to_.user, text_of(now.facts()).c_str(), now.sentence().c_str(), now.share());
    next_progress_ = Clock::now() + as_duration(or_usual(to_.progress_seconds, kUsualProgress));
  }
  void predicted(const app::Prediction& prediction) override {
    call(to_.predicted, prediction.memory_bytes, prediction.seconds);
  }
  void result(const nlohmann::json& facts, const std::string& text) override {
    call(to_.result, text_of(facts).c_str(), text.c_str());
  }
  bool cancelled() override { return cancelled_; }

  // Between two iterations. What fails here fails again in the next one, which says so and keeps the state.
  void preview(app::TrainingRun& run) try {
    if (Clock::now() < next_preview_) return;
    const Clock::time_point start = Clock::now();
    const auto& views = run.dataset().views;
    const splat::DatasetView& view = views[std::min(size_t(std::max(to_.preview_view, 0)), views.size() - 1)];
    splat::Backend& backend = *run.backend().backend;
    backend.forward(view.view(), splat::evaluation_settings(run.options().train));
    splat::ImageF drawn;
    backend.read_image(drawn);
    run.drawn(uint64_t(drawn.width) * uint64_t(drawn.height));
    const splat::Image8 picture = app::to_image8(drawn);
    call(to_.preview, picture.pixels.data(), int32_t(picture.width), int32_t(picture.height),
         int32_t(run.trainer().iteration()));
    const auto pause =
        std::max(as_duration(or_usual(to_.preview_seconds, kUsualPreview)),
                 as_duration(std::chrono::duration<double>(Clock::now() - start).count() / kPreviewShare));
    next_preview_ = Clock::now() + pause;
  } catch (const splat::DeviceError&) {
  } catch (const std::bad_alloc&) {
  }

 private:
  template <class... Types, class... Values>
  void call(void (*callback)(void*, Types...), Values... values) {
    if (!callback) return;
    const std::lock_guard lock(calling_);
    callback(to_.user, values...);
  }

  const hs_job_callbacks& to_;
  const std::atomic<bool>& cancelled_;
  std::mutex calling_;
  Clock::time_point next_progress_{}, next_preview_{};
};

// This thread's turn to run a job. It ends with what a job may leave of the process's. Numbers have points in it,
// whatever locale the process has chosen.
class JobTurn {
 public:
  explicit JobTurn(const std::atomic<bool>& cancelled) : lock_(running(), std::defer_lock) {
    if (runs_here) refuse("this thread runs a job: a callback must not run another one");
    while (!lock_.try_lock_for(kAskAgain))
      if (cancelled) return;
    runs_here = true;
    points_ = ::newlocale(LC_NUMERIC_MASK, "C", locale_t{});
    if (points_) before_ = ::uselocale(points_);
  }
  ~JobTurn() {
    if (!lock_) return;
    app::release_reserve();
    splat::log::close_file();
    runs_here = false;
    if (!points_) return;
    ::uselocale(before_);
    ::freelocale(points_);
  }
  JobTurn(const JobTurn&) = delete;
  JobTurn& operator=(const JobTurn&) = delete;

 private:
  std::unique_lock<std::timed_mutex> lock_;
  locale_t points_{}, before_{};
};

hs_status status_of(app::ExitCode code) {
  switch (code) {
    case app::ExitCode::kDone:
      return HS_OK;
    case app::ExitCode::kUsage:
      return HS_ERROR_ARGUMENT;
    case app::ExitCode::kNoBackend:
      return HS_ERROR_DEVICE;
    case app::ExitCode::kInterrupted:
      return HS_CANCELLED;
    case app::ExitCode::kFailed:
      return HS_ERROR_JOB;
  }
  return HS_ERROR_INTERNAL;
}

void check(const app::Outcome& outcome) {
  if (!outcome) throw Failure{status_of(outcome.code), outcome.sentence};
}

app::Verb verb_of(std::string_view name) {
  constexpr std::pair<std::string_view, app::Verb> kVerbs[] = {
      {"train", app::kTrain},       {"align", app::kAlign}, {"render", app::kRender},  {"film", app::kRender},
      {"evaluate", app::kEvaluate}, {"mesh", app::kMesh},   {"convert", app::kConvert}};
  for (const auto& [known, verb] : kVerbs)
    if (known == name) return verb;
  refuse("there is no job '" + std::string(name) +
         "'; the jobs are train, align, render, film, evaluate, mesh and convert");
}

std::unique_ptr<hs_job> make_job(const std::string& verb, const char* text) {
  auto job = std::make_unique<hs_job>();
  nlohmann::json settings = value_or_throw(io::parse_json(text, "settings"), HS_ERROR_ARGUMENT);
  if (verb == "film" && settings.is_object() && settings.value("path", nlohmann::json()).is_null())
    settings["path"] = "orbit";
  check(app::read_job(verb_of(verb), settings, job->options));
  return job;
}

app::Outcome run_watched(const app::Options& options, Watcher& watcher, bool previews) {
  if (!previews) return app::run_job(options, watcher);
  return app::run_job(options, watcher, [&](app::TrainingRun& run, const auto& advance) {
    while (!run.trained()) {
      watcher.preview(run);
      if (app::Outcome outcome = advance(); !outcome) return outcome;
    }
    watcher.preview(run);
    return run.finish();
  });
}

void run(const hs_job& job, const hs_job_callbacks& callbacks) try {
  const JobTurn turn(job.cancelled);
  if (job.cancelled) throw Failure{HS_CANCELLED, "cancelled before it began; nothing was written"};
  Watcher watcher(callbacks, job.cancelled);
  check(run_watched(job.options, watcher, callbacks.preview && callbacks.preview_seconds >= 0));
} catch (const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    throw Failure{HS_ERROR_MEMORY, "the system refuses another thread: raise the limit on them (ulimit -u)"};
  throw;
}

hs_job_callbacks checked(const hs_job_callbacks* given) {
  hs_job_callbacks callbacks{};
  if (given) callbacks = read_struct(given, "callbacks");
  if (!(callbacks.progress_seconds == callbacks.progress_seconds) ||
      !(callbacks.preview_seconds == callbacks.preview_seconds))
    refuse("progress_seconds or preview_seconds is not a number");
  if (callbacks.preview_view < 0) refuse("preview_view is " + std::to_string(callbacks.preview_view));
  return callbacks;
}

}  // namespace
}  // namespace library

extern "C" {

hs_status hs_job_new(const char* verb, const char* settings, hs_job** job) {
  return library::guarded([&] {
    library::check_pointer(job, "job");
    *job = nullptr;
    library::check_pointer(verb, "verb");
    library::check_pointer(settings, "settings");
    *job = library::make_job(verb, settings).release();
  });
}

hs_status hs_job_run(hs_job* job, const hs_job_callbacks* callbacks) {
  return library::guarded([&] {
    library::check_pointer(job, "job");
    library::run(*job, library::checked(callbacks));
  });
}

void hs_job_cancel(hs_job* job) {
  if (job) job->cancelled = true;
}

void hs_job_free(hs_job* job) { delete job; }
}
