// From splats in memory to a mesh with its colours.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/mesh.h"
#include "devices/registry.h"
#include "mesh/mesh_repair.h"
#include "mesh/triangle_mesh.h"
#include "splat/model/box.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"

namespace app {

struct MeshInput {
  std::string name;  // of the splats, for messages
  splat::Gaussians splats;
  splat::RenderSettings look;  // as the splats are drawn
  std::array<double, 3> up{0, -1, 0};
  double to_metres = 1;                        // of a unit, where that is known
  splat::Dataset dataset;                      // its training views are looked from; no views: from all around
  std::unique_ptr<splat::ImageSource> photos;  // of the dataset, where that has views; else colours are the splats'
};

struct MeshPlan {
  MeshSettings settings;
  int texture_side = 0;  // texels: texture_side() of the settings; 0: no texture
  int threads = 0;
};

struct MadeMesh {
  mesh::TriangleMesh mesh;
  splat::Image8 texture;  // RGB; empty: none
  std::array<double, 3> up{0, -1, 0};
  double to_metres = 1;  // of the input
  mesh::MeshDefects defects;
  float voxel = 0;  // world units
  size_t views = 0, dropped = 0, closed = 0, charts = 0;
  double filled = 0;                               // share of the texture that lies on the surface
  double held_out_psnr = 0, held_out_covered = 0;  // beside photos that were held out; covered: 0: there are none
};

// Side of the texture in texels that the settings stand for; 0: none. `holds`: whether the file that follows can.
int texture_side(const MeshSettings& settings, bool holds);

// Pixels of the depth maps that make_mesh() begins with, at least: the largest map's, and all together.
struct DepthPixels {
  uint64_t most = 0, all = 0;
};
DepthPixels pixels_of_depths(const MeshInput& input, const splat::Box& region);

// Takes the input apart. Of kInterrupted: the monitor ended it; of kUsage: the input, or too little memory, once that
// is known to be too little.
Outcome make_mesh(MeshInput input, const MeshPlan& plan, splat::Backend& backend, Monitor& monitor, MadeMesh& made);

inline constexpr size_t kEstimateSplats = 200'000;  // that are enough to estimate by

// What make_mesh() is going to take, without the reading of photos: by some of its views and the first blocks of their
// field. input.splats may be fewer that stand for all (thinned.h), of which there are `splats`. stop: asked now and
// then; nothing comes of it once it is true. Cost: six views' share of the depths, and a few seconds of fusing at most.
splat::Result<std::optional<Prediction>> predict_mesh(MeshInput input, size_t splats, const MeshPlan& plan,
                                                      splat::Backend& backend, const std::function<bool()>& stop);

}  // namespace app
