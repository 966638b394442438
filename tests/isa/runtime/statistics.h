// What was executed. ISA_STATS=1: at the end a table by kernel on stderr. ISA_COUNT=<file>: a line of CSV for every
// launch, copy and fill in their order; its first line names the columns. Lanes of a unit are sums over its
// instructions of their active lanes; what the columns of memory and LDS mean says machine/counts.h.
#pragma once

#include <cstddef>

#include "tests/isa/machine/translated.h"

namespace isa {

struct Executed {
  u64 blocks = 0, threads = 0;  // a block
  u64 waves = 0;
  u64 instructions = 0;  // of all waves
  u64 longest = 0;       // of the wave with the most
  u64 lds = 0;           // bytes of a block
};

// As long as a launch runs.
class LaunchStatistics {
 public:
  explicit LaunchStatistics(const KernelCode& kernel);
  void finish(const Executed& executed) const;

 private:
  const KernelCode& kernel_;
  double start_;  // s
};

void count_transfer(const char* call, size_t bytes);

}  // namespace isa
