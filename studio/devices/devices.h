// Lends backends to all that draw and compute in the window, and plans the memory of devices that have some of their
// own: what a loan may take counts as taken from its beginning to its end. A run plans with all of it that is free when
// it begins: while it trains, others are lent the processor.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/settings/options.h"
#include "devices/registry.h"
#include "splat/core/result.h"
#include "studio/names.h"

namespace studio {

class Devices {
 public:
  // make: for tests; says: in the log which one it is and why.
  using Make = std::function<splat::Result<splat::BackendChoice>(const DeviceOptions& options, bool says)>;
  explicit Devices(const DeviceOptions& options, Make make = {});

  // Memory that is planned for, until this ends; the Devices outlive it.
  class Promise {
   public:
    Promise() = default;
    Promise(std::atomic<uint64_t>& sum, uint64_t bytes) : sum_(&sum), bytes_(bytes) { sum += bytes; }
    Promise(Promise&& other) noexcept : sum_(std::exchange(other.sum_, nullptr)), bytes_(other.bytes_) {}
    Promise& operator=(Promise&& other) noexcept {
      std::swap(sum_, other.sum_), std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Promise() {
      if (sum_) *sum_ -= bytes_;
    }

   private:
    std::atomic<uint64_t>* sum_ = nullptr;
    uint64_t bytes_ = 0;
  };
  struct Loan {
    Promise memory;
    std::unique_ptr<splat::Backend> backend;  // goes first
  };
  struct Work {                       // the most that is to be done with a backend
    uint64_t splats = 0, pixels = 0;  // pixels: of the largest picture
  };

  // From any thread. The first one says in the log which it is and why. An error: it cannot be used.
  splat::Result<std::unique_ptr<splat::Backend>> lend();
  // Where the device has no room for the work, the processor.
  splat::Result<Loan> lend(const Work& work);
  // This device, whatever trains there: for what another would be of no use to. An error where it has no room.
  splat::Result<Loan> lend_exactly(const DeviceOptions& device, const Work& work);

  void begin_run() { ++runs_; }  // a run has a device; one that is being left may still have its own
  void end_run() { --runs_; }

 private:
  // Nothing: the backend's device has no room for the work.
  std::optional<Loan> planned(std::unique_ptr<splat::Backend>& backend, const Work& work);

  const DeviceOptions options_;
  const Make make_;
  std::atomic<int> runs_{0};
  std::atomic<bool> said_{false}, own_memory_{false};  // own: the backend that was lent first has some
  std::mutex planning_;                                // a promise is made of what was not promised just before
  std::atomic<uint64_t> promised_{0};                  // bytes, of all devices
};

}  // namespace studio
