#include "splat/train/config.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "splat/core/random.h"

namespace splat {
namespace {

constexpr int kFullRun = 30000;                           // iterations the reference schedule is made for
constexpr double kCoarseShare = 0.4;                      // of the run, before photos have their full size
constexpr const char* kFirstField = "config/iterations";  // every checkpoint has it

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
  Status status;
  visit_fields(c, [&](const Setting& setting, const auto& field) {
    if (status) status = check_setting(setting, field);
  });
  SPLAT_TRY(status);
  if (!(c.region == Box{}) && !is_usable(c.region)) return Error{"region is no box with three sides longer than 0"};
  return {};
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
  settings.low_pass = config.low_pass;
  settings.background = evaluation_background(config);
  return settings;
}

void save_config(const TrainConfig& config, Archive& archive) {
  visit_fields(config, [&](const Setting& setting, const auto& field) {
    archive.put(std::string("config/") + setting.name, field);
  });
}

Result<TrainConfig> load_config(const Archive& archive) {
  TrainConfig config;
  Status status;
  visit_fields(config, [&]<class T>(const Setting& setting, T& field) {
    using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;  // any byte is a valid one of these
    const std::string name = std::string("config/") + setting.name;
    if (name != kFirstField && !archive.blobs.contains(name)) return;
    Result<Stored> value = archive.get<Stored>(name);
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
