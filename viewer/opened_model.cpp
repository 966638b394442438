#include "viewer/opened_model.h"

#include <utility>

#include "viewer/draw/depth_order.h"

namespace viewer {

void set_model(splat::Gaussians model, splat::ThreadPool& pool, OpenedSplats& opened) {
  opened.packed = pack_splats(model);
  opened.centres_radii = centres_and_radii(model, pool);
  opened.bounds = robust_bounds(model.means);
  opened.opacity = splat::opacity_histogram(model);
  opened.size = splat::size_histogram(model);
  opened.gaussians = std::move(model);
}

}  // namespace viewer
