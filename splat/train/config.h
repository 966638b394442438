// Every setting of a training run, with its default and unit. Defaults are the reference implementation's (Kerbl et al.
// 2023, code of 2024) where no other source is named. visit_fields() names each setting once: checkpoints, --config
// files and config.json are made of it. Fields holding kAuto are filled by resolve_config(), the one place that knows
// how a run shorter than 30000 iterations compresses the schedule.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "splat/core/archive.h"
#include "splat/core/result.h"
#include "splat/densify/strategies.h"
#include "splat/math/constants.h"
#include "splat/model/box.h"
#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"
#include "splat/optim/learning_rates.h"
#include "splat/train/terms/exposure.h"
#include "splat/train/terms/poses.h"

namespace splat {

// kAuto: where photos are transparent black and random ones in turns; else the trainer makes it black.
enum class BackgroundMode : int32_t { kBlack = 0, kWhite = 1, kRandom = 2, kColour = 3, kAuto = 4 };

struct TrainConfig : StrategyConfigs {
  int iterations = 30000;
  StrategyKind strategy = StrategyKind::kBudget;
  uint64_t max_splats = 0;  // 0: as many as the pixels determine (growth_limit.h)
  int sh_degree = kMaxShDegree;
  // Iterations between degrees: iteration i is trained at degree i / interval; 0: all from the first on.
  int sh_degree_interval = kAuto;
  uint64_t seed = 0;
  BackgroundMode background = BackgroundMode::kAuto;
  std::array<float, 3> background_colour{0, 0, 0};  // [0,1]; used by kColour
  bool antialias = false;
  float low_pass = float(math::kLowPass);  // px^2: RenderSettings
  // Only what lies in this box is the result; empty: everything. Splats around it are trained, so that what photos show
  // behind it or before it is not explained by splats inside, but they do not grow and are not written.
  Box region{};
  bool region_alone = false;  // they go instead
  float ssim_weight = 0.2f;
  // Length of the run that the schedules of exposure, cameras and depth maps are made for; kAuto: iterations.
  int planned_iterations = kAuto;
  ExposureMode exposure = ExposureMode::kAuto;
  PoseMode poses = PoseMode::kOff;
  // The sides of the photos are divided by it at the start (resolution.h); 1: never; kAuto: by the size of the photos
  // where the strategy starts coarse, filled by the trainer.
  int progressive_divisor = kAuto;
  int progressive_until = kAuto;     // iteration from which photos have their full size
  bool surface = false;              // train for a mesh: terms that make the splats a surface (math/plane.h)
  int surface_from = kAuto;          // iteration after which normals and depths are compared
  float surface_normals = 0.2f;      // weight of the normals' difference in the loss (2DGS: 0.05)
  float surface_distortion = 0;      // likewise of the spread of inverse depths, in scene extents^2
  float surface_thickness = 100.0f;  // weight of the mean of the smallest sizes, in scene extents (PGSR)
  // Weight in the loss of the mean difference from depth maps in inverse depth, in scene extents: it falls
  // exponentially over the run (INRIA: the same in world units).
  float depth_weight_first = 1.0f, depth_weight_last = 0.01f;
  float initial_opacity = 0.1f;
  uint64_t random_splats = 0;  // to start from where the dataset has no points; 0: by the photos (init.h)
  int far_points = kAuto;      // far_points.h: 1: added to those of the dataset, 0: not; kAuto: as the strategy has it
  // Photos that are matched with each other for more points (stereo/matched_points.h); 0: none; kAuto: by the length of
  // the run, as the strategy has it.
  int matched_photos = kAuto;
  LearningRates rates;
  int mean_lr_from = kAuto;   // iteration from which the means' rate falls; kAuto: as photos have their full size
  int mean_lr_steps = kAuto;  // iteration at which it is at its last value
  int bfloat16_moments = 0;   // 1: Backend::pack_moments()

