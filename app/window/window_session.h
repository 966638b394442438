// The session behind the window: takes its commands from AppState's queue and answers through the mailboxes. Owns the
// threads that load, train, draw and write. The window waits for none of them.
//   threads: the dispatcher (takes commands, never does long work); opening; writing; thumbnails (low priority); the
//   engine's (viewer::EngineThread); and training's while there is a run (LiveTraining).
#pragma once

#include <filesystem>
#include <memory>

#include "app/options/options.h"
#include "viewer/app_state.h"

namespace app {

struct SessionOptions {
  DeviceOptions device;        // that draws, and the processor's threads
  io::DatasetOptions dataset;  // as datasets are opened
  bool opens = false;          // a path at once: then unsaved edits of other files are not offered
};

class WindowSession {
 public:
  // `state` outlives this. `config`: the folder where scenes are remembered (scene_memory_file.h); empty: they are not.
  WindowSession(const SessionOptions& options, viewer::AppState& state, std::filesystem::path config = {});
  ~WindowSession();  // as after Quit: a run in progress saves a checkpoint first
  WindowSession(const WindowSession&) = delete;
  WindowSession& operator=(const WindowSession&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace app
