#include "splat/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace splat {

void check_failed(const char* file, int line, const char* expression, const std::string& detail) {
  std::fprintf(stderr, "hipsplat: internal error at %s:%d: %s%s%s\nThis is a bug; please report it with this line.\n",
               file, line, expression, detail.empty() ? "" : ": ", detail.c_str());
  std::abort();
}

}  // namespace splat
