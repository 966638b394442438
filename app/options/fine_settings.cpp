#include "app/options/fine_settings.h"

namespace app {
namespace {

struct FineSetting {
  std::string_view name, help;
};

constexpr FineSetting kFineSettings[] = {
    {"sh_degree_interval", "iterations between increases of the SH degree; 0: all from the start, as with --init"},
    {"planned_iterations",
     "iterations that the schedules of exposure, cameras and depth maps are made for (default -1: those of the run)"},
    {"ssim_weight", "weight of 1 - SSIM in the loss, from 0 to 1; the rest is L1"},
    {"progressive_divisor",
     "sides of the photos are divided by this at the start; 1: not (default -1: by their size and the run's length "
     "with budget, else 1)"},
    {"progressive_until", "iteration from which photos have their full size"},
    {"depth_weight_first", "weight of what depth maps say, in scene extents, at the start"},
    {"depth_weight_last", "the same at the end"},
    {"surface_from", "iteration after which --surface compares normals and depths"},
    {"surface_normals", "weight of the difference between drawn normals and those of the depths"},
    {"surface_distortion", "weight of what lies apart in inverse depth at a pixel, in scene extents squared"},
    {"surface_thickness", "weight of the mean thickness of splats, in scene extents"},
    {"initial_opacity", "opacity of the initial splats, from 0 to 1"},
    {"random_splats",
     "number of initial splats where the dataset has no points; 0: by the pixels of the photos, at most 100000"},
    {"matched_photos",
     "photos that are matched with each other for more initial splats; 0: none (default -1: by the length of the "
     "run, with budget or where the dataset has no points)"},
    {"far_points",
     "1: initial splats also far away, where photos show more than the dataset has points for; 0: not (default -1: "
     "with budget or where it has none)"},
    {"mean_rate_first", "initial learning rate of positions, times the scene extent"},
    {"mean_rate_last", "final learning rate of positions, times the scene extent"},
    {"mean_lr_from", "iteration from which that rate decays (default -1: that of full-size photos)"},
    {"mean_lr_steps", "iteration at which it has decayed"},
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
    {"mcmc_from", "mcmc relocates and adds splats after this iteration"},
    {"mcmc_until", "mcmc relocates and adds splats before this iteration"},
    {"mcmc_every", "iterations between steps of mcmc"},
    {"mcmc_dead_opacity", "splats up to this opacity are relocated"},
    {"mcmc_growth", "share of the count that each step adds"},
    {"mcmc_noise", "noise of positions, as a multiple of their learning rate"},
    {"mcmc_opacity_regularizer", "weight of the mean opacity in the loss"},
    {"mcmc_scale_regularizer", "weight of the mean size in the loss"},
    {"mcmc_initial_opacity", "opacity of splats made of points, from 0 to 1"},
    {"mcmc_initial_scale", "size of splats made of points, as a share of their distance"},
    {"mcmc_opacity_rate", "learning rate of opacity with mcmc"},
    {"budget_from", "budget starts after this iteration"},
    {"budget_until", "iteration at which growth is complete"},
    {"budget_last", "iteration from which nothing is removed or replaced"},
    {"budget_every", "smallest number of iterations between steps of budget"},
    {"budget_fade_from", "iteration from which learning rates fall"},
    {"budget_fade_until", "iteration at which they reach their last value"},
    {"budget_per_detail", "splats, times (detailed pixels of a photo)^0.75 and the root of the number of photos"},
    {"budget_growth", "largest share of the count that one step adds"},
    {"budget_opacity_decay", "opacity that every step takes from all splats"},
    {"budget_prune_opacity", "splats of lower opacity are removed"},
    {"budget_split_offset", "distance of a half from its parent, as a share of its longest axis"},
    {"budget_split_along", "longest axis of a half, as a share of its parent's"},
    {"budget_split_across", "other axes of a half, as a share of its parent's"},
    {"budget_split_opacity", "opacity of a half, as a share of its parent's"},
    {"budget_fade", "last learning rate of opacity and colour, as a share of the full rate"},
    {"budget_fade_shape", "the same of sizes and rotations"},
    {"budget_fade_mean", "the same of positions, on top of their own schedule"},
    {"budget_photo_steps", "iterations per photo above which all steps become smaller; 0: never"},
    {"budget_opacity_regularizer", "weight of the mean opacity in the loss"},
    {"budget_nearer",
     "splats in the frame of one photo alone are moved out along its rays where another camera is this many times "
     "nearer, and those between neighbouring cameras removed that only such far ones see; 0: none is"},
    {"budget_near_share", "share of the splats, those nearest to the cameras, that grow less; 0: all grow alike"},
    {"budget_veil_photos",
     "splats that at most this many photos have in frame, at less than half the depth of what those show there, are "
     "removed after the last iteration; 0: none is"},
    {"budget_dropout", "largest share of the splats left out of an iteration (default -1: by the number of photos)"},
};

}  // namespace

std::string_view help_of_fine_setting(std::string_view name) {
  for (const FineSetting& setting : kFineSettings)
    if (setting.name == name) return setting.help;
  return {};
}

}  // namespace app
