#include "splat/core/printable.h"

namespace splat {
namespace {

constexpr size_t kLongest = 400, kShownEnd = 150;  // bytes of a quoted name; of each of its ends when it is longer

// Bytes of the control character at the start of `text`; 0: none.
size_t control_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  const bool c1 = byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) <= 0x9f;
  return c1 ? 2 : 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string shortened(std::string_view text) {
  size_t head = kShownEnd, tail = text.size() - kShownEnd;
  while (head > 0 && is_continuation(text[head])) --head;  // no character of UTF-8 is cut
  while (tail < text.size() && is_continuation(text[tail])) ++tail;
  return std::string(text.substr(0, head)) + " ... " + std::string(text.substr(tail));
}

}  // namespace

std::string printable(std::string_view text, bool keep_lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t control = keep_lines && text[0] == '\n' ? 0 : control_bytes(text);
    clean += control > 0 ? '?' : text[0];
    text.remove_prefix(control > 0 ? control : 1);
  }
  for (size_t open = clean.find('\''); open != std::string::npos;) {
    const size_t close = clean.find_first_of("'\n", open + 1);
    if (close == std::string::npos) break;
    if (clean[close] == '\n') {  // an apostrophe: no name goes over lines
      open = clean.find('\'', close);
      continue;
    }
    if (close - open - 1 <= kLongest) {
      open = close;  // it may open the next: an apostrophe looks the same
      continue;
    }
    const std::string part = shortened(std::string_view(clean).substr(open + 1, close - open - 1));
    clean.replace(open + 1, close - open - 1, part);
    open += part.size() + 1;
  }
  return clean;
}

}  // namespace splat
