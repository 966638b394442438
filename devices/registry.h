// Which backends work here, which one to use, and why: never a silent fallback.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/raster/raster.h"
#include "splat/raster/triangles/rasteriser.h"

namespace splat {

struct BackendStatus {
  std::string name;  // "cpu", "hip", "cuda"
  bool usable = false;
  std::string reason;                // why (not), one sentence
  std::vector<std::string> devices;  // human-readable, index = --device
};

// Every backend hipsplat knows of, usable or not, in order of preference for `auto`.
std::vector<BackendStatus> list_backends(int threads);

struct BackendChoice {
  std::unique_ptr<Backend> backend;
  std::string reason;  // why this one, one sentence; printed, shown and stored in metrics.json
  int device = 0;      // its index
};

// name: "auto", "cpu", "hip" or "cuda". device: index, -1 the best. threads: host threads, 0 all. deterministic: the
// same bytes on every run, which costs a GPU some time (the CPU always is).
// `auto` takes the working GPU with the most memory, a discrete one before an integrated one, else the CPU. A GPU works
// when it draws a test picture as the CPU does. An unusable backend asked for by name is an error (the caller exits
// with 3).
Result<BackendChoice> make_backend(const std::string& name, int device, int threads, bool deterministic = false);

struct RasteriserChoice {
  std::unique_ptr<raster::Rasteriser<float>> rasteriser;
  std::string backend;  // "cpu", "hip", "cuda", "reference"; arrays of calls are in a GPU's memory, else the host's
  int device = 0;       // its index
  std::string reason;
};

// Chooses, and tests what it chose, as make_backend(); also "reference", by name only: slow, on one thread.
Result<RasteriserChoice> make_rasteriser(const std::string& name, int device, int threads);

// For triangles, on the GPU that make_backend() or make_rasteriser() chose and tested. backend: "hip" or "cuda".
Result<std::unique_ptr<triangles::Rasteriser>> make_triangle_rasteriser(const std::string& backend, int device);

}  // namespace splat
