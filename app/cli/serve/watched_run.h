// A training run on a board, for those who watch it in a browser: between two iterations it says how far it is, copies
// its splats every few seconds, draws the photo that is compared, and does what was asked. Only while somebody watches,
// and each within a hundredth of the training's time: slow machines are copied more rarely and of many splats a part,
// chosen as thinned.h says. Packing is done by a thread of low priority. The run's results do not change by it.
#pragma once

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "app/cli/serve/board.h"
#include "app/cli/serve/cost_limit.h"
#include "app/jobs/training/training_run.h"
#include "io/splats/common/page.h"
#include "splat/core/parallel.h"
#include "splat/core/unique_function.h"
#include "viewer/mailbox.h"

namespace app {

class WatchedRun {
 public:
  // After prepare(). The run and the board outlive it.
  WatchedRun(TrainingRun& run, Board& board, const io::PageContents& page);
  ~WatchedRun();
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

  // Before an iteration; waits while the run is paused. False: it is to end here, with its files.
  bool between();
  void finishing();                         // before the files are written
  void ended(const std::string& sentence);  // says so to those who watch, for at most some seconds

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    splat::UniqueFunction<void()> work;  // empty: the thread ends
    std::atomic<bool>* busy = nullptr;   // false again once it is done
  };

  struct Shown {
    int number = 0, iteration = 0, degree = 0;
    size_t splats = 0, of = 0;
  };

  void pack();  // the thread
  void obey(ServeCommand command);
  void keep(int iteration);  // a checkpoint of it, since a pause may end in a kill
  void show(Clock::time_point now);
  void offer_splats(Clock::time_point now);
  void take_what_was_packed();
  void draw_pair(Clock::time_point now);
  void say(Clock::time_point now, bool at_once = false);
  splat::Gaussians copy_of_splats() const;
  nlohmann::json status() const;

  TrainingRun& run_;
  Board& board_;
  const char* phase_ = "training";
  std::string note_;
  bool paused_ = false, stopped_ = false;

  // ---- splats on their way
  Shown shown_, coming_;
  size_t most_;  // of a state
  CostLimit splats_limit_, pair_limit_;
  double copy_seconds_ = 0;
  std::atomic<bool> packing_{false}, drawing_{false};
  std::atomic<double> pack_seconds_{0};  // of a processor
  Clock::time_point last_copy_{}, last_said_{};
  int pair_iteration_ = -1, pair_view_ = -1;  // that was drawn last
  mutable splat::ThreadPool pool_;            // at rest but while splats are chosen

  viewer::Queue<Job> jobs_;
  std::thread thread_;
};

}  // namespace app
