#include "splat/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace splat {
namespace {
CheckHandler handler_in_use = nullptr;
}  // namespace

void set_check_handler(CheckHandler handler) { handler_in_use = handler; }
CheckHandler check_handler() { return handler_in_use; }

void check_failed(const char* file, int line, const char* expression, const std::string& detail) {
  const std::string failure =
      std::string(file) + ":" + std::to_string(line) + ": " + expression + (detail.empty() ? "" : ": ") + detail;
  if (handler_in_use) handler_in_use(failure);
  std::fprintf(stderr, "hipsplat: internal error at %s\nThis is a bug; please report it with this line.\n",
               failure.c_str());
  std::abort();
}

}  // namespace splat
