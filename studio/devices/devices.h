// Lends backends to all that draw and compute in the window. A run plans with all the memory of its device that is free
// when it begins: while it trains on a device with memory of its own, others are lent the processor.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "app/options/options.h"
#include "devices/registry.h"
#include "splat/core/result.h"

namespace app {

class Devices {
 public:
  // make: for tests; says: in the log which one it is and why.
  using Make = std::function<splat::Result<splat::BackendChoice>(const DeviceOptions& options, bool says)>;
  explicit Devices(const DeviceOptions& options, Make make = {});

  // From any thread. The first one says in the log which it is and why. An error: it cannot be used.
  splat::Result<std::unique_ptr<splat::Backend>> lend();

  void begin_run() { run_ = true; }  // a run has a device
  void end_run() { run_ = false; }

 private:
  const DeviceOptions options_;
  const Make make_;
  std::atomic<bool> run_{false}, said_{false}, own_memory_{false};  // own: the backend that was lent first has some
};

}  // namespace app
