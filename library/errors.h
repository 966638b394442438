// What every call of the library ends in: no exception leaves it, and what went wrong becomes a status and this
// thread's sentence (hs_error()).
#pragma once

#include <string>
#include <utility>

#include "include/hipsplat.h"
#include "splat/core/result.h"

namespace library {

// A call's end that is not HS_OK.
struct Failure {
  hs_status status;
  std::string sentence;
};

// Invariants of ours that do not hold: what SPLAT_CHECK throws here.
struct InternalError {
  std::string failure;
};

hs_status status_of_current_exception() noexcept;  // in a catch clause

template <class Body>
hs_status guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return HS_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

[[noreturn]] inline void refuse(std::string sentence) { throw Failure{HS_ERROR_ARGUMENT, std::move(sentence)}; }

template <class T>
T value_or_throw(splat::Result<T> result, hs_status status) {
  if (!result) throw Failure{status, result.error().message};
  return std::move(*result);
}

}  // namespace library
