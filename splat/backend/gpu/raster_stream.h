// The device of a rasteriser, and the stream that uses what the rasteriser keeps. Throws DeviceError.
#pragma once

#include <memory>

#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/core/check.h"

namespace splat::gpu {

class RasterStream {
 public:
  explicit RasterStream(int device) : device_(device), wave_(describe_device(device).wave_size) {
    SPLAT_CHECK(wave_ == 32 || wave_ == 64);
    const CurrentDevice on = use();
    idle_ = std::make_unique<Event>();
  }
  ~RasterStream() { gone_.emplace(device_, std::nothrow); }

  // Does the work on the call's stream, after what another one has to do.
  template <class Work>
  void run(void* stream, const Work& work) {
    const CurrentDevice on = use();
    if (busy_ && stream != stream_) idle_->wait();
    stream_ = stream, busy_ = true;
    work(Target{wave_, hipStream_t(stream)});
    idle_->record(hipStream_t(stream));
  }
  [[nodiscard]] CurrentDevice use() const { return CurrentDevice(device_); }
  int device() const { return device_; }

 private:
  UntilGone gone_;
  int device_, wave_;
  void* stream_ = nullptr;
  bool busy_ = false;
  std::unique_ptr<Event> idle_;
};

}  // namespace splat::gpu
