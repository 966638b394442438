#include "viewer/live/thinned_drawer.h"

#include <utility>

namespace viewer {
namespace {

// Those of these rows; none where there are none.
std::vector<uint8_t> gathered(std::span<const uint8_t> of_all, const std::vector<uint32_t>& rows) {
  std::vector<uint8_t> of_some;
  if (of_all.empty()) return of_some;
  of_some.reserve(rows.size());
  for (const uint32_t row : rows) of_some.push_back(row < of_all.size() ? of_all[row] : uint8_t(0));
  return of_some;
}

}  // namespace

splat::Status ThinnedDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model,
                                     const ShownRows& rows, size_t splats) {
  if (splats_ != splats) {
    forget_model();
    splat::ThreadPool pool(pool_threads_);
    thinned_ = splat::thinned(model, splats, pool);
    splats_ = splats;
  }
  states_ = gathered(rows.states, thinned_.rows);
  reasons_ = gathered(rows.reasons, thinned_.rows);
  return drawer_.prepare(settings, thinned_.model, {states_, reasons_});
}

EngineImage ThinnedDrawer::draw(const RenderRequest& request, int divisor) {
  EngineImage image = drawer_.draw(request, divisor);
  image.part = thinned_.rows.size();
  return image;
}

void ThinnedDrawer::take(splat::Thinned part, size_t splats) {
  forget_model();
  thinned_ = std::move(part);
  splats_ = splats;
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
