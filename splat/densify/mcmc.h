// Splats as samples of a Markov chain: Kheradmand et al. 2024, "3D Gaussian Splatting as Markov Chain Monte Carlo", as
// its code and gsplat run it. Every `every` iterations between `from` and `until`:
// - splats of at most dead_opacity are moved onto others, drawn by opacity, which share their opacity and size with
//   them so that what is drawn hardly changes (relocated());
// - then the count grows by its share `growth`, at most to the limit on splats, by copies made in the same way.
// After every iteration the means get noise (math/mean_noise.h) in proportion to their learning rate. Nothing is
// removed and opacity is never reset; the loss gains opacity_regularizer mean(opacity) + scale_regularizer mean(scale).
// Rows afterwards: the old ones in their places, then the new ones by source row. Cost: one download of ellipsoids.
#pragma once

#include "splat/core/result.h"
#include "splat/densify/setting.h"
#include "splat/densify/strategy.h"

namespace splat {

struct McmcConfig {
  int from = 500, until = 25000, every = 100;
  float dead_opacity = 0.005f, growth = 0.05f, noise = 5e5f;
  float opacity_regularizer = 0.01f, scale_regularizer = 0.01f;  // the latter: 1 / world units
  float initial_opacity = 0.5f, initial_scale = 0.1f, opacity_rate = 0.05f;

  friend bool operator==(const McmcConfig&, const McmcConfig&) = default;
};

template <class Config, class Visitor>
void visit_mcmc_fields(Config& c, Visitor&& visit) {
  visit({"mcmc_from", kAuto, kMostIterations, "MCMC: starts after",
         "mcmc relocates and adds splats after this iteration", "iterations"},
        c.from);
  visit({"mcmc_until", kAuto, kMostIterations, "MCMC: ends before",
         "mcmc relocates and adds splats before this iteration", "iterations"},
        c.until);
  visit({"mcmc_every", 1, kMostIterations, "MCMC: iterations between steps", "iterations between steps of mcmc",
         "iterations", true},
        c.every);
  visit({"mcmc_dead_opacity", kLeastOpaque, 0.5, "MCMC: opacity of a dead splat",
         "splats up to this opacity are relocated"},
        c.dead_opacity);
  visit({"mcmc_growth", 0, 1, "MCMC: growth of a step", "share of the count that each step adds"}, c.growth);
  visit({"mcmc_noise", 0, kLargest, "MCMC: noise", "noise of positions, as a multiple of their learning rate"},
        c.noise);
  visit({"mcmc_opacity_regularizer", 0, kLargest, "MCMC: weight of opacity", "weight of the mean opacity in the loss"},
        c.opacity_regularizer);
  visit({"mcmc_scale_regularizer", 0, kLargest, "MCMC: weight of size", "weight of the mean size in the loss"},
        c.scale_regularizer);
  visit({"mcmc_initial_opacity", kLeastOpaque, kMostOpaque, "MCMC: initial opacity",
         "opacity of splats made of points, from 0 to 1"},
        c.initial_opacity);
  visit({"mcmc_initial_scale", 1e-6, 1e6, "MCMC: initial size",
         "size of splats made of points, as a share of their distance"},
        c.initial_scale);
  visit({"mcmc_opacity_rate", 0, kLargest, "MCMC: learning rate of opacity", "learning rate of opacity with mcmc"},
        c.opacity_rate);
}
void resolve_mcmc(McmcConfig& config, int iterations);  // as resolve_adc()

// What each of `copies` splats in one place needs so that together they look as one splat of `opacity`: their opacity,
// and the factor of all scales. Paper, equation 9: the centre is the same, and so is the integral over the profile.
struct Relocated {
  double opacity = 0, scale = 1;
};
inline constexpr int kMostCopies = 51;
Relocated relocated(double opacity, int copies);  // copies: 1 to kMostCopies

class Mcmc : public Strategy {
 public:
  Mcmc(const McmcConfig& config, const StrategyScene& scene);

  void prepare(Gaussians& splats) const override;
  void adjust(int iteration, AdamSettings& settings) const override;
  DensifyReport after_update(int iteration, Backend& backend) override;
  void save_state(Archive& archive) const override;
  Status load_state(const Archive& archive) override;

 private:
  DensifyReport relocate_and_grow(int iteration, Backend& backend) const;

  McmcConfig config_;
  StrategyScene scene_;
};

}  // namespace splat
