// What may still be taken of memory, by everything that limits it: the machine, the control groups (version 1 and 2)
// of this process on every level up to the root, and what the shell's `ulimit -v` and `-d` allow. Page cache that the
// kernel can give back does not count as taken. Reads /proc and /sys below `root`, so that tests can bring their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct MemoryLimit {
  std::string name;              // "machine", "cgroup /system.slice/job.scope", "ulimit -v"
  uint64_t total_bytes = 0;      // the limit
  uint64_t available_bytes = 0;  // of it, at this moment
  uint64_t swap_bytes = 0;       // free on disk; the machine's alone
};

// The machine first; a control group or ulimit without a limit is left out, and so is what cannot be read.
std::vector<MemoryLimit> memory_limits(const std::filesystem::path& root = "/");

}  // namespace app
