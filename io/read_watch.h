// Progress and cancellation of the reading of a large file, for another thread: what is read through a ByteStream that
// was opened with a ReadWatch is counted, whichever thread reads, and the next read after `cancelled` is an error.
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

// Called where bytes are read; null: nobody watches.
inline splat::Status report_read(ReadWatch* watch, const std::string& name, size_t bytes) {
  if (!watch) return {};
  if (watch->cancelled) return splat::Error{"reading '" + name + "' was cancelled"};
  watch->bytes += bytes;
  return {};
}

}  // namespace io
