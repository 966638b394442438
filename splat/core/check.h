// SPLAT_CHECK: invariants of ours. A failure is a bug of hipsplat: it prints both values and aborts; in the library for
// other programs (library/) it throws instead, out of plugins too. User data never comes here: that is Result<T>
// (result.h).
#pragma once

#include <sstream>
#include <string>

namespace splat {

[[noreturn]] void check_failed(const char* file, int line, const char* expression, const std::string& detail);

// Gets "file:line: expression: values" of a failure first, and may throw; where it returns, the process aborts as it
// does without one. To be set before other threads check anything.
using CheckHandler = void (*)(const std::string& failure);
void set_check_handler(CheckHandler handler);
CheckHandler check_handler();  // null: none

template <class A, class B>
std::string check_values(const A& a, const B& b) {
  std::ostringstream text;
  text << a << " vs " << b;
  return text.str();
}

}  // namespace splat

#define SPLAT_CHECK(condition) \
  ((condition) ? void(0) : ::splat::check_failed(__FILE__, __LINE__, #condition, std::string()))
#define SPLAT_CHECK_OP(a, op, b) \
  (((a)op(b)) ? void(0) : ::splat::check_failed(__FILE__, __LINE__, #a " " #op " " #b, ::splat::check_values(a, b)))
#define SPLAT_CHECK_EQ(a, b) SPLAT_CHECK_OP(a, ==, b)
#define SPLAT_CHECK_LE(a, b) SPLAT_CHECK_OP(a, <=, b)
#define SPLAT_CHECK_LT(a, b) SPLAT_CHECK_OP(a, <, b)
