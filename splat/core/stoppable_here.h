// Work that goes through many hands, ended in all of them: until this goes, loops that its thread begins, of any pool,
// ask between two indices, and end with Stopped where they shall (ThreadPool::Stoppable is for one pool alone).
#pragma once

#include "splat/core/stop.h"

namespace splat {

class StoppableHere {
 public:
  explicit StoppableHere(const StopAsked& asked);
  ~StoppableHere();
  StoppableHere(const StoppableHere&) = delete;
  StoppableHere& operator=(const StoppableHere&) = delete;

 private:
  const StopAsked* before_;
};

}  // namespace splat
