// One libFuzzer program per target: HIPSPLAT_FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>

#include "splat/core/check.h"
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const io::fuzz::Target* const target = [] {
    for (const io::fuzz::Target& candidate : io::fuzz::targets())
      if (candidate.name == HIPSPLAT_FUZZ_TARGET) return &candidate;
    splat::check_failed(__FILE__, __LINE__, "HIPSPLAT_FUZZ_TARGET", "no such target");
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
