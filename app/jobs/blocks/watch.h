// Progress and the end before the end, for whoever plans or trains blocks in a process of more than that (the window).
// What was stopped is as after an interruption (Ctrl-C): exit code 130, and the same call goes on.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "app/jobs/outcome.h"
#include "app/jobs/training/training_run.h"

namespace app {

struct BlocksWatch {
  const std::atomic<bool>* stop = nullptr;  // once true, it ends at its next safe point; null: never
  // share: [0,1], negative: not known; called from any thread, one at a time. Empty: nobody looks.
  std::function<void(const std::string& what, double share)> progress{};

  Monitor* monitor = nullptr;  // of the runs; null: nobody looks

  bool stopped() const { return stop && *stop; }
  void say(const std::string& what, double share = -1) const {
    if (progress) progress(what, share);
  }
  PhotoWatch photos() const;  // of a run's photos
};

inline Outcome stopped_by_watch(std::string sentence) { return {ExitCode::kInterrupted, std::move(sentence)}; }

// TrainingRun::prepare() and advance(), which the watch stops; advance() with a checkpoint. The watch outlives the run.
Outcome prepare(TrainingRun& run, const BlocksWatch& watch);
Outcome advance(TrainingRun& run, const BlocksWatch& watch);

}  // namespace app
