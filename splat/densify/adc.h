// Adaptive density control, Kerbl et al. 2023, section 5, as the reference code really runs it:
// - densifies when from < iteration < until and iteration % every == 0 (with the defaults: 600, 700, ... 14900);
// - mean gradient = sum of |dL/d mean2d| in NDC units / number of views that saw the splat since the last time;
// - >= threshold and small: copied; >= threshold and large: replaced by two samples of itself, scales / 1.6;
// - then removes the transparent and, after the first opacity reset, what is too large in the world. Too large on the
//   screen (20 px) is never met in that code: its growth clears the radii first. So that is off here;
// - opacity reset when iteration % reset_every == 0 (and at `from` with a white background), only before `until`.
// Rows afterwards: the old ones kept, in order; clones by source row; children by parent row. Cost: one
// download of ellipsoids.
#pragma once

#include <cstdint>

#include "splat/core/result.h"
#include "splat/densify/setting.h"
#include "splat/densify/strategy.h"

namespace splat {

struct AdcConfig {
  int from = 500, until = 15000, every = 100;
  float gradient_threshold = 2e-4f, dense_fraction = 0.01f;
  float prune_opacity = 0.005f, prune_extent_fraction = 0.1f, prune_radius_px = 0;
  int opacity_reset_every = 3000;
  float reset_opacity = 0.01f;

  friend bool operator==(const AdcConfig&, const AdcConfig&) = default;
};

template <class Config, class Visitor>
void visit_adc_fields(Config& c, Visitor&& visit) {
  visit({"densify_from", kAuto, kMostIterations, "Density control starts after",
         "density control (adc) starts after this iteration", "iterations"},
        c.from);
  visit({"densify_until", kAuto, kMostIterations, "Density control ends before",
         "density control ends before this iteration", "iterations"},
        c.until);
  visit({"densify_every", 1, kMostIterations, "Iterations between density control",
         "iterations between steps of density control", "iterations"},
        c.every);
  visit({"densify_gradient", 0, kLargest, "Densify above this gradient",
         "mean screen gradient above which a splat is densified, NDC", "NDC"},
        c.gradient_threshold);
  visit({"densify_dense_fraction", 0, kLargest, "Split, not clone, above this size",
         "splats above this share of the extent are split, others cloned"},
        c.dense_fraction);
  visit({"prune_opacity", 0, kMostOpaque, "Remove below this opacity", "splats of lower opacity are removed"},
        c.prune_opacity);
  visit({"prune_extent_fraction", 0, kLargest, "Remove above this size",
         "larger splats are removed after the first reset; share of the extent"},
        c.prune_extent_fraction);
  visit({"prune_radius_px", 0, kLargest, "Remove above this radius",
         "likewise splats with a larger radius on screen, px; 0: never", "px"},
        c.prune_radius_px);
  visit({"opacity_reset_every", 0, kMostIterations, "Iterations between opacity resets",
         "iterations between resets of opacity; 0: never", "iterations"},
        c.opacity_reset_every);
  visit({"reset_opacity", kLeastOpaque, kMostOpaque, "Opacity after a reset", "largest opacity after a reset"},
        c.reset_opacity);
}
void resolve_adc(AdcConfig& config, int iterations);  // replaces kAuto; iterations: at most 30000 of the run

class Adc : public Strategy {
 public:
  Adc(const AdcConfig& config, const StrategyScene& scene);  // on white there is one more opacity reset, at `from`

  DensifyReport after_update(int iteration, Backend& backend) override;
  void save_state(Archive& archive) const override;
  Status load_state(const Archive& archive) override;

 private:
  DensifyReport densify(int iteration, Backend& backend);

  AdcConfig config_;
  StrategyScene scene_;
};

}  // namespace splat
