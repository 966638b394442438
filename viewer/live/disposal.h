// Frees large values on a thread of its own: returning gigabytes to the system takes tenths of a second, too long for
// the window's thread.
#pragma once

#include <thread>
#include <utility>

#include "splat/core/unique_function.h"
#include "viewer/mailbox.h"

namespace viewer {

class Disposal {
 public:
  Disposal();
  ~Disposal();  // once everything is freed
  Disposal(const Disposal&) = delete;
  Disposal& operator=(const Disposal&) = delete;

  template <class T>
  void add(T value) {  // returns at once
    values_.put([held = std::move(value)]() mutable { (void)held; });
  }

 private:
  Queue<splat::UniqueFunction<void()>> values_;  // each holds one, and is never called; an empty one ends the thread
  std::thread thread_;
};

}  // namespace viewer
