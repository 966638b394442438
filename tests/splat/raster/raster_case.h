// A scene in arrays with its cameras, and everything that a rasteriser says about it, in double whatever it computes
// in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "splat/raster/raster.h"

namespace splat::test {

struct RasterCase {
  std::string name;
  size_t splats = 0;
  std::vector<double> means, quats, scales, covariances, opacities, sh, colours, background;
  int sh_coefficients = 0, sh_degree = 0, channels = 3;
  bool colours_by_camera = false;
  std::vector<raster::Camera> cameras;
  raster::Settings settings;
  std::vector<double> v_colour, v_alpha, v_depth;  // of the loss, a sum of products; empty: 0
  std::vector<double> v_means2d;                   // added to what the first half of the backward pass finds

  size_t pixels() const { return size_t(settings.width) * size_t(settings.height); }
};

struct RasterResult {
  std::vector<double> colour, alpha, depth, means2d, depths, conics, compensations;
  std::vector<int32_t> radii, touched;
  std::vector<double> v_means2d, v_means2d_abs;
  std::vector<double> v_means, v_quats, v_scales, v_covariances, v_opacities, v_sh, v_colours, v_cam, v_background;
  double loss = 0;
};

enum class Passes { kForward, kBoth };
template <class T>
RasterResult run(raster::Rasteriser<T>& rasteriser, const RasterCase& at, Passes passes);

// Scenes that together have every option, border and degenerate splat; fit for the reference.
std::vector<RasterCase> raster_cases();

}  // namespace splat::test
