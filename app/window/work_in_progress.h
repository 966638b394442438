// Work whose progress the window shows in its box: openings, alignments, meshes and clean-ups.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "io/read_watch.h"
#include "viewer/app_state.h"
#include "viewer/mailbox.h"

namespace app {

// One at a time: a new one, and cancelling, give the old one up at its next safe point.
struct Opening {
  io::ReadWatch watch;
  bool restores_edits = false;    // set before the opening thread has it
  std::atomic<bool> done{false};  // nobody works on it any more
  std::string name;
  uint64_t file_bytes = 0;  // 0: not known
  bool reports = false;     // its progress itself
  uint64_t part_shown = 0;  // of the opening thread: OpenedSplats::number of the part of it that the window has
  viewer::Mailbox<viewer::WorkProgress> progress;
};

// Marks the opening done on every exit path.
struct MarkDone {
  Opening& opening;
  explicit MarkDone(Opening& mine) : opening(mine) {}
  ~MarkDone() { opening.done = true; }
  MarkDone(const MarkDone&) = delete;
  MarkDone& operator=(const MarkDone&) = delete;
};

}  // namespace app
