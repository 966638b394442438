// A call of the GPU's runtime failed: out of memory, device lost, kernel fault. Thrown by the GPU backends, out of
// their plugins (hence the visibility); the trainer catches it to stop growth, the program to end a run with its last
// checkpoint or to go on with another backend. Not for user data (result.h) nor for bugs of ours (check.h).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace splat {

class __attribute__((visibility("default"))) DeviceError : public std::runtime_error {
 public:
  // call: the failed call as written; reason: the runtime's words.
  DeviceError(const std::string& call, const std::string& reason)
      : std::runtime_error("the GPU refused " + call + ": " + reason) {}
  // A failed allocation.
  DeviceError(const std::string& call, const std::string& reason, size_t wanted, size_t free)
      : std::runtime_error("the GPU refused " + call + ": " + reason + "; " + megabytes(wanted) + " were wanted and " +
                           megabytes(free) + " are free"),
        bytes_wanted(wanted),
        bytes_free(free) {}

  size_t bytes_wanted = 0, bytes_free = 0;  // 0 when it was no allocation

 private:
  static std::string megabytes(size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }
};

}  // namespace splat
