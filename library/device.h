// hs_device: a backend, and whose turn it is.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "include/hipsplat.h"
#include "splat/backend/backend.h"
#include "splat/raster/raster.h"
#include "splat/raster/triangles/rasteriser.h"

struct hs_device {
  std::mutex busy;  // held by the call that uses what follows
  std::unique_ptr<splat::Backend> backend;
  int threads = 0;  // as was asked for
  int chosen = 0;   // index of what was taken
  std::string reason, proof;
  std::unique_ptr<splat::raster::Rasteriser<float>> of_floats;  // null before the first call
  std::unique_ptr<splat::raster::Rasteriser<double>> of_doubles;
  std::unique_ptr<splat::triangles::Rasteriser> of_triangles;  // of a GPU
  uint64_t resident = 0;  // hs_splats::identity of what the backend holds; 0: of nobody's
};

namespace library {

// For the backend and index of the device. Throws Failure.
std::unique_ptr<splat::raster::Rasteriser<float>> make_rasteriser(const hs_device& device);
std::unique_ptr<splat::triangles::Rasteriser> make_triangle_rasteriser(const hs_device& device);  // of a GPU

inline bool is_gpu(const hs_device& device) {
  const std::string& name = device.backend->info().name;
  return name != "cpu" && name != "reference";
}

}  // namespace library
