#include "tests/isa/machine/faults.h"

#include <unistd.h>
#include <cstdarg>
#include <cstdio>

namespace isa {

Place& place() {
  static Place place;
  return place;
}

void fault(uint32_t at, const char* what, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, what);
  std::vsnprintf(text, sizeof text, what, arguments);
  va_end(arguments);
  const Place& here = place();
  std::fflush(stdout);
  std::fprintf(stderr, "isa: %s (at %#x of %s, block %u %u %u)\n", text, at, here.kernel, here.block[0], here.block[1],
               here.block[2]);
  std::fflush(stderr);
  _exit(kFaultExit);
}

}  // namespace isa
