#include "app/options/fine_settings.h"

namespace app {
namespace {

struct FineSetting {
  std::string_view name, help;
};

constexpr FineSetting kFineSettings[] = {
    {"sh_degree_interval", "iterations between increases of the SH degree"},
    {"ssim_weight", "weight of 1 - SSIM in the loss, from 0 to 1; the rest is L1"},
    {"progressive_divisor", "sides of the photos are divided by this at the start; 1: not"},
    {"progressive_until", "iteration from which photos have their full size"},
    {"initial_opacity", "opacity of the initial splats, from 0 to 1"},
    {"random_splats", "number of initial splats where the dataset has no points"},
    {"mean_rate_first", "initial learning rate of positions, times the scene extent"},
    {"mean_rate_last", "final learning rate of positions, times the scene extent"},
    {"mean_lr_steps", "iterations over which that rate decays"},
    {"sh0_rate", "learning rate of the base colour"},
    {"sh_rest_rate", "learning rate of view-dependent colour"},
    {"opacity_rate", "learning rate of opacity, before its sigmoid"},
    {"log_scale_rate", "learning rate of the logarithm of sizes"},
    {"quat_rate", "learning rate of rotations"},
    {"densify_from", "density control (adc) starts after this iteration"},
    {"densify_until", "density control ends before this iteration"},
    {"densify_every", "iterations between steps of density control"},
    {"densify_gradient", "mean screen gradient above which a splat is densified, NDC"},
    {"densify_dense_fraction", "splats above this share of the extent are split, others cloned"},
    {"prune_opacity", "splats of lower opacity are removed"},
    {"prune_extent_fraction", "larger splats too, after the first reset; share of the extent"},
    {"prune_radius_px", "splats with a larger radius on screen too, px; 0: never"},
    {"opacity_reset_every", "iterations between resets of opacity; 0: never"},
    {"reset_opacity", "largest opacity after a reset"},
};

}  // namespace

std::string_view help_of_fine_setting(std::string_view name) {
  for (const FineSetting& setting : kFineSettings)
    if (setting.name == name) return setting.help;
  return {};
}

}  // namespace app
