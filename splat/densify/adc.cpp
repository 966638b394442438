#include "splat/densify/adc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/quat.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

constexpr size_t kChildren = 2;       // of a split
constexpr double kSplitShrink = 1.6;  // 0.8 x kChildren: a child's scale is the parent's divided by this

constexpr float kNoGrowth = -1;  // a gradient below every threshold

enum class Growth : uint8_t { kNone, kClone, kSplit };

// What becomes of the rows of a model.
struct Plan {
  std::vector<Growth> growth;  // [N]
  std::vector<uint8_t> keep;   // [N] the row itself is neither too transparent nor too large

  size_t kept() const { return size_t(std::count(keep.begin(), keep.end(), uint8_t(1))); }
  // How many more splats there are with this row's growth than without.
  size_t gain(uint32_t row) const { return growth[row] == Growth::kClone ? 1 : kChildren - keep[row]; }
};

Plan make_plan(const AdcConfig& config, const StrategyScene& scene, bool prune_large, const Ellipsoids& model,
               const DensifyStatistics& statistics, std::span<const float> gradient) {
  const double dense = double(config.dense_fraction) * scene.extent,
               large = double(config.prune_extent_fraction) * scene.extent;
  Plan plan{std::vector<Growth>(model.size(), Growth::kNone), std::vector<uint8_t>(model.size(), 0)};
  for (size_t i = 0; i < model.size(); ++i) {
    if (i % kRowsAtOnce == 0) end_if_asked(scene.pool);
    // Offspring is as transparent as the row, and pruned with it.
    if (!(math::sigmoid(double(model.logit_opacities[i])) >= double(config.prune_opacity))) continue;
    const float* s = &model.log_scales[3 * i];
    const double scale = std::exp(double(std::max({s[0], s[1], s[2]})));
    const bool large_in_world = prune_large && scale > large;
    const bool large_on_screen =
        prune_large && config.prune_radius_px > 0 && statistics.max_radius_px[i] > config.prune_radius_px;
    plan.keep[i] = !large_in_world && !large_on_screen;
    if (!(gradient[i] >= config.gradient_threshold)) continue;
    if (scale <= dense)
      plan.growth[i] = large_in_world ? Growth::kNone : Growth::kClone;
    else if (!prune_large || scale / kSplitShrink <= large)
      plan.growth[i] = Growth::kSplit;
  }
  return plan;
}

// Takes growth back, lowest gradients first, until at most max_splats remain; returns how many rows that touched.
size_t limit_growth(Plan& plan, std::span<const float> gradient, size_t max_splats) {
  std::vector<uint32_t> candidates;
  for (size_t i = 0; i < plan.growth.size(); ++i)
    if (plan.growth[i] != Growth::kNone) candidates.push_back(uint32_t(i));
  std::sort(candidates.begin(), candidates.end(),
            [&](uint32_t a, uint32_t b) { return gradient[a] != gradient[b] ? gradient[a] > gradient[b] : a < b; });
  size_t total = plan.kept(), withheld = 0;
  for (uint32_t row : candidates) {
    if (total + plan.gain(row) <= max_splats) {
      total += plan.gain(row);
    } else {
      plan.growth[row] = Growth::kNone;
      ++withheld;
    }
  }
  return withheld;
}

