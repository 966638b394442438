// What a launch executes. The translated code counts how often it comes by each segment, a run of instructions that is
// executed as a whole by the same lanes, and how many these are. Memory and LDS are counted where ISA_COUNT asks for
// it.
#pragma once

#include <span>

#include "tests/isa/machine/wave.h"

namespace isa {

enum Unit {
#define UNIT(name) kUnit_##name,
#include "tests/isa/machine/units.inc"
#undef UNIT
  kUnits
};

struct Segments {
  const u16 (*instructions)[kUnits];  // [count] by unit
  u64 (*visits)[2];                   // [count] by waves, and their active lanes
  int count;
};
template <int W>
void enter_segment(Wave<W>& w, u64 (&visits)[2], u32 instructions) {
  w.executed += instructions;
  ++visits[0];
  visits[1] += u64(std::popcount(w.exec()));
}

// Memory that instructions of one kind ask for.
struct Requests {
  u64 lanes = 0, bytes = 0;  // of the active lanes
  u64 lines = 0;             // of the cache nearest to the lanes, for each instruction anew
};
struct Traffic {
  Requests loads, stores, atomics, scalar_loads;
  u64 lines_read = 0, lines_written = 0;  // of 128 bytes, each once in a launch; by lanes
  u64 lds_cycles = 0;                     // of all instructions
  u64 lds_conflicts = 0;                  // those of them that lanes wait because of others' banks
};

// Whether to count what memory and LDS do. line_bytes: of the cache nearest to the lanes.
void begin_traffic(u32 line_bytes);
const Traffic& end_traffic();

extern bool counting_traffic;
// Addresses of the active lanes.
void count_memory(Requests Traffic::*kind, std::span<const u64> addresses, u32 bytes);
// addresses: [lanes of a wave], of those in `active`. each_lane: lanes with the same word come one after the other.
void count_lds(std::span<const u32> addresses, u64 active, u32 bytes, bool each_lane);

}  // namespace isa
