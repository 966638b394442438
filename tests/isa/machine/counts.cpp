#include "tests/isa/machine/counts.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace isa {

bool counting_traffic = false;

namespace {

constexpr u64 kLine = 128, kLinesOfPage = 4096;
constexpr u32 kBanks = 32;  // of a word each

// Lines that a launch has touched.
class TouchedLines {
 public:
  void clear() { pages_.clear(), number_ = ~u64(0); }
  // Whether it is the first time.
  bool add(u64 line, bool written) {
    if (line / kLinesOfPage != number_) number_ = line / kLinesOfPage, page_ = &pages_[number_];
    u8& bits = (*page_)[line % kLinesOfPage];
    const u8 bit = written ? 2 : 1;
    const bool first = !(bits & bit);
    bits |= bit;
    return first;
  }

 private:
  using Page = std::array<u8, kLinesOfPage>;
  std::unordered_map<u64, Page> pages_;
  u64 number_ = ~u64(0);
  Page* page_ = nullptr;
};

Traffic traffic;
TouchedLines touched;
u64 line_size = kLine;

void touch(u64 first_line, u64 last_line, bool read, bool written) {
  for (u64 line = first_line; line <= last_line; ++line) {
    if (read) traffic.lines_read += touched.add(line, false);
    if (written) traffic.lines_written += touched.add(line, true);
  }
}

}  // namespace

void begin_traffic(u32 line_bytes) {
  traffic = {};
  touched.clear();
  line_size = line_bytes;
  counting_traffic = true;
}
const Traffic& end_traffic() {
  counting_traffic = false;
  return traffic;
}

void count_memory(Requests Traffic::*kind, std::span<const u64> addresses, u32 bytes) {
  Requests& requests = traffic.*kind;
  requests.lanes += addresses.size();
  requests.bytes += addresses.size() * bytes;
  u64 lines[2 * 64];
  size_t count = 0;
  const bool atomic = kind == &Traffic::atomics, written = atomic || kind == &Traffic::stores;
  const bool read = atomic || kind == &Traffic::loads;
  for (u64 at : addresses) {
    const u64 first = at / line_size, last = (at + bytes - 1) / line_size;
    for (u64 line = first; line <= last; ++line)
      if (count == 0 || lines[count - 1] != line) lines[count++] = line;
    touch(at / kLine, (at + bytes - 1) / kLine, read, written);
  }
  std::sort(lines, lines + count);
  requests.lines += u64(std::unique(lines, lines + count) - lines);
}

void count_lds(std::span<const u32> addresses, u64 active, u32 bytes, bool each_lane) {
  const u32 words = (bytes + 3) / 4, lanes_at_once = kBanks / words;
  for (size_t group = 0; group < addresses.size(); group += lanes_at_once) {
    u32 asked[kBanks][kBanks], count[kBanks] = {}, most = 0;
    for (size_t l = group; l < std::min(group + lanes_at_once, addresses.size()); ++l) {
      if (!(active >> l & 1)) continue;
      for (u32 i = 0; i < words; ++i) {
        const u32 word = addresses[l] / 4 + i, bank = word % kBanks;
        u32* const end = asked[bank] + count[bank];
        if (!each_lane && std::find(asked[bank], end, word) != end) continue;
        asked[bank][count[bank]++] = word;
        most = std::max(most, count[bank]);
      }
    }
    traffic.lds_cycles += most;
    traffic.lds_conflicts += most ? most - 1 : 0;
  }
}

}  // namespace isa
