// How the number of splats changes while training: the interface behind --strategy. A strategy sees the backend once
// between two iterations and clones, splits, prunes or relocates rows through it. Everything it draws comes from
// (seed, iteration, row): results never depend on threads, and a resumed run decides as the uninterrupted one.
// All is decided before anything changes, so that Stopped, which comes of its pool, leaves the rows as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/archive.h"
#include "splat/core/parallel.h"
#include "splat/model/box.h"

namespace splat {

inline constexpr size_t kRowsAtOnce = 4096;  // of a task, and between two questions whether to stop

// What every strategy may know of the run it is part of.
struct StrategyScene {
  double extent = 1;              // world units (train/scene_extent.h)
  bool white_background = false;  // trained on white
  uint64_t seed = 0;
  std::function<double(int iteration)> mean_rate{};  // learning rate of the means, world units
  int views = 0;                                     // trained on
  double detail_px = 0;         // pixels of a photo with fine detail (train/detail.h), mean over those trained on
  size_t max_splats = 0;        // growth stops here; 0: no limit
  std::vector<View> cameras{};  // of the views, and of the other photos of the scene where these show a part of it
  ThreadPool* pool = nullptr;   // of the host, at rest while a strategy works; null: one thread; may be Stoppable
  Box region{};                 // only splats with their centre in it are copied or cut in two; empty: all

  bool may_grow(const Ellipsoids& model, size_t row) const {
    const float* mean = &model.means[3 * row];
    return region.empty() || region.contains({mean[0], mean[1], mean[2]});
  }
};

// What one call of a strategy did to the model.
struct DensifyReport {
  bool densified = false;      // the counts below are of this iteration
  size_t cloned = 0;           // splats copied (each adds one)
  size_t split = 0;            // splats replaced by two (each adds one)
  size_t pruned = 0;           // splats removed, besides the parents of splits
  size_t withheld = 0;         // clones and splits not done because of the limit on splats
  size_t relocated = 0;        // splats moved onto others
  bool opacity_reset = false;  // all opacities were limited
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The splats made of the dataset's points, before the first iteration.
  virtual void prepare(Gaussians& /*splats*/) const {}
  // Between update() of `iteration` (1 for the first) and the next forward().
  virtual DensifyReport after_update(int iteration, Backend& backend) = 0;
  // After the last iteration, with the cameras of the views trained on as they are now. How many splats it removed.
  virtual size_t finish(Backend& /*backend*/, std::span<const View> /*cameras*/, const RenderSettings& /*settings*/) {
    return 0;
  }
  // The settings that the trainer is about to use in `iteration`, for the strategy to change.
  virtual void adjust(int /*iteration*/, AdamSettings& /*settings*/) const {}
  virtual void adjust(int /*iteration*/, RenderSettings& /*settings*/) const {}
  virtual void save_state(Archive& archive) const = 0;
  virtual Status load_state(const Archive& archive) = 0;
};

}  // namespace splat
