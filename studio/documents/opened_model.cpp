#include "studio/documents/opened_model.h"

#include "viewer/draw/depth_order.h"

namespace studio {

void describe_model(const splat::Gaussians& model, splat::ThreadPool& pool, OpenedSplats& opened) {
  opened.rows = model.size();
  opened.sh_degree = model.sh_degree;
  opened.bounds = robust_bounds(model);
  opened.framed = framed_bounds(model);
  opened.opacity = splat::opacity_histogram(model, pool);
  opened.size = splat::size_histogram(model, pool);
}

PackedModel pack_model(const splat::Gaussians& model, splat::ThreadPool& pool) {
  PackedModel packed;
  packed.splats = pack_splats(model, pool);
  packed.centres_radii = centres_and_radii(model, pool);
  return packed;
}

}  // namespace studio
