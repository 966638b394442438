#include "io/name_key.h"

#include <algorithm>
#include <cstdint>

#include "io/name_key_table.h"

namespace io {

namespace {

// The letter at the beginning of `text`, which it is taken from; what is no UTF-8 is a byte, in `is_byte`.
uint32_t take_letter(std::string_view& text, bool& is_byte) {
  const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  uint32_t letter = length < 2 ? first : first & (0xFFu >> (length + 1));
  bool whole = length > 0;
  for (size_t i = 1; i < length; ++i) {
    whole = whole && (byte(i) & 0xC0) == 0x80;
    letter = letter << 6 | (byte(i) & 0x3Fu);
  }
  is_byte = !whole;
  text.remove_prefix(whole ? length : 1);
  return whole ? letter : first;
}

void put(uint32_t letter, std::string& text) {
  if (letter < 0x80) {
    text += char(letter);
    return;
  }
  const int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
  text += char(((0xFF00u >> (more + 1)) & 0xFFu) | letter >> 6 * more);
  for (int i = more - 1; i >= 0; --i) text += char(0x80 | (letter >> 6 * i & 0x3F));
}

uint32_t small(uint32_t c) {
  const auto within = [c](uint32_t low, uint32_t high) { return c >= low && c <= high; };
  if (within('A', 'Z') || (within(0xC0, 0xDE) && c != 0xD7) || (within(0x391, 0x3A9) && c != 0x3A2) ||
      within(0x410, 0x42F))
    return c + 0x20;
  if (within(0x400, 0x40F)) return c + 0x50;
  const bool odd_is_capital = within(0x139, 0x148) || within(0x179, 0x17E);
  const bool even_is_capital = within(0x100, 0x137) || within(0x14A, 0x177) || within(0x460, 0x481) ||
                               within(0x48A, 0x4BF) || within(0x4D0, 0x52F) || within(0x1E00, 0x1EFF);
  if ((odd_is_capital && c % 2 == 1) || (even_is_capital && c % 2 == 0)) return c + 1;
  return c == 0x178 ? 0xFF : c == 0x3C2 ? 0x3C3 : c;  // the final sigma is one
}

void put_decomposed(uint32_t letter, std::string& text) {
  constexpr uint32_t kHangul = 0xAC00, kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7, kVowels = 21, kTails = 28;
  if (letter >= kHangul && letter < kHangul + 19 * kVowels * kTails) {
    const uint32_t i = letter - kHangul;
    put(kLead + i / (kVowels * kTails), text);
    put(kVowel + i % (kVowels * kTails) / kTails, text);
    if (i % kTails > 0) put(kTail + i % kTails, text);
    return;
  }
  const auto found = std::lower_bound(kDecompositions.begin(), kDecompositions.end(), letter,
                                      [](const Decomposition& one, uint32_t wanted) { return one.letter < wanted; });
  if (found == kDecompositions.end() || found->letter != letter) return put(small(letter), text);
  put_decomposed(found->base, text);
  if (found->mark) put(found->mark, text);
}

}  // namespace

std::string name_key(std::string_view name) {
  std::string key;
  key.reserve(name.size());
  while (!name.empty()) {
    bool is_byte = false;
    const uint32_t letter = take_letter(name, is_byte);
    if (is_byte)
      key += char(letter);
    else
      put_decomposed(letter, key);
  }
  return key;
}

}  // namespace io
