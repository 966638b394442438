// A training run shown in a window: the same TrainingRun as on the command line, on a thread of its own, with the same
// files and the same bytes in them. Between two iterations it carries out requests, and draws the current view within a
// tenth of its time. Every call returns at once; states and pictures are reported to the window.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/jobs/training/training_run.h"
#include "app/settings/options.h"
#include "splat/core/parallel.h"
#include "splat/core/unique_function.h"
#include "studio/devices/devices.h"
#include "studio/documents/messages.h"
#include "studio/window/messages.h"
#include "viewer/bus.h"
#include "viewer/live/pace.h"
#include "viewer/live/variant_drawer.h"
#include "viewer/mailbox.h"

namespace studio {

class LiveTraining {
 public:
  // pace: what its iterations cost, where they were timed before.
  LiveTraining(const Options& options, Devices& devices, Bus& reports, const std::optional<RunPace>& pace = {});
  ~LiveTraining();  // leaves without a checkpoint unless leave(true) was called; waits for the current iteration
  LiveTraining(const LiveTraining&) = delete;
  LiveTraining& operator=(const LiveTraining&) = delete;

  void pause() { set_request(Request::kPause); }
  void resume() { set_request(Request::kTrain); }
  void stop();                       // writes all files as after the last iteration; the model can still be drawn
  void leave(bool save_checkpoint);  // ends the thread soon; a run that is not finished saves one first
  bool finished() const { return finished_; }  // all its iterations are done, or it was stopped, or has failed
  const std::filesystem::path& output() const { return options_.output; }
  bool left() const { return left_; }  // the thread is done: destroying waits for nothing

  void set_view(std::optional<RenderRequest> view);
  // Between two iterations, in order. Dropped when the run could not be prepared, or is left before.
  using Job = splat::UniqueFunction<void(TrainingRun& run)>;
  void ask(Job job);

  // One picture at the view's full size, between two iterations; in any mode, which may cost an upload of the model.
  void draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done);

  // For jobs: the model as the window opens it.
  static OpenedSplats opened_model(const TrainingRun& run, splat::ThreadPool& pool);

 private:
  enum class Request { kTrain, kPause, kStop, kLeave };

  void set_request(Request request);
  void work();
  void run();
  bool train();  // false: failed, and reported
  void finish();
  void serve();  // until it is left, after training
  void wait_paused();
  void keep_paused();
  void do_jobs();
  void draw_while_training(double iteration_seconds);
  std::chrono::milliseconds draw_at_rest();  // for how long nothing is to be drawn; 0: the next one at once
  void wait_for_something(std::chrono::milliseconds longest);
  void draw(const RenderRequest& request, int divisor, bool at_rest);
  EngineImage picture_of(const RenderRequest& request, int divisor, bool any_mode);
  std::optional<EngineImage> variant_picture(const RenderRequest& request, int divisor);
  void forget_drawer();
  splat::Result<std::unique_ptr<splat::Backend>> make_drawer();  // a backend of the kind that trains
  void publish(RunStatus status);
  void publish_if_due();
  void note_speed();
  void note_speed_before();
  void fail(const std::string& sentence);
  void fail_keeping_state(const std::string& sentence);
  std::optional<RenderRequest> wanted_view();

  const Options options_;
  const std::optional<RunPace> expected_;
  Devices& devices_;
  Bus& reports_;

  // Nothing reaches the window once the run was left: what comes next there is no longer this run's.
  template <class Report>
  void report(Report value) {
    std::lock_guard lock(reporting_);
    if (request_ != Request::kLeave) reports_.put(std::move(value));
  }

  // ---- between the threads
  std::mutex reporting_;
  std::atomic<Request> request_{Request::kTrain};
  std::atomic<bool> save_when_left_{false}, cancelled_{false}, prepared_{false}, finished_{false}, left_{false};
  Queue<Job> jobs_;  // an empty one only wakes the thread
  Mailbox<std::optional<RenderRequest>> view_mailbox_;

  // ---- the thread's own
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<TrainingRun> run_;
  std::optional<RenderRequest> view_;
  bool moved_ = false;
  // Draws at rest what the backend that trains cannot draw, from a changed copy of the model.
  Devices::Promise drawer_memory_;
  VariantDrawer drawer_;
  bool drawer_refused_ = false;
  uint64_t drawn_pixels_ = 0;
  PictureBudget budget_;
  ResolutionPace pace_;
  Clock::time_point moved_at_{}, last_picture_{}, last_published_{}, last_measured_{};
  uint64_t memory_bytes_ = 0, available_bytes_ = 0;
  std::vector<std::array<float, 2>> speed_;
  RunStatus status_ = RunStatus::kPreparing;
  std::string sentence_;

  std::thread thread_;
};

}  // namespace studio
