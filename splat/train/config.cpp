#include "splat/train/config.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "splat/core/random.h"
#include "splat/densify/ranges.h"

namespace splat {
namespace {

constexpr int kFullRun = 30000;       // iterations the reference schedule is made for
constexpr double kCoarseShare = 0.4;  // of the run, before photos have their full size

}  // namespace

const char* name_of(BackgroundMode mode) {
  switch (mode) {
    case BackgroundMode::kBlack:
      return "black";
    case BackgroundMode::kWhite:
      return "white";
    case BackgroundMode::kRandom:
      return "random";
    case BackgroundMode::kColour:
      return "colour";
    case BackgroundMode::kAuto:
      return "auto";
  }
  return "unknown";
}

TrainConfig resolve_config(TrainConfig config) {
  const int n = std::clamp(config.iterations, 0, kFullRun);
  auto resolve = [](int& field, int value) {
    if (field == kAuto) field = value;
  };
  resolve(config.planned_iterations, std::max(config.iterations, 0));
  resolve(config.mean_lr_steps, std::max(1, n));
  resolve(config.sh_degree_interval, std::clamp(n / 4, 1, 1000));
  resolve(config.progressive_until, int(kCoarseShare * n));
  resolve(config.surface_from, n / 10);
  for (const StrategyRow& row : strategies()) row.resolve(config, n);
  return config;
}

Status check_config(const TrainConfig& c) {
  constexpr int kMany = kMostIterations;
  SPLAT_TRY(
      check_ranges<int>({{"iterations", c.iterations, 0, kMany},
                         {"strategy", int(c.strategy), 0, int(strategies().size()) - 1},
                         {"background", int(c.background), 0, 4},
                         {"exposure", int(c.exposure), 0, 2},
                         {"poses", int(c.poses), 0, 2},
                         {"sh_degree", c.sh_degree, 0, kMaxShDegree},
                         {"sh_degree_interval", c.sh_degree_interval, kAuto, kMany},
                         {"planned_iterations", c.planned_iterations, kAuto, kMany},
                         {"mean_lr_from", c.mean_lr_from, kAuto, kMany},
                         {"mean_lr_steps", c.mean_lr_steps, kAuto, kMany},
                         {"progressive_divisor", c.progressive_divisor == kAuto ? 1 : c.progressive_divisor, 1, 64},
                         {"progressive_until", c.progressive_until, kAuto, kMany},
                         {"surface_from", c.surface_from, kAuto, kMany},
                         {"far_points", c.far_points == kAuto ? 0 : c.far_points, 0, 1},
                         {"matched_photos", c.matched_photos, kAuto, kMany}}));
  SPLAT_TRY(check_ranges<uint64_t>({{"random_splats", c.random_splats, 0, 100'000'000}}));
  for (const StrategyRow& row : strategies()) SPLAT_TRY(row.check(c));
  if (!(c.region == Box{}) && !is_usable(c.region)) return Error{"region is no box with three sides longer than 0"};
  return check_ranges<float>({{"ssim_weight", c.ssim_weight, 0, 1},
                              {"background_colour", c.background_colour[0], 0, 1},
                              {"background_colour", c.background_colour[1], 0, 1},
                              {"background_colour", c.background_colour[2], 0, 1},
                              {"surface_normals", c.surface_normals, 0, kLargest},
                              {"surface_distortion", c.surface_distortion, 0, kLargest},
                              {"surface_thickness", c.surface_thickness, 0, kLargest},
                              {"depth_weight_first", c.depth_weight_first, 0, kLargest},
                              {"depth_weight_last", c.depth_weight_last, 0, kLargest},
                              {"initial_opacity", c.initial_opacity, kLeastOpaque, kMostOpaque},
                              {"mean_rate_first", c.rates.mean_first, 0, kLargest},
                              {"mean_rate_last", c.rates.mean_last, 0, kLargest},
                              {"sh0_rate", c.rates.sh0, 0, kLargest},
                              {"sh_rest_rate", c.rates.sh_rest, 0, kLargest},
                              {"opacity_rate", c.rates.opacity, 0, kLargest},
                              {"log_scale_rate", c.rates.log_scale, 0, kLargest},
                              {"quat_rate", c.rates.quat, 0, kLargest}});
}

std::array<float, 3> training_background(const TrainConfig& config, int iteration) {
  const bool in_turns = config.background == BackgroundMode::kAuto && iteration % 2 != 0;
  if (config.background != BackgroundMode::kRandom && !in_turns) return evaluation_background(config);
  const random::Uint4 bits = random::philox4x32(config.seed, random::kBackground, uint64_t(iteration));
  return {random::uniform_from_bits(bits.x), random::uniform_from_bits(bits.y), random::uniform_from_bits(bits.z)};
}

std::array<float, 3> evaluation_background(const TrainConfig& config) {
  if (config.background == BackgroundMode::kWhite) return {1, 1, 1};
  if (config.background == BackgroundMode::kColour) return config.background_colour;
  return {0, 0, 0};
}

RenderSettings evaluation_settings(const TrainConfig& config) {
  RenderSettings settings;
  settings.antialias = config.antialias;
  settings.background = evaluation_background(config);
  return settings;
}

void save_config(const TrainConfig& config, Archive& archive) {
  visit_fields(config, [&](const char* name, const auto& field) { archive.put(std::string("config/") + name, field); });
}

namespace {

// They came after the first checkpoints. One without them goes on with the defaults, which leave it what it was.
bool may_be_missing(std::string_view setting) {
  constexpr std::string_view kLater[] = {"exposure",
                                         "planned_iterations",
                                         "poses",
                                         "surface",
                                         "surface_from",
                                         "surface_normals",
                                         "surface_distortion",
                                         "surface_thickness",
                                         "depth_weight_first",
                                         "depth_weight_last",
                                         "region",
                                         "region_alone",
                                         "budget_nearer",
                                         "mean_lr_from",
                                         "far_points",
                                         "budget_near_share",
                                         "matched_photos",
                                         "budget_veil_photos"};
  return std::find(std::begin(kLater), std::end(kLater), setting) != std::end(kLater);
}

}  // namespace

Result<TrainConfig> load_config(const Archive& archive) {
  TrainConfig config;
  Status status;
  visit_fields(config, [&]<class T>(const char* name, T& field) {
    using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;  // any byte is a valid one of these
    const std::string entry = std::string("config/") + name;
    if (may_be_missing(name) && !archive.blobs.contains(entry)) return;
    Result<Stored> value = archive.get<Stored>(entry);
    if (value)
      field = T(*value);
    else if (status)
      status = value.error();
  });
  SPLAT_TRY(status);
  SPLAT_TRY(check_config(config));
  return resolve_config(config);  // what came later follows from the length that this run has
}

}  // namespace splat
