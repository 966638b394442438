#include "viewer/live/thinned_drawer.h"

namespace viewer {

splat::Status ThinnedDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model,
                                     std::span<const uint8_t> states, size_t splats) {
  if (splats_ != splats) {
    forget_model();
    splat::ThreadPool pool(pool_threads_);
    thinned_ = splat::thinned(model, splats, pool);
    splats_ = splats;
  }
  states_.resize(states.empty() ? 0 : thinned_.rows.size());
  for (size_t i = 0; i < states_.size(); ++i) states_[i] = states[thinned_.rows[i]];
  return drawer_.prepare(settings, thinned_.model, states_);
}

void ThinnedDrawer::forget_model() {
  drawer_.forget_model();
  thinned_ = {};
  splats_ = 0;
}

void ThinnedDrawer::release() {
  forget_model();
  drawer_.release();
}

}  // namespace viewer
