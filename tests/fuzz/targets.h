// Every reader of untrusted bytes, as a function of those bytes: fuzzers feed it, and the corpus of past inputs is run
// through it by every ctest. A target returns whatever the input is; a crash, a sanitizer's report or a failed CHECK is
// a bug.
#pragma once

#include <span>
#include <string_view>

namespace io::fuzz {

struct Target {
  std::string_view name;  // also of its folder in tests/fuzz/corpus
  void (*run)(std::string_view bytes);
};
std::span<const Target> targets();

}  // namespace io::fuzz
