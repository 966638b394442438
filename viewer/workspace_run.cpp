// The workspace's part in runs: what is wanted before one, and what changes with its beginning and its end.
#include <utility>

#include "viewer/workspace.h"

namespace viewer {

void Workspace::take_training(TrainingState&& state) {
  const bool was_active = received.training_active(), was_live = received.live();
  received.training = std::move(state);
  const bool active = received.training_active();
  if (was_active && !active) run_ended = true;
  if (!was_live && received.live()) settings.add_recent(received.training.output.string());
  if (was_active || !active) return;
  notice.reset();
  compare.figures.clear();  // of a run before
  received.comparison.reset();
  show_scene();
}

void Workspace::want_run_history() { ask(WantRunHistory{{settings.recent.begin(), settings.recent.end()}}); }

// The newest counts: one that came to its end later makes an older one that did not a matter of the list of all runs.
void Workspace::take_run_history(RunHistory&& history) {
  if (received.dataset) received.stopped_run = history.runs.empty() ? std::nullopt : history.runs.front().stopped;
  received.run_history = std::move(history);
}

// What it depends on: not where it goes, nor how often it saves.
void Workspace::want_prediction() {
  constexpr double kLeftAlone = 0.8;  // s
  if (!program.attended || !received.dataset || received.dataset->growing || received.training_active()) return;
  TrainingChoices now = choices;
  now.output.clear(), now.resume.clear();
  now.checkpoint_every = 0;
  if (considered_ != now) considered_ = now, considered_at_ = this->now;
  if (predicted_ == now || this->now - considered_at_ < kLeftAlone) return;
  predicted_ = now;
  received.run_prediction.reset();
  ask(WantRunPrediction{choices});
}

}  // namespace viewer
