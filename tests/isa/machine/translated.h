// What a translated code object is made of, and how it makes itself known to the runtime.
#pragma once

#include "tests/isa/machine/counts.h"
#include "tests/isa/machine/lane_ops.h"
#include "tests/isa/machine/memory_ops.h"
#include "tests/isa/machine/scalar_ops.h"

namespace isa {

// What a kernel's function returns: the wave has ended, waits at a barrier, or lets others go first.
enum : int { kDone, kBarrier, kYield };

struct ArgumentPlace {
  u32 offset, size;
};
struct KernelCode {
  const char* name;
  int wave_size;
  int (*run)(void* wave);  // Wave<wave_size>*
  u32 lds, kernarg, properties, rsrc1, rsrc2, vectors;
  int block_count, group_size, grid_dims;  // offsets of hidden arguments, -1: none
  Segments segments;
  std::vector<ArgumentPlace> arguments;
};
struct TranslatedObject {
  u64 content;     // FNV-1a of the code object
  u64* loaded_at;  // where its image is in memory: constants beside the code are read from there; 0 before
  const char* architecture;
  const KernelCode* kernels;
  int count;
};
struct Registration {
  explicit Registration(const TranslatedObject& object);
};

constexpr u64 kLongestRun = u64(1) << 26;  // instructions of a wave
template <int W>
void still_running(Wave<W>& w) {
  if (w.executed > kLongestRun) fault(w.at, "a wave does not end");
}
template <int W>
[[noreturn]] void trapped(Wave<W>& w) {
  fault(w.at, "the kernel gives up (s_trap)");
}
template <int W>
[[noreturn]] int end_of_code(Wave<W>& w) {
  fault(w.at, "the wave runs beyond the end of the code");
}

}  // namespace isa
