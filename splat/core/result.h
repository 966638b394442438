// Result<T>: a value, or one clear sentence about the user's data (what, which file and byte or line, what to do).
// Never used for bugs (check.h) nor for devices (DeviceError).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "splat/core/check.h"

namespace splat {

struct Error {
  std::string message;  // one sentence, no trailing newline
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & {
    SPLAT_CHECK(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    SPLAT_CHECK(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    SPLAT_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  const Error& error() const {
    SPLAT_CHECK(!ok());
    return std::get<1>(state_);
  }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    SPLAT_CHECK(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace splat

// Evaluates an expression giving a Result; on error returns that error from the calling function.
#define SPLAT_TRY(expression)                               \
  do {                                                      \
    auto&& splat_try_result = (expression);                 \
    if (!splat_try_result) return splat_try_result.error(); \
  } while (false)

#define SPLAT_CONCAT_INNER(a, b) a##b
#define SPLAT_CONCAT(a, b) SPLAT_CONCAT_INNER(a, b)
// SPLAT_ASSIGN_OR_RETURN(auto x, expression): x = the value, or returns the error.
#define SPLAT_ASSIGN_OR_RETURN(declaration, expression)                                             \
  auto SPLAT_CONCAT(splat_result_, __LINE__) = (expression);                                        \
  if (!SPLAT_CONCAT(splat_result_, __LINE__)) return SPLAT_CONCAT(splat_result_, __LINE__).error(); \
  declaration = std::move(*SPLAT_CONCAT(splat_result_, __LINE__))
