// A fault of the program under test: one line on stderr that names kernel, block and instruction; then the process ends
// with kFaultExit.
#pragma once

#include <cstdint>

namespace isa {

constexpr int kFaultExit = 86;

[[noreturn]] __attribute__((format(printf, 2, 3))) void fault(uint32_t at, const char* what, ...);

// What a fault says beside its own words.
struct Place {
  const char* kernel = "";
  unsigned block[3] = {};
  bool may_use_unknown = false;
};
Place& place();

// A fault unless the kernel may use what it never wrote. rocPRIM does, in lanes beyond the last element: what it
// computes there decides nothing that can be seen. Kernels of ours must not.
inline void unknown_used(uint32_t at, const char* what) {
  if (!place().may_use_unknown) fault(at, "a register that was not written %s", what);
}

}  // namespace isa
