// Density control against a budget (our own; ideas of "Taming 3DGS", "Revising densification" and Improved-GS):
// - how many splats there shall be follows from the detail that the photos hold, from how many there are and from the
//   length of the run, not from a threshold of gradients; growth is over after a third of the run, most of it early;
// - the splats with the largest mean gradient on the screen are split along their longest axis; gradients of those
//   nearest to the cameras count less (near_rows.h);
// - opacity is never reset; it decays at every step, and splats that no photo keeps visible are pruned. Their place in
//   the budget goes to others until shortly before the end;
// - floaters are moved behind the scene (moved_out_rows.h), removed from the cameras' paths (path_rows.h) and,
//   after the last iteration, from the views of few photos (veil_rows.h);
// - a random share of the splats is left out of every iteration, the more the fewer photos there are, so that none
//   relies on others to look right from the photos alone (math/dropout.h);
// - more iterations than the photos are worth become smaller steps instead of more movement, and colour and opacity
//   come to rest in the second half.
// Rows afterwards: the old ones kept, in order; then halves by parent row. Cost: one decision about all rows a step
// (judged_rows.h).
#pragma once

#include <cstdint>
#include <vector>

#include "splat/core/result.h"
#include "splat/densify/setting.h"
#include "splat/densify/strategy.h"

namespace splat {

struct BudgetConfig {
  int from = kAuto, until = kAuto, last = kAuto, every = kAuto, fade_from = kAuto, fade_until = kAuto;
  float per_detail = 6.2f, growth = 0.25f;
  float opacity_decay = 0.004f, prune_opacity = 1.0f / 255;
  float fade = 0.3f, photo_steps = 800;
  float nearer = 3, near_share = 0.1f;
  int veil_photos = 3;
  float dropout = kAuto;

  friend bool operator==(const BudgetConfig&, const BudgetConfig&) = default;
};

template <class Config, class Visitor>
void visit_budget_fields(Config& c, Visitor&& visit) {
  constexpr int kMany = kMostIterations, kMostVeilPhotos = 1000;
  visit({"budget_from", kAuto, kMany, "Budget: starts after", "budget starts after this iteration", "iterations"},
        c.from);
  visit({"budget_until", kAuto, kMany, "Budget: growth ends at", "iteration at which growth is complete", "iterations"},
        c.until);
  visit({"budget_last", kAuto, kMany, "Budget: nothing is removed from",
         "iteration from which nothing is removed or replaced", "iterations"},
        c.last);
  visit({"budget_every", 1, kMany, "Budget: iterations between steps",
         "smallest number of iterations between steps of budget", "iterations", true},
        c.every);
  visit({"budget_fade_from", kAuto, kMany, "Budget: rates fall from", "iteration from which learning rates fall",
         "iterations"},
        c.fade_from);
  visit({"budget_fade_until", kAuto, kMany, "Budget: rates are lowest from",
         "iteration at which learning rates reach their last value", "iterations"},
        c.fade_until);
  visit({"budget_per_detail", 0, kLargest, "Budget: splats for detail",
         "splats, times (detailed pixels of a photo)^0.75 and the root of the number of photos"},
        c.per_detail);
  visit({"budget_growth", 0, 1, "Budget: growth of a step", "largest share of the count that one step adds"}, c.growth);
  visit({"budget_opacity_decay", 0, 1, "Budget: decay of opacity", "opacity that every step takes from all splats"},
        c.opacity_decay);
  visit({"budget_prune_opacity", 0, kMostOpaque, "Budget: remove below this opacity",
         "splats of lower opacity are removed"},
        c.prune_opacity);
  visit({"budget_fade", 0, 1, "Budget: lowest rate",
         "last learning rate of opacity and colour, as a share of the full rate"},
        c.fade);
  visit({"budget_photo_steps", 0, kLargest, "Budget: iterations per photo",
         "iterations per photo above which all steps become smaller; 0: never", "iterations"},
        c.photo_steps);
  visit({"budget_nearer", 0, kLargest, "Budget: times nearer than its photo",
         "floaters: a splat that only one photo sees is moved away from cameras that are this many times nearer to it "
         "than the photo's own; splats between neighbouring cameras are removed if all cameras that see them are this "
         "many times farther away than the nearest camera; 0: off"},
        c.nearer);
  visit({"budget_near_share", 0, 1, "Budget: share that grows less",
         "share of the splats, those nearest to the cameras, that grow less; 0: all grow alike"},
        c.near_share);
  visit({"budget_veil_photos", 0, kMostVeilPhotos, "Budget: photos of a veil",
         "floaters in at most this many photos, at less than half the depth of the surface behind them, are removed "
         "after the last iteration; 0: off",
         "photos"},
        c.veil_photos);
  visit({"budget_dropout", 0, 0.9f, "Budget: dropout",
         "largest share of the splats left out of an iteration (default -1: by the number of photos)", "", true},
        c.dropout);
}
void resolve_budget(BudgetConfig& config, int iterations);  // as resolve_adc()

class Budget : public Strategy {
 public:
  Budget(const BudgetConfig& config, const StrategyScene& scene);

  void adjust(int iteration, AdamSettings& settings) const override;
  void adjust(int iteration, RenderSettings& settings) const override;
  DensifyReport after_update(int iteration, Backend& backend) override;
  size_t finish(Backend& backend, std::span<const View> cameras, const RenderSettings& settings) override;
  void save_state(Archive& archive) const override;
  Status load_state(const Archive& archive) override;

  // Splats there shall be after growth; at least as many as at the start, but for the limit.
  size_t budget() const;

 private:
  size_t unlimited_budget() const;
  double dropout() const;
  int interval() const;
  size_t wanted(int iteration, size_t now) const;
  DensifyReport step(int iteration, Backend& backend);

  BudgetConfig config_;
  StrategyScene scene_;
  uint64_t first_ = 0;  // splats at the start; 0: not known yet
};

}  // namespace splat
