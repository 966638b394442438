#include "tests/isa/machine/memory.h"

#include <sys/mman.h>

#include <algorithm>

namespace isa {

Memory& Memory::instance() {
  static Memory memory;
  return memory;
}

void Memory::add(u64 at, u64 size) {
  const u64 bytes = (size / 4 + 2) * sizeof(Word);
  void* words = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (words == MAP_FAILED) fault(0, "no memory for the record of %llu bytes", static_cast<unsigned long long>(size));
  areas_[at] = {at, size, static_cast<Word*>(words)};
  last_ = &nothing_;
}

void Memory::remove(u64 at) {
  const auto found = areas_.find(at);
  if (found == areas_.end())
    fault(0, "memory at %#llx is freed that is not allocated", static_cast<unsigned long long>(at));
  munmap(found->second.words, (found->second.size / 4 + 2) * sizeof(Word));
  areas_.erase(found);
  last_ = &nothing_;
}

Memory::Area* Memory::lookup(u64 at, u64 size) {
  auto area = areas_.upper_bound(at);
  if (area == areas_.begin()) return nullptr;
  --area;
  return at + size <= area->second.from + area->second.size ? &area->second : nullptr;
}

bool Memory::contains(u64 at, u64 size) { return lookup(at, size) != nullptr; }

void Memory::find(u32 code_at, u64 at, u32 size) {
  Area* const area = lookup(at, size);
  if (!area)
    fault(code_at, "access of %u bytes outside of all allocations, at %#llx", size,
          static_cast<unsigned long long>(at));
  last_ = area;
}

void Memory::misaligned(u32 code_at, u64 at, u32 size, u32 alignment) {
  fault(code_at, "misaligned access of %u bytes at %#llx, which is no multiple of %u", size,
        static_cast<unsigned long long>(at), alignment);
}

void Memory::race(u32 code_at, u64 at, u32 stamp, const char* does, const char* did) {
  fault(code_at, "race between blocks: this one %s the block started as number %u of the launch %s, at %#llx", does,
        stamp / 4 - launch_, did, static_cast<unsigned long long>(at));
}

namespace {
constexpr u32 kMany = 1, kAtomically = 2;
}

constexpr u32 kMostPhases = 1u << 24;  // then the record is cleared and counts anew

void Block::start(u32 bytes) {
  lds.resize(bytes);
  if (phase > kMostPhases) std::fill(halves.begin(), halves.end(), Half()), phase = 1;
  if (halves.size() < bytes / 2 + 1) halves.resize(bytes / 2 + 1);
  unknown.assign(any_unknown || unknown.size() < halves.size() ? halves.size() : 0, false);
  unknown.resize(halves.size());
  any_unknown = false;
  born = ++phase;
}

void Block::mark(u64 at, u32 size, bool known) {
  if (known && !any_unknown) return;
  any_unknown = true;
  for (u64 i = at / 2; i <= (at + size - 1) / 2; ++i) unknown[i] = !known;
}

bool Block::is_known(u64 at, u32 size) const {
  if (any_unknown)
    for (u64 i = at / 2; i <= (at + size - 1) / 2; ++i)
      if (unknown[i]) return false;
  return true;
}

u8* Block::touch(u32 code_at, u64 at, u32 size, u32 alignment, int wave, Access kind) {
  if (at + size > lds.size())
    fault(code_at, "access of %u bytes at %#llx outside of the block's %zu bytes of LDS", size,
          static_cast<unsigned long long>(at), lds.size());
  if (at & (alignment - 1))
    fault(code_at, "misaligned access of %u bytes of LDS at %#llx, which is no multiple of %u", size,
          static_cast<unsigned long long>(at), alignment);
  const u32 mine = phase * 128 + u32(wave) * 4;
  const auto now_by_others = [&](u32 stamp) {
    return stamp / 128 == phase && (stamp / 4 != mine / 4 || (stamp & kMany));
  };
  const auto race = [&](u32 stamp, const char* does, const char* did) {
    fault(code_at, "race between waves: wave %d %s wave %u %s since the last barrier, at %#llx of LDS", wave, does,
          stamp / 4 % 32, did, static_cast<unsigned long long>(at));
  };
  for (u64 i = at / 2; i <= (at + size - 1) / 2; ++i) {
    Half& half = halves[i];
    if (kind != Access::kStore && half.wrote / 128 < born)
      fault(code_at, "LDS at %#llx is read, which the block never wrote", static_cast<unsigned long long>(at));
    if (kind == Access::kAtomic) {
      if (now_by_others(half.wrote) && !(half.wrote & kAtomically)) race(half.wrote, "changes what", "wrote");
      if (now_by_others(half.read)) race(half.read, "changes what", "read");
      half.wrote = mine | kAtomically | (now_by_others(half.wrote) ? kMany : 0);
    } else if (kind == Access::kStore) {
      if (now_by_others(half.wrote)) race(half.wrote, "writes what", "wrote");
      if (now_by_others(half.read)) race(half.read, "writes what", "read");
      half.wrote = mine;
    } else {
      if (now_by_others(half.wrote)) race(half.wrote, "reads what", "wrote");
      half.read = now_by_others(half.read) ? mine | kMany : mine;
    }
  }
  return lds.data() + at;
}

}  // namespace isa
