// How a command ends: an exit code and, when it is not success, the one sentence that main prints on stderr.
#pragma once

#include <string>
#include <utility>

#include "splat/core/result.h"

namespace app {

enum class ExitCode : int {
  kDone = 0,
  kFailed = 1,         // failed while running
  kUsage = 2,          // wrong usage or unusable input
  kNoBackend = 3,      // the backend asked for is not usable
  kInterrupted = 130,  // Ctrl-C or SIGTERM, after a checkpoint was written
};

struct [[nodiscard]] Outcome {
  ExitCode code = ExitCode::kDone;
  std::string sentence;  // empty: nothing to say

  bool ok() const { return code == ExitCode::kDone; }
  explicit operator bool() const { return ok(); }
};

inline Outcome done() { return {}; }
inline Outcome bad_input(std::string sentence) { return {ExitCode::kUsage, std::move(sentence)}; }
inline Outcome bad_input(const splat::Error& error) { return {ExitCode::kUsage, error.message}; }
inline Outcome failed(std::string sentence) { return {ExitCode::kFailed, std::move(sentence)}; }
inline Outcome failed(const splat::Error& error) { return {ExitCode::kFailed, error.message}; }

}  // namespace app