// Two samples of the parent's own distribution, smaller; everything else is the parent's.
void append_children(const Ellipsoids& model, uint32_t parent, uint64_t seed, int iteration, Ellipsoids& children) {
  const std::array<uint32_t, kChildren> rows{parent, parent};
  Ellipsoids pair = gather_rows(model, rows);
  const float* q = &model.quats[4 * size_t(parent)];
  const math::Mat3<double> rotation = math::rotation_from_quat(math::Quat<double>{q[0], q[1], q[2], q[3]});
  random::Sequence numbers(seed, random::kSplit, uint64_t(iteration) << 40 | uint64_t(parent) << 8);
  for (size_t child = 0; child < kChildren; ++child) {
    std::array<double, 3> offset;
    for (size_t axis = 0; axis < 3; ++axis) {
      float& log_scale = pair.log_scales[3 * child + axis];
      offset[axis] = std::exp(double(log_scale)) * double(numbers.normal());
      log_scale = float(double(log_scale) - std::log(kSplitShrink));
    }
    const math::Vec3<double> moved = rotation * math::Vec3<double>{offset[0], offset[1], offset[2]};
    float* mean = &pair.means[3 * child];
    mean[0] += float(moved.x);
    mean[1] += float(moved.y);
    mean[2] += float(moved.z);
  }
  append_rows(pair, children);
}

}  // namespace

void resolve_adc(AdcConfig& config, int iterations) {
  if (config.from == kAuto) config.from = std::min(500, iterations * 3 / 20);
  if (config.until == kAuto) config.until = iterations / 2;
}

Adc::Adc(const AdcConfig& config, const StrategyScene& scene) : config_(config), scene_(scene) {}

DensifyReport Adc::after_update(int iteration, Backend& backend) {
  DensifyReport report;
  if (iteration >= config_.until) return report;
  if (iteration > config_.from && iteration % config_.every == 0) report = densify(iteration, backend);
  const bool periodic_reset = config_.opacity_reset_every > 0 && iteration % config_.opacity_reset_every == 0;
  if (periodic_reset || (scene_.white_background && iteration == config_.from)) {
    backend.limit_opacity(config_.reset_opacity);
    report.opacity_reset = true;
  }
  return report;
}

DensifyReport Adc::densify(int iteration, Backend& backend) {
  Ellipsoids model;
  backend.download_ellipsoids(model);
  DensifyStatistics statistics;
  backend.read_statistics(statistics);
  std::vector<float> gradient(model.size());
  for (size_t i = 0; i < gradient.size(); ++i)
    gradient[i] = scene_.may_grow(model, i)
                      ? statistics.mean2d_gradient_norm[i] / float(std::max(1u, statistics.visible_count[i]))
                      : kNoGrowth;

  const bool prune_large = config_.opacity_reset_every > 0 && iteration > config_.opacity_reset_every;
  Plan plan = make_plan(config_, scene_, prune_large, model, statistics, gradient);
  DensifyReport report;
  report.densified = true;
  if (scene_.max_splats > 0) report.withheld = limit_growth(plan, gradient, scene_.max_splats);

  std::vector<uint32_t> kept, sources, parents;  // sources: of clones, then of children
  for (uint32_t row = 0; row < model.size(); ++row) {
    const Growth growth = plan.growth[row];
    if (growth == Growth::kClone) sources.push_back(row);
    if (growth == Growth::kSplit)
      parents.push_back(row);
    else if (plan.keep[row])
      kept.push_back(row);
  }
  report.cloned = sources.size();
  report.split = parents.size();
  report.pruned = model.size() - kept.size() - report.split;
  Ellipsoids added;
  reserve_rows(added, report.cloned + kChildren * report.split);
  append_rows(gather_rows(model, sources), added);
  for (const uint32_t parent : parents) {
    if (added.size() % kRowsAtOnce < kChildren) end_if_asked(scene_.pool);
    append_children(model, parent, scene_.seed, iteration, added);
    sources.insert(sources.end(), kChildren, parent);
  }

  backend.reserve(kept.size() + added.size());  // all memory first: where it fails, the rows are as they were
  const bool changed = kept.size() < model.size() || !sources.empty();
  model = {};  // the backend needs the room
  if (changed) backend.keep_and_copy_rows(kept, sources, added);
  backend.reset_statistics();
  return report;
}

void Adc::save_state(Archive&) const {}  // all it decides on is in the backend and in (seed, iteration)

Status Adc::load_state(const Archive&) { return {}; }

}  // namespace splat
