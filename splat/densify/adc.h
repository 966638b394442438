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
#include "splat/densify/strategy.h"

namespace splat {

struct AdcConfig {
  int from = 500;                      // iteration; -1: chosen for the length of the run (resolve_config)
  int until = 15000;                   // iteration; -1: chosen for the length of the run
  int every = 100;                     // iterations
  float gradient_threshold = 2e-4f;    // NDC units, mean over views
  float dense_fraction = 0.01f;        // of the extent: splats with a larger scale are split, others cloned
  float prune_opacity = 0.005f;        // [0,1]
  float prune_extent_fraction = 0.1f;  // of the extent: larger splats are removed after the first opacity reset
  float prune_radius_px = 0;           // px, likewise on the screen; 0: never
  int opacity_reset_every = 3000;      // iterations; 0: never
  float reset_opacity = 0.01f;         // [0,1]
};

// Calls visit(name, field) for every setting; names are those of --config files.
template <class Config, class Visitor>
void visit_adc_fields(Config& c, Visitor&& visit) {
  visit("densify_from", c.from);
  visit("densify_until", c.until);
  visit("densify_every", c.every);
  visit("densify_gradient", c.gradient_threshold);
  visit("densify_dense_fraction", c.dense_fraction);
  visit("prune_opacity", c.prune_opacity);
  visit("prune_extent_fraction", c.prune_extent_fraction);
  visit("prune_radius_px", c.prune_radius_px);
  visit("opacity_reset_every", c.opacity_reset_every);
  visit("reset_opacity", c.reset_opacity);
}
void resolve_adc(AdcConfig& config, int iterations);  // replaces kAuto; iterations: at most 30000 of the run
Status check_adc(const AdcConfig& config);            // one sentence about the first setting that makes no sense

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
