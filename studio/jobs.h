// Work whose progress the window shows in its box: openings, alignments, meshes, films, plans and clean-ups. On the
// dispatcher's thread; a job's own thread reports by the job's fields. What ends a job says so in its request
// (ends_work()): where work would be lost, Workspace::ask() has the user's consent before it sends that.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "io/read_watch.h"
#include "studio/window/messages.h"
#include "viewer/bus.h"
#include "viewer/mailbox.h"

namespace studio {

// Cancelling gives it up at its next safe point.
struct Job {
  io::ReadWatch watch;
  std::atomic<bool> done{false};  // nobody works on it any more
  std::string name;
  uint64_t file_bytes = 0;  // 0: not known
  bool reports = false;     // its progress itself
  Mailbox<WorkProgress> progress;
};

// Marks the job done on every exit path.
struct MarkDone {
  Job& job;
  explicit MarkDone(Job& mine) : job(mine) {}
  ~MarkDone() { job.done = true; }
  MarkDone(const MarkDone&) = delete;
  MarkDone& operator=(const MarkDone&) = delete;
};

class Jobs {
 public:
  explicit Jobs(Bus& reports) : reports_(reports) {}

  Job& begin(const std::string& name);            // shown in place of the one before, until it is done
  Job& begin_reporting(const std::string& name);  // that says its progress itself
  void cancel();                                  // all of them: files that are to be added to the first, too
  // Says how far the newest one is; how soon that is to be done again.
  std::optional<std::chrono::milliseconds> say_progress();

 private:
  Job* present();  // null: none

  Bus& reports_;
  std::list<Job> all_;  // cancelled ones stay until their threads are done
  bool shown_ = false;  // something of them is in the window's box
};

}  // namespace studio
