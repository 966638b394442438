#include "studio/runs/service.h"

#include <fmt/format.h>

#include <utility>

#include "app/jobs/input/run_folder.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/training/run_output.h"
#include "io/dataset/load_dataset.h"
#include "splat/core/log.h"
#include "studio/documents/opening.h"
#include "studio/documents/result_place.h"
#include "studio/documents/training_choices.h"
#include "studio/model/continuation.h"
#include "studio/runs/known_runs.h"
#include "studio/runs/run_history.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

// What the time of an iteration depends on.
TrainingChoices timed_choices(TrainingChoices choices) {
  choices.output.clear(), choices.resume.clear(), choices.left_out.reset();
  choices.save.checkpoint_every = 0;
  return choices;
}

}  // namespace

RunService::RunService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  const auto tell_run = [this](auto tell) {
    return [this, tell](auto&&) {
      if (LiveTraining* run = context_.model.run()) tell(*run);
    };
  };
  requests.on<StartTraining>([this](StartTraining&& wanted) { start(std::move(wanted)); });
  requests.on<PauseTraining>(tell_run([](LiveTraining& run) { run.pause(); }));
  requests.on<ResumeTraining>(tell_run([](LiveTraining& run) { run.resume(); }));
  requests.on<StopTraining>([this](StopTraining&& how) { stop(how.save_checkpoint); });
  requests.on<SaveCheckpoint>([this](SaveCheckpoint&&) { save_checkpoint(); });
  requests.on<PublishModel>([this](PublishModel&&) { publish_model(); });
  requests.on<WantRunPreview>([this](WantRunPreview&& wanted) { send_preview(std::move(wanted.choices)); });
  requests.on<WantRunPrediction>([this](WantRunPrediction&& wanted) { send_prediction(std::move(wanted.choices)); });
  requests.on<WantRunHistory>([this](WantRunHistory&& wanted) { send_history(std::move(wanted)); });
  requests.on<WantCommandLine>([this](WantCommandLine&& wanted) {
    if (const fs::path data = context_.documents.training_data(); !data.empty())
      context_.report(CommandLine{command_line_of(data, wanted.choices)});
  });
}

// The old run writes its checkpoint and ends in its own time; nobody waits but the writing thread, at the end.
void RunService::end(bool save_checkpoint) {
  auto ending = context_.model.take_run();
  if (!ending) return;
  ending->leave(save_checkpoint);
  context_.report(TrainingState{});
  context_.writings.add([ending = std::move(ending)]() mutable { ending.reset(); });
}

void RunService::wind_down() {
  if (const auto last = context_.model.take_run()) last->leave(true);
}

// The splats of a run alone are looked at with fewer of the photos' facts.
bool RunService::open_photos_first(const StartTraining& wanted) {
  const auto set = context_.documents.with([](const OpenScene& scene) {
    return scene.may_train || !scene.run ? std::nullopt : std::optional(PhotoSet{scene.run->input, scene.run->dataset});
  });
  if (!set) return false;
  context_.documents.open_photo_set(
      {set->path, set->options, [this, wanted] { context_.bridge.requests.put(wanted); }});
  return true;
}

void RunService::start(StartTraining&& wanted) {
  TrainingChoices& choices = wanted.choices;
  if (!choices.resume.empty() && open_photos_first(wanted)) return;
  const fs::path data = context_.documents.training_data();
  if (data.empty()) return log::error("there is no dataset to train on: open one first");
  auto made = options_of(data, choices);
  if (!made) return context_.fail(made.error().message, "All settings of training");
  made->device.threads = context_.options.device.threads;
  if (choices.resume.empty() && !wanted.replace && holds_a_run(made->output))
    return context_.report(OutputTaken{made->output, suggested_output(data), choices});
  if (const splat::Status status = make_home_of(made->output); !status)
    return context_.fail(status.error().message, "Choose where results go");
  if (const auto output = RunOutput::check(made->output); !output)
    return context_.fail(output.error().message, "Choose where results go");
  if (is_lost_at_the_next_start(made->output))
    context_.say_done(fmt::format("results go to '{}', which is emptied when the machine starts anew: copy them before",
                                  made->output.string()));
  end(true);
  ++context_.forecasts;  // they would slow the run down
  context_.watching.add([this, output = made->output] { note_run(context_.config, output); });
  context_.model.begin_run(*made, pace_of(data, choices));
}

