// A thread that does jobs one after another, in the order they were given.
#pragma once

#include <thread>
#include <utility>

#include "splat/core/unique_function.h"
#include "studio/names.h"
#include "viewer/mailbox.h"

namespace studio {

class JobThread {
 public:
  enum class Priority { kUsual, kLow };  // kLow: only processor time that others leave

  explicit JobThread(Priority priority = Priority::kUsual);
  ~JobThread();  // after the jobs given so far
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  using Job = splat::UniqueFunction<void()>;  // owns what it works on
  void add(Job job) { jobs_.put(std::move(job)); }

 private:
  Queue<Job> jobs_;  // an empty one ends the thread
  std::thread thread_;
};

}  // namespace studio
