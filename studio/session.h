// The session behind the window: takes its requests from the bridge, in order, and reports through it. Owns the threads
// that load, train, draw and write. The window waits for none of them. What it can do is a list of services
// (session.cpp), one a feature; the dispatcher's thread hands them their requests and never does long work.
#pragma once

#include <filesystem>
#include <memory>

#include "studio/context.h"

namespace studio {

class Session {
 public:
  // `bridge` outlives this. `config`: the folder where scenes are remembered (scene_memory_file.h); empty: they are
  // not.
  Session(const SessionOptions& options, Bridge& bridge, std::filesystem::path config = {});
  ~Session();  // as after Quit: a run in progress saves a checkpoint first
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace studio
