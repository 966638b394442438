// Out of memory is foreseen: what a run will hold, what this machine has, and how many splats fit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "app/host.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace app {

// Measured on the CPU backend with splats of SH degree 3, at the peak during densification and checkpoints.
inline constexpr size_t kBytesPerSplat = 1500;
inline constexpr size_t kBytesPerPixel = 48;      // of the largest view
inline constexpr size_t kBaseBytes = 32'000'000;  // the program and its threads

struct MemoryPlan {
  uint64_t image_limit_bytes = 0;  // photos beyond this are streamed from disk
  uint64_t needed_bytes = 0;       // at the start: program, photos, one splat a point
  uint64_t splats_that_fit = 0;
};

// What a run on this dataset needs beside photos and splats.
uint64_t base_bytes(const splat::Dataset& dataset);

// An error with the figures, and what would fit, when not even the starting splats do.
splat::Result<MemoryPlan> plan_memory(const HostMemory& memory, uint64_t base_bytes, uint64_t image_bytes,
                                      uint64_t starting_splats);

// On a GPU with memory of its own; photos stay there only as far as there is room. Counted from splat/backend/gpu's
// records, with room for a growth by half that copies, and for four instances a splat.
inline constexpr size_t kDeviceBytesPerSplat = 1500;
inline constexpr size_t kDeviceBytesPerPixel = 96;       // of the largest view
inline constexpr size_t kDeviceBaseBytes = 100'000'000;  // the driver's context and scratch memory

// How many splats fit on the backend's device: any number where it works in the host's memory. An error like
// plan_memory()'s when not even the starting splats do.
splat::Result<uint64_t> splats_on_device(const splat::BackendInfo& info, const splat::Dataset& dataset,
                                         uint64_t starting_splats);

}  // namespace app
