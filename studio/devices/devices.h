// Lends backends to everything that draws or computes in the window, and plans the memory of devices with their own
// memory: a loan's largest demand counts as used for as long as the loan lasts. A run plans with all the memory that is
// free at its start, so while it trains, all others are lent the processor.
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
  // make: a factory for tests. says: whether to log the chosen device and the reason.
  using Make = std::function<splat::Result<splat::BackendChoice>(const DeviceOptions& options, bool says)>;
  explicit Devices(const DeviceOptions& options, Make make = {});

  // Planned memory, released by the destructor. Must not outlive its Devices.
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
    std::unique_ptr<splat::Backend> backend;  // destroyed before `memory`
  };
  struct Work {                       // the most that is to be done with a backend
    uint64_t splats = 0, pixels = 0;  // pixels: of the largest picture
  };

  // From any thread. The first call logs the chosen device and the reason. An error: the device cannot be used.
  splat::Result<std::unique_ptr<splat::Backend>> lend();
  // The processor's backend if the device has not enough memory for the work.
  splat::Result<Loan> lend(const Work& work);
  // A backend of this very device, even while a run trains on it. An error if its memory does not suffice.
  splat::Result<Loan> lend_exactly(const DeviceOptions& device, const Work& work);

  void begin_run() { ++runs_; }  // a run has a device; one that is being left may still have its own
  void end_run() { --runs_; }

 private:
  // None if the memory of the backend's device does not suffice for the work.
  std::optional<Loan> planned(std::unique_ptr<splat::Backend>& backend, const Work& work);

  const DeviceOptions options_;
  const Make make_;
  std::atomic<int> runs_{0};
  std::atomic<bool> said_{false}, own_memory_{false};  // own: the first backend lent has memory of its own
  std::mutex planning_;                                // held while a promise is checked against the others and made
  std::atomic<uint64_t> promised_{0};                  // bytes, of all devices
};

}  // namespace studio
