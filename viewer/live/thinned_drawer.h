// Draws a model with fewer splats (splat/model/thinned.h) by a backend of its own, so that the whole model can stay
// with its own one. Made for a number of splats when a picture first needs it. Belongs to one thread; throws what
// VariantDrawer throws.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/model/thinned.h"
#include "viewer/live/variant_drawer.h"

namespace viewer {

class ThinnedDrawer {
 public:
  ThinnedDrawer(VariantDrawer::MakeBackend make_backend, int threads)
      : drawer_(std::move(make_backend)), pool_threads_(threads) {}

  // rows: of the whole model.
  splat::Status prepare(const DisplaySettings& settings, const splat::Gaussians& model, const ShownRows& rows,
                        size_t splats);
  EngineImage draw(const RenderRequest& request, int divisor);

  // As if it were made of a model of that size, which is not there yet; until then prepare() wants no others.
  void take(splat::Thinned part, size_t splats);
  size_t made_for() const { return splats_; }

  void forget_model();  // it has changed
  void release();       // frees the backend and what it holds

 private:
  VariantDrawer drawer_;
  const int pool_threads_;
  splat::Thinned thinned_;
  size_t splats_ = 0;                      // that it was made for; 0: it is not made
  std::vector<uint8_t> states_, reasons_;  // [N of thinned_] as in ShownRows
};

}  // namespace viewer
