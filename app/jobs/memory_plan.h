// Predicts memory: what a run will hold, what this machine has, and how many splats fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "app/jobs/host/host.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/train/config.h"

namespace app {

// Measured on the CPU backend with splats of SH degree 3 (docs/notebook/reliability.md).
inline constexpr size_t kBytesPerSplat = 940;           // where their number grows: with what a densification reads
inline constexpr size_t kBytesPerSplatAtStart = 850;    // before any grew
inline constexpr size_t kBytesPerSplatBesideGpu = 600;  // of the host: what a run begins with, or a densification reads
inline constexpr size_t kBytesPackingSpares = 236;      // of each: Backend::pack_moments()
inline constexpr size_t kBytesFromFile = 65, kBytesServed = 50;  // StartingSplats::more_bytes_per_splat
inline constexpr size_t kBytesPerPixel = 80;                     // of the largest view
// Tile lists of the CPU backend, the less of both: few splats are large, many are small.
inline constexpr size_t kListBytesPerSplat = 400, kListBytesPerPixel = 80;
inline constexpr size_t kBytesPerDrawnPixel = 48;  // of a picture alone, likewise: lists, floats, bytes and their PNG
inline constexpr size_t kBaseBytes = 25'500'000;   // the program, its threads and libraries

// What splats blended as planes, too, take beside that (--surface, depth maps): on the CPU backend, and on a GPU.
struct PlaneBytes {
  uint64_t per_splat = 0, per_pixel = 0;                // of the host, for the largest view's pixels
  uint64_t device_per_splat = 0, device_per_pixel = 0;  // of a GPU's own memory
};
PlaneBytes plane_bytes(const splat::TrainConfig& config, const splat::Dataset& dataset);  // 0: not blended

struct MemoryPlan {
  uint64_t image_limit_bytes = 0;  // photos beyond this are streamed from disk
  uint64_t needed_bytes = 0;       // at the start: program, photos, one splat a point or matching
  uint64_t splats_that_fit = 0;
  uint64_t fixed_bytes = 0, bytes_at_start = 0, bytes_per_splat = 0;  // what the figures above are made of
  uint64_t matching_bytes = 0;                                        // before there are splats
  uint64_t most_list_bytes = 0;                                       // kListBytesPerPixel

  // For a run that begins with matching photos, which holds these bytes (splat::matching_bytes()).
  void add_matching(uint64_t bytes);
  // What the process held before this run, beside which all this is: a window with a scene in it.
  void add_held(uint64_t rss) { fixed_bytes += std::max<uint64_t>(rss, kBaseBytes) - kBaseBytes; }
  // For pictures drawn meanwhile that have these pixels more than the largest view.
  void add_pixels(uint64_t more) { fixed_bytes += more * kBytesPerDrawnPixel; }
  // For views with at most this number of pixels, drawn by the CPU backend. What `splats` begin with is needed at the
  // start.
  void add_lists(uint64_t pixels, uint64_t splats);
  uint64_t peak_bytes(uint64_t splats, bool grown) const {
    const uint64_t lists = std::min(splats * kListBytesPerSplat, most_list_bytes);
    return fixed_bytes + std::max(matching_bytes, splats * (grown ? bytes_per_splat : bytes_at_start) + lists);
  }
};

// An error where drawing a view of this number of pixels takes more memory than there is: cameras are a few numbers in
// a file, and may claim any size.
splat::Status check_drawing(const HostMemory& memory, uint64_t pixels);
uint64_t most_pixels(const splat::Dataset& dataset);  // of a view

// What a run on this dataset needs beside photos and splats.
uint64_t base_bytes(const splat::Dataset& dataset, const PlaneBytes& planes = {});
// What a run with default settings holds while it matches photos, before there are splats.
uint64_t default_matching_bytes(const splat::Dataset& dataset);

// What a run begins with.
struct StartingSplats {
  StartingSplats(uint64_t splats, uint64_t held = 0, std::string how = "--max-splats")
      : count(splats), held_bytes(held), fewer(std::move(how)) {}
  uint64_t count;
  uint64_t held_bytes;  // of what is needed these are taken already: they are no longer available, nor missing
  std::string fewer;    // words that make a number behind them the most there are; empty: nothing does
  // Each takes more while it is taken over from a file, or shown in a browser.
  uint64_t more_bytes_per_splat = 0;
};

// An error with the figures, and what would fit, when not even the starting splats do. Each takes `bytes_per_splat`
// when their number grows; `bytes_at_start` before (0: as much).
splat::Result<MemoryPlan> plan_memory(const HostMemory& memory, uint64_t base_bytes, uint64_t image_bytes,
                                      const StartingSplats& starting, uint64_t bytes_per_splat = kBytesPerSplat,
                                      uint64_t bytes_at_start = 0);

inline constexpr size_t kDeviceBaseBytes = 100'000'000;  // of a GPU: the driver's context and scratch memory

// How many splats fit on a GPU with memory of its own, beside the photos (which never take more than a quarter of it
// from splats: the others are sent for every view): any number where the backend works in the host's memory. An error
// like plan_memory()'s when not even the starting splats do.
splat::Result<uint64_t> splats_on_device(const splat::BackendInfo& info, const splat::Dataset& dataset,
                                         uint64_t photo_bytes, const StartingSplats& starting);
// Both together, as a run on this device finds them before it starts. matching_bytes: MemoryPlan::add_matching().
struct RunMemory {
  MemoryPlan host;
  uint64_t splats_on_device = UINT64_MAX, splats_that_fit = 0;
};
splat::Result<RunMemory> plan_run_memory(const splat::TrainConfig& config, const splat::Dataset& dataset,
                                         splat::BackendInfo device, const StartingSplats& starting,
                                         uint64_t matching_bytes);
// What a splat takes there of the host's memory: nothing unless an integrated GPU works in it.
uint64_t bytes_per_splat_in_host(const splat::BackendInfo& info);

}  // namespace app
