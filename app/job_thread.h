// A thread that does jobs one after another, in the order they were given.
#pragma once

#include <functional>
#include <thread>
#include <utility>

#include "viewer/mailbox.h"

namespace app {

class JobThread {
 public:
  enum class Priority { kUsual, kLow };  // kLow: only what others leave of the processor

  explicit JobThread(Priority priority = Priority::kUsual);
  ~JobThread();  // after the jobs given so far
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  void add(std::function<void()> job) { jobs_.put(std::move(job)); }

 private:
  viewer::Queue<std::function<void()>> jobs_;  // an empty one ends the thread
  std::thread thread_;
};

}  // namespace app