void RunService::stop(bool save_checkpoint) {
  if (!context_.model.run()) return;
  save_checkpoint ? context_.model.run()->stop() : end(false);
}

void RunService::save_checkpoint() {
  LiveTraining* run = context_.model.run();
  if (!run) return log::warning("nothing is being trained: there is no checkpoint to save");
  run->ask([this](TrainingRun& now) {
    if (const splat::Status status = now.write_checkpoint(); !status) return log::error(status.error().message);
    context_.report(Notice{NoticeKind::kDone, "checkpoint '" + now.last_checkpoint().string() + "'"});
  });
}

void RunService::publish_model() {
  LiveTraining* run = context_.model.run();
  if (!run) return;
  run->ask([this](TrainingRun& now) {
    splat::ThreadPool pool(context_.options.device.threads);
    context_.report(LiveTraining::opened_model(now, pool));
  });
}

// Only the newest request counts: a number that is being typed sends several.
void RunService::send_preview(TrainingChoices&& choices) {
  const fs::path data = context_.documents.training_data();
  if (data.empty()) return;
  context_.openings.add([this, data, mine = ++previews_wanted_, choices = std::move(choices)] {
    if (previews_wanted_ != mine) return;
    auto found = run_preview_for(data, choices);
    context_.report(found ? std::move(*found) : RunPreview{{}, {}, found.error().message});
  });
}

void RunService::send_prediction(TrainingChoices&& choices) {
  const uint64_t mine = ++context_.forecasts;
  const fs::path data = context_.documents.training_data();
  if (data.empty() || context_.model.trains()) return;
  predictions_.add([this, mine, data, choices = std::move(choices)] {
    const auto stop = [&] { return context_.forecasts != mine; };
    if (stop()) return;
    const auto estimate = predicted(data, choices, stop);
    if (stop()) return;
    RunPrediction answer;
    answer.choices = choices;
    if (!estimate) answer.problem = estimate.error().message;
    if (estimate && *estimate) {
      const RunEstimate& found = **estimate;
      answer.seconds = found.seconds, answer.splats = found.splats;
      answer.memory_bytes = found.memory_bytes, answer.result_bytes = found.result_bytes;
      answer.fits = found.fits;
      std::lock_guard lock(mutex_);
      predicted_ = Predicted{data, timed_choices(choices), found.pace};
    }
    context_.report(std::move(answer));
  });
}

std::optional<RunPace> RunService::pace_of(const fs::path& data, const TrainingChoices& choices) {
  std::lock_guard lock(mutex_);
  const bool same = predicted_ && predicted_->data == data && predicted_->choices == timed_choices(choices);
  return same ? std::optional(predicted_->pace) : std::nullopt;
}

splat::Result<std::optional<RunEstimate>> RunService::predicted(const fs::path& data, const TrainingChoices& choices,
                                                                const std::function<bool()>& stop) const {
  SPLAT_ASSIGN_OR_RETURN(Options wanted, options_of(data, choices));
  wanted.device.threads = context_.options.device.threads;
  SPLAT_ASSIGN_OR_RETURN(const splat::Dataset dataset, io::load_dataset(data, wanted.dataset));
  SPLAT_ASSIGN_OR_RETURN(const Devices::Loan loan,
                         context_.devices.lend_exactly(wanted.device, {kMostTimed, most_pixels(dataset)}));
  return estimate_run(wanted, dataset, *loan.backend, stop);
}

void RunService::send_history(WantRunHistory&& wanted) {
  const fs::path dataset = context_.documents.with([&](const OpenScene& scene) {
    if (wanted.all) return fs::path();
    return scene.photos ? scene.photos->root : scene.run ? scene.run->input : fs::path();
  });
  const LiveTraining* run = context_.model.run();
  const fs::path trains = run && !run->finished() ? run->output() : fs::path();
  context_.watching.add([this, dataset, trains, recent = std::move(wanted.recent)] {
    const std::vector<fs::path> known = known_runs(context_.config);
    context_.report(run_history_of(dataset, {recent, known, trains}));
  });
}

void RunService::splats_opened(const fs::path& path, bool) {
  const fs::path folder = run_folder_of(path);
  if (folder.empty()) return;
  context_.watching.add([this, path, folder] {
    auto run = run_in_folder(folder);
    if (!run) return;
    note_run(context_.config, folder);
    context_.report(OpenedRun{path, iteration_of_result(path), std::move(*run)});
  });
}

}  // namespace studio