  friend bool operator==(const TrainConfig&, const TrainConfig&) = default;
};

// Calls visit(setting, field) for each; what a setting is for without help here says its row in the option table.
template <class Config, class Visitor>
void visit_fields(Config& c, Visitor&& visit) {  // NOLINT(readability-function-size): a table
  constexpr int kMany = kMostIterations;
  visit({"iterations", 0, kMany}, c.iterations);
  visit({"strategy", 0, double(strategies().size()) - 1}, c.strategy);
  visit({"max_splats"}, c.max_splats);
  visit({"sh_degree", 0, kMaxShDegree}, c.sh_degree);
  visit({"sh_degree_interval", kAuto, kMany, "Iterations between SH degrees",
         "iterations between increases of the SH degree; 0: all from the start, as with --init", "iterations"},
        c.sh_degree_interval);
  visit({"seed"}, c.seed);
  visit({"background", 0, double(BackgroundMode::kAuto)}, c.background);
  visit({"background_colour", 0, 1}, c.background_colour);
  visit({"antialias"}, c.antialias);
  visit({"low_pass", 0, 100, "", "", "px²"}, c.low_pass);
  visit({"region"}, c.region);
  visit({"region_alone"}, c.region_alone);
  visit({"ssim_weight", 0, 1, "SSIM weight", "weight of 1 - SSIM in the loss, from 0 to 1; the rest is L1"},
        c.ssim_weight);
  visit({"planned_iterations", kAuto, kMany, "Planned iterations",
         "iterations that the schedules of exposure, cameras and depth maps are made for (default -1: those of the "
         "run)",
         "iterations"},
        c.planned_iterations);
  visit({"exposure", 0, 2}, c.exposure);
  visit({"poses", 0, 2}, c.poses);
  visit({"progressive_divisor", 1, 64, "Divisor of photos at the start",
         "sides of the photos are divided by this at the start; 1: not (default -1: by their size and the run's length "
         "with budget, else 1)",
         "", true},
        c.progressive_divisor);
  visit({"progressive_until", kAuto, kMany, "Photos of full size from",
         "iteration from which photos have their full size", "iterations"},
        c.progressive_until);
  visit({"surface"}, c.surface);
  visit({"surface_from", kAuto, kMany, "Surface is compared after",
         "iteration after which --surface compares normals and depths", "iterations"},
        c.surface_from);
  visit({"surface_normals", 0, kLargest, "Weight of normals",
         "weight of the difference between drawn normals and those of the depths"},
        c.surface_normals);
  visit({"surface_distortion", 0, kLargest, "Weight of depth distortion",
         "weight of the depth distortion loss (2DGS) in inverse depth, in scene extents squared"},
        c.surface_distortion);
  visit({"surface_thickness", 0, kLargest, "Weight of thickness",
         "weight of the mean thickness of splats, in scene extents"},
        c.surface_thickness);
  visit({"depth_weight_first", 0, kLargest, "Depth weight at the start",
         "weight of the depth map loss at the start, in scene extents"},
        c.depth_weight_first);
  visit({"depth_weight_last", 0, kLargest, "Depth weight at the end", "weight of the depth map loss at the end"},
        c.depth_weight_last);
  visit({"initial_opacity", kLeastOpaque, kMostOpaque, "Initial opacity", "opacity of the initial splats, from 0 to 1"},
        c.initial_opacity);
  visit({"random_splats", 0, 1e8, "Random splats",
         "number of initial splats where the dataset has no points; 0: by the pixels of the photos, at most 100000",
         "splats"},
        c.random_splats);
  visit({"far_points", 0, 1, "Splats in the background",
         "1: also initial splats in the background, where photos show more than the dataset has points for; 0: none "
         "(default -1: with budget or without points)",
         "", true},
        c.far_points);
  visit({"matched_photos", kAuto, kMany, "Matched photos",
         "photos that are matched with each other for more initial splats; 0: none (default -1: by the length of the "
         "run, with budget or where the dataset has no points)",
         "photos"},
        c.matched_photos);
  auto& r = c.rates;
  visit({"mean_rate_first", 0, kLargest, "Learning rate of positions at the start",
         "initial learning rate of positions, times the scene extent"},
        r.mean_first);
  visit({"mean_rate_last", 0, kLargest, "Learning rate of positions at the end",
         "final learning rate of positions, times the scene extent"},
        r.mean_last);
  visit({"mean_lr_from", kAuto, kMany, "Rate of positions falls from",
         "iteration from which the rate of positions decays (default -1: that of full-size photos)", "iterations"},
        c.mean_lr_from);
  visit({"mean_lr_steps", kAuto, kMany, "Rate of positions is lowest from",
         "iteration at which the rate of positions has decayed", "iterations"},
        c.mean_lr_steps);
  visit({"sh0_rate", 0, kLargest, "Learning rate of base colour", "learning rate of the base colour"}, r.sh0);
  visit(
      {"sh_rest_rate", 0, kLargest, "Learning rate of view-dependent colour", "learning rate of view-dependent colour"},
      r.sh_rest);
  visit({"opacity_rate", 0, kLargest, "Learning rate of opacity", "learning rate of opacity, before its sigmoid"},
        r.opacity);
  visit({"log_scale_rate", 0, kLargest, "Learning rate of sizes", "learning rate of the logarithm of sizes"},
        r.log_scale);
  visit({"quat_rate", 0, kLargest, "Learning rate of rotations", "learning rate of rotations"}, r.quat);
  visit({"bfloat16_moments", 0, 1, "Moments as bfloat16",
         "1: Adam's moments as bfloat16, in half the memory; 0: as floats"},
        c.bfloat16_moments);
  visit_strategy_fields(c, visit);
}

const char* name_of(BackgroundMode mode);

// The config with every kAuto replaced by the value for its number of iterations n; already resolved fields stay.
// n >= 30000 is the reference's schedule. A shorter run has the same stages: the means' rate falls over n iterations,
// densification lasts until n/2 and begins at 0.15 n (at most 500), a degree of SH is added every n/4 (at most 1000).
TrainConfig resolve_config(TrainConfig config);

// One sentence about the first setting that makes no sense; names are those of visit_fields().
Status check_config(const TrainConfig& config);

// The background of `iteration`: random ones depend on (seed, iteration) only. Evaluation uses evaluation_background().
std::array<float, 3> training_background(const TrainConfig& config, int iteration);
std::array<float, 3> evaluation_background(const TrainConfig& config);  // kRandom, kAuto: black

// How pictures are drawn that are compared with photos: all SH degrees, nothing left out.
RenderSettings evaluation_settings(const TrainConfig& config);
inline ScreenFilter screen_filter(const TrainConfig& config) { return {config.antialias, config.low_pass}; }

void save_config(const TrainConfig& config, Archive& archive);
// The settings a checkpoint was trained with, resolved. To go on past its target, raise `iterations` in it: the
// schedule stays that of the checkpoint (the means' rate is held at its last value, densification stays over, cameras
// and exposures that came to rest stay there). A field that is newer than the checkpoint has its default.
Result<TrainConfig> load_config(const Archive& archive);

}  // namespace splat
