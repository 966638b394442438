#include "splat/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace splat {
namespace {
CheckHandler check_handler = nullptr;
}  // namespace

void set_check_handler(CheckHandler handler) { check_handler = handler; }

void check_failed(const char* file, int line, const char* expression, const std::string& detail) {
  const std::string failure =
      std::string(file) + ":" + std::to_string(line) + ": " + expression + (detail.empty() ? "" : ": ") + detail;
  if (check_handler) check_handler(failure);
  std::fprintf(stderr, "hipsplat: internal error at %s\nThis is a bug; please report it with this line.\n",
               failure.c_str());
  std::abort();
}

}  // namespace splat
