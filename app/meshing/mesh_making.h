// From splats to a mesh with its colours: what --mesh and the window share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "app/console/outcome.h"
#include "app/options/mesh_options.h"
#include "mesh/mesh_repair.h"
#include "mesh/triangle_mesh.h"
#include "splat/backend/registry.h"
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
  splat::Box region{};                         // only the surface in it; empty: all
  double to_metres = 1;                        // of a unit, where that is known
  splat::Dataset dataset;                      // its training views are looked from; none: views all around
  std::unique_ptr<splat::ImageSource> photos;  // of the dataset; null: colours are the splats'
};

struct MeshSettings {
  MeshChoices choices;  // of texture: texture_side() and has_colours() count
  int texture_side = 0;
  int threads = 0;
};

// Follows the making and can end it; called by the thread that makes.
class MeshWatch {
 public:
  virtual void stage(const std::string& name) = 0;             // begins
  virtual void step(size_t done, size_t total) = 0;            // of the present stage; cheap
  virtual void predicted(uint64_t bytes, double seconds) = 0;  // most memory, all of the time; 0: not known yet
  virtual bool cancelled() = 0;

 protected:
  ~MeshWatch() = default;
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

// Side of the texture in texels that the choices stand for; 0: none. `holds`: whether the file that follows can.
int texture_side(const MeshChoices& choices, bool holds);

// Takes the input apart. An outcome of kInterrupted: the watch ended it.
Outcome make_mesh(MeshInput input, const MeshSettings& settings, splat::Backend& backend, MeshWatch& watch,
                  MadeMesh& made);

}  // namespace app
