// The model on the screen: the opened splats, on a thread that owns, edits and draws them, or those of a run while
// there is one. On the dispatcher's thread but where something else is said.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "studio/bridge.h"
#include "studio/devices/devices.h"
#include "studio/model/live_training.h"
#include "viewer/live/engine_thread.h"

namespace studio {

class Model {
 public:
  Model(const DeviceOptions& device, Devices& devices, Bridge& bridge);
  ~Model();

  EngineThread& opened() { return engine_; }                 // from any thread
  LiveTraining* run() const { return run_.get(); }           // null: none
  bool trains() const { return run_ && !run_->finished(); }  // one that has come to its end waits for questions alone
  void begin_run(const Options& options, const std::optional<RunPace>& pace = {});  // it is drawn from now on
  std::unique_ptr<LiveTraining> take_run();  // the opened splats are drawn again, if any; null: there is none
  int threads() const { return threads_; }

  // One picture at the view's full size, of what is on the screen; empty: there is none.
  void draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done);

 private:
  void forward_view();  // on the window's thread

  const int threads_;
  Devices& devices_;
  Bridge& bridge_;
  std::mutex mutex_;  // held for a pointer and a request, no longer
  std::unique_ptr<LiveTraining> run_;
  std::optional<RenderRequest> view_;
  EngineThread engine_;
};

}  // namespace studio
