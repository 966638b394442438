// Backend on a GPU: the kernels of this folder, compiled for AMD by hipcc, for NVIDIA by nvcc, and for the emulator of
// the tests. An iteration allocates nothing once warm, and waits for the device only where its results are read
// (loss() by default, read_...). The memory for instances follows the counts of earlier views; that a view has more
// than fit is known late: its update() does nothing, or, where its results are read, it is drawn again.
// Throws DeviceError.
#pragma once

#include <memory>

#include "splat/backend/backend.h"

namespace splat {

struct GpuOptions {
  std::string name;             // "hip", "cuda"
  int device = 0;               // index of the runtime
  int max_packed_tiles = 8192;  // more: sorted by depth and tile in two passes, exactly
  // Gradients are summed without float atomics, in a fixed order: the same bytes on every run. Takes about 130 bytes
  // an instance more, and is slower where the device has such atomics.
  bool ordered = false;
};

class GpuBackend : public Backend {
 public:
  virtual size_t instance_capacity() const = 0;
  virtual void limit_instance_capacity(size_t instances) = 0;  // of the next view, for tests
};

std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions& options);

}  // namespace splat
