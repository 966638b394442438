#include "app/options/fine_settings.h"

namespace app {
namespace {

struct FineSetting {
  std::string_view name, help;
};

constexpr FineSetting kFineSettings[] = {
    {"sh_degree_interval", "iterations between degrees of view-dependent colour"},
    {"ssim_weight", "share of 1 - SSIM in the loss, from 0 to 1; the rest is L1"},
    {"progressive_divisor", "photos start with their sides divided by this; 1: never"},
    {"progressive_until", "iteration from which photos have their full size"},
    {"initial_opacity", "of the first splats, from 0 to 1"},
    {"random_splats", "number of first splats where the dataset has no points"},
    {"mean_rate_first", "learning rate of positions at the start, per scene extent"},
    {"mean_rate_last", "the same at the end of its fall"},
    {"mean_lr_steps", "iterations over which it falls"},
    {"sh0_rate", "learning rate of the base colour"},
    {"sh_rest_rate", "learning rate of view-dependent colour"},
    {"opacity_rate", "learning rate of opacity, before its sigmoid"},
    {"log_scale_rate", "learning rate of the logarithm of sizes"},
    {"quat_rate", "learning rate of rotations"},
    {"densify_from", "adc adds and removes splats after this iteration"},
    {"densify_until", "and before this one"},
    {"densify_every", "iterations between its steps"},
    {"densify_gradient", "mean gradient on the screen from which a splat grows, NDC"},
    {"densify_dense_fraction", "larger splats are split, smaller copied; of the extent"},
    {"prune_opacity", "fainter splats are removed"},
    {"prune_extent_fraction", "larger ones too, after the first reset; of the extent"},
    {"prune_radius_px", "and ones larger on the screen, px; 0: never"},
    {"opacity_reset_every", "iterations between resets of opacity; 0: never"},
    {"reset_opacity", "opacity is at most this after a reset"},
};

}  // namespace

std::string_view help_of_fine_setting(std::string_view name) {
  for (const FineSetting& setting : kFineSettings)
    if (setting.name == name) return setting.help;
  return {};
}

}  // namespace app
