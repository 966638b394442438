// Memory of the device and LDS of a block, with what is known of every word: who wrote and who read it last.
// Found: accesses outside of allocations, misaligned ones, two blocks of a launch touching one word of memory or two
// waves of a block touching one half word of LDS without a barrier between, at least one of them writing and not both
// by atomics; LDS that no lane of the block wrote. A load that bypasses the nearest cache (glc) may read what another
// block stores: so blocks hand results on.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "tests/isa/machine/wave.h"

namespace isa {

enum class Access { kLoad, kCoherentLoad, kStore, kAtomic };

class Memory {
 public:
  static Memory& instance();

  // Host memory [at, at + size) that kernels may touch.
  void add(u64 at, u64 size);
  void remove(u64 at);
  bool contains(u64 at, u64 size);

  // What two blocks did is a race only within a launch. A block has a number of its own.
  void begin_launch() { launch_ = next_++; }
  void enter_block(u32 number) { now_ = number; }
  u32 new_block() { return next_++; }

  // Checks an access of the current block; the address to go on with.
  u8* touch(u32 code_at, u64 at, u32 size, u32 alignment, Access kind) {
    if (at - last_->from >= last_->size || at + size - last_->from > last_->size) find(code_at, at, size);
    if (at & (alignment - 1)) misaligned(code_at, at, size, alignment);
    const u64 first = (at - last_->from) / 4, last = (at - last_->from + size - 1) / 4;
    for (u64 i = first; i <= last; ++i) record(code_at, at, last_->words[i], kind);
    return reinterpret_cast<u8*>(at);  // NOLINT(performance-no-int-to-ptr): the machine's addresses are the host's
  }

 private:
  // Numbers of blocks; the two low bits: kMany (several blocks), kAtomically.
  struct Word {
    u32 wrote = 0, read = 0;
  };
  static constexpr u32 kMany = 1, kAtomically = 2;
  struct Area {
    u64 from = 0, size = 0;
    Word* words = nullptr;
  };

  bool by_others(u32 stamp) const { return stamp / 4 > launch_ && (stamp / 4 != now_ || (stamp & kMany)); }
  void record(u32 code_at, u64 at, Word& word, Access kind) {
    const u32 mine = now_ * 4;
    switch (kind) {
      case Access::kLoad:
        if (by_others(word.wrote)) race(code_at, at, word.wrote, "reads what", "wrote");
        word.read = by_others(word.read) ? mine | kMany : mine;
        break;
      case Access::kCoherentLoad:
        break;
      case Access::kStore:
        if (by_others(word.wrote)) race(code_at, at, word.wrote, "writes what", "wrote");
        if (by_others(word.read)) race(code_at, at, word.read, "writes what", "read");
        word.wrote = mine;
        break;
      case Access::kAtomic:
        if (by_others(word.wrote) && !(word.wrote & kAtomically))
          race(code_at, at, word.wrote, "changes what", "wrote");
        if (by_others(word.read)) race(code_at, at, word.read, "changes what", "read");
        word.wrote = mine | kAtomically | (by_others(word.wrote) ? kMany : 0);
        break;
    }
  }
  void find(u32 code_at, u64 at, u32 size);
  [[noreturn]] void misaligned(u32 code_at, u64 at, u32 size, u32 alignment);
  [[noreturn]] void race(u32 code_at, u64 at, u32 stamp, const char* does, const char* did);
  Area* lookup(u64 at, u64 size);

  std::map<u64, Area> areas_;
  Area nothing_;
  Area* last_ = &nothing_;
  u32 launch_ = 0, now_ = 0, next_ = 1;
};

// A block that runs. LDS keeps for every half word when it was written and read: the number of the barrier, and the
// wave.
struct Block {
  u32 id[3] = {};
  u32 number = 0;
  u32 phase = 1;  // grows at every barrier and with every block
  u32 born = 1;   // the phase it started in: what is older was not written by it
  std::vector<u8> lds;
  struct Half {
    u32 wrote = 0, read = 0;  // phase * 128 + wave * 4 + kMany | kAtomically
  };
  std::vector<Half> halves;
  std::vector<bool> unknown;  // a half word that was stored from a register nobody had written
  bool any_unknown = false;

  void start(u32 bytes);
  void mark(u64 at, u32 size, bool known);
  bool is_known(u64 at, u32 size) const;
  // Checks an access of wave `wave`; the address to go on with.
  u8* touch(u32 code_at, u64 at, u32 size, u32 alignment, int wave, Access kind);
};

}  // namespace isa
