#include "align/line_splitter.h"

namespace align {

void LineSplitter::report() {
  const std::string text = std::move(half_);
  half_.clear();
  if (!text.empty()) on_line_(text, continued_);
}

void LineSplitter::add(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n' || c == '\r') {
      report();
      continued_ = false;
      continue;
    }
    half_ += c;
    if (half_.size() < kLongestLine) continue;
    report();
    continued_ = true;
  }
}

void LineSplitter::silence() {
  if (half_.empty()) return;
  report();
  continued_ = true;
}

}  // namespace align
