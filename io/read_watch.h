// Lets another thread follow and end the reading of a large file: while a WatchReads lives, what its thread reads
// through a ByteStream it opened is counted, whichever thread then reads, and the next read after `cancelled` is an
// error.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "splat/core/result.h"

namespace io {

struct ReadWatch {
  std::atomic<uint64_t> bytes{0};
  std::atomic<bool> cancelled{false};
};

inline thread_local ReadWatch* current_read_watch = nullptr;

class WatchReads {
 public:
  explicit WatchReads(ReadWatch& watch) { current_read_watch = &watch; }
  ~WatchReads() { current_read_watch = nullptr; }
  WatchReads(const WatchReads&) = delete;
  WatchReads& operator=(const WatchReads&) = delete;
};

// Called where bytes are read, with the watch of when the file was opened.
inline splat::Status report_read(ReadWatch* watch, const std::string& name, size_t bytes) {
  if (!watch) return {};
  if (watch->cancelled) return splat::Error{"reading '" + name + "' was cancelled"};
  watch->bytes += bytes;
  return {};
}

}  // namespace io
