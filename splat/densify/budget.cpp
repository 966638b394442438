#include "splat/densify/budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "splat/densify/judged_rows.h"
#include "splat/densify/path_rows.h"
#include "splat/densify/veil_rows.h"
#include "splat/math/activation.h"
#include "splat/math/quat.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

constexpr int kMostPhotosAStep = 60;    // a step waits until this many photos, or all, were seen
constexpr double kSettling = 250;       // iterations before halves cost more than they bring
constexpr double kShortRun = 7000;      // iterations: shorter ones cannot fill the whole budget
constexpr double kLeastOfBudget = 0.5;  // that even the shortest gets
constexpr double kLengthPower = 0.25;   // of the share of it that a short run fills
constexpr double kDetailPower = 0.75;  // finer photos of the same things have more detailed pixels, but not more things
constexpr double kDropped = 0.2;       // share of the splats, with kFewPhotos or fewer
constexpr double kFewPhotos = 24;
constexpr size_t kFewOfAll = 4;         // photos: of fewer than a quarter it can be said that they are few
constexpr float kLeastOpacity = 1e-4f;  // where decay ends
// Halves of a splat, as shares of it (LichtFeld Studio's): how far the centres move, in longest axes; the longest axis;
// the others; opacity.
constexpr double kSplitOffset = 0.5, kSplitOpacity = double(0.6f);
constexpr float kSplitAlong = 0.5f, kSplitAcross = 0.85f;

// Opacities below that of this logit go once `decay` is taken from them, those above stay.
float least_logit(float decay, double prune_opacity) {
  const auto goes = [&](float logit) {
    if (decay > 0) logit = math::lowered_logit(logit, decay, kLeastOpacity);
    return math::sigmoid(double(logit)) < prune_opacity;
  };
  float low = -100, high = 100;  // opacities of 0 and 1 in float
  if (!goes(low)) return -std::numeric_limits<float>::infinity();
  if (goes(high)) return std::numeric_limits<float>::infinity();
  for (;;) {
    const float middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    (goes(middle) ? low : high) = middle;
  }
}

// The two halves of row `parent`, cut across its longest axis. Appends to `halves`.
void append_halves(const Ellipsoids& model, uint32_t parent, Ellipsoids& halves) {
  const std::array<uint32_t, 2> rows{parent, parent};
  Ellipsoids pair = gather_rows(model, rows);
  const float* s = &model.log_scales[3 * size_t(parent)];
  const size_t longest = size_t(std::max_element(s, s + 3) - s);
  const float* q = &model.quats[4 * size_t(parent)];
  const math::Mat3<double> rotation = math::rotation_from_quat(math::Quat<double>{q[0], q[1], q[2], q[3]});
  const double distance = kSplitOffset * std::exp(double(s[longest]));
  const double opacity = math::sigmoid(double(model.logit_opacities[parent])) * kSplitOpacity;
  for (size_t half = 0; half < 2; ++half) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const double moved = (half == 0 ? distance : -distance) * rotation.m[axis][longest];
      pair.means[3 * half + axis] = float(double(pair.means[3 * half + axis]) + moved);
      pair.log_scales[3 * half + axis] += std::log(axis == longest ? kSplitAlong : kSplitAcross);
    }
    pair.logit_opacities[half] = float(math::logit(std::clamp(opacity, double(kLeastOpacity), 0.9999)));
  }
  append_rows(pair, halves);
}

}  // namespace

void resolve_budget(BudgetConfig& c, int iterations) {
  const auto resolve = [](int& field, double value) {
    if (field == kAuto) field = int(value);
  };
  resolve(c.from, std::max(0.03 * iterations, std::min(kSettling, 0.1 * iterations)));
  resolve(c.until, (iterations < 2000 ? 0.5 : 0.35) * iterations);
  resolve(c.last, 0.9 * iterations);
  resolve(c.every, std::clamp(iterations / 150, 25, 200));
  resolve(c.fade_from, 0.5 * iterations);
  resolve(c.fade_until, iterations);
}

Budget::Budget(const BudgetConfig& config, const StrategyScene& scene) : config_(config), scene_(scene) {}

size_t Budget::unlimited_budget() const {
  const double length = std::clamp(std::pow(double(config_.fade_until) / kShortRun, kLengthPower), kLeastOfBudget, 1.0);
  const double detail = std::pow(scene_.detail_px, kDetailPower);
  const double count = double(config_.per_detail) * detail * std::sqrt(double(scene_.views)) * length;
  return size_t(std::round(std::max(count, double(first_))));
}

size_t Budget::budget() const {
  return scene_.max_splats > 0 ? std::min(unlimited_budget(), scene_.max_splats) : unlimited_budget();
}

int Budget::interval() const { return std::max(config_.every, std::min(scene_.views, kMostPhotosAStep)); }

// From the first count to the budget, fast at first: x -> 2x - x^2.
size_t Budget::wanted(int iteration, size_t now) const {
  const double x = std::clamp(double(iteration - config_.from) / std::max(1, config_.until - config_.from), 0.0, 1.0);
  const double first = double(first_), count = first + (double(budget()) - first) * (2 * x - x * x);
  return size_t(std::min(count, (1 + double(config_.growth)) * double(now)));
}

void Budget::adjust(int iteration, AdamSettings& settings) const {
  const double t =
      std::clamp(double(iteration - config_.fade_from) / std::max(1, config_.fade_until - config_.fade_from), 0.0, 1.0);
  const float faded = float(1 + (double(config_.fade) - 1) * t);
  float slow = 1;
  if (config_.photo_steps > 0 && scene_.views > 0)
    slow = float(std::min(1.0, double(config_.photo_steps) * scene_.views / std::max(1, config_.fade_until)));
  settings.mean_rate *= slow;
  settings.opacity_rate *= slow * faded;
  settings.sh0_rate *= slow * faded;
  settings.sh_rest_rate *= slow * faded;
  settings.log_scale_rate *= slow;
  settings.quat_rate *= slow;
}

double Budget::dropout() const {
  if (config_.dropout != kAuto) return double(config_.dropout);
  return kDropped * std::min(1.0, kFewPhotos / std::max(1, scene_.views));
}

void Budget::adjust(int iteration, RenderSettings& settings) const {
  const double share = dropout() * std::min(1.0, double(iteration) / std::max(1, config_.fade_until));
  settings.dropout = {uint32_t(std::lround(share * math::kDropoutLevels)), uint32_t(iteration), scene_.seed};
}

DensifyReport Budget::after_update(int iteration, Backend& backend) {
  if (first_ == 0) first_ = backend.size();
  if (iteration <= config_.from || iteration >= config_.last || iteration % interval() != 0) return {};
  return step(iteration, backend);
}

DensifyReport Budget::step(int iteration, Backend& backend) {
  DensifyReport report;
  report.densified = true;
  const size_t count = backend.size(), most = wanted(iteration, count);
  const double left = 1 - double(iteration) / std::max(1, config_.fade_until);
  const float decay = float(double(config_.opacity_decay) * std::max(left, 0.0));
  const double nearer = double(config_.nearer);
  const CameraPaths ways(nearer > 0 ? std::span<const View>(scene_.cameras) : std::span<const View>());
  RowVerdicts verdicts = judged_rows(backend,
                                     {scene_.cameras, nearer, ways.paths, ways.around, double(config_.near_share),
                                      least_logit(decay, double(config_.prune_opacity)), most},
                                     scene_);
  if (decay > 0)
    for (float& logit : verdicts.parent_rows.logit_opacities) logit = math::lowered_logit(logit, decay, kLeastOpacity);

  std::vector<uint8_t> stays(count, 1);
  for (const uint32_t row : verdicts.removed) stays[row] = 0;
  std::vector<uint32_t> rows, sources;
  sources.reserve(2 * verdicts.parents.size());
  Ellipsoids halves;
  reserve_rows(halves, 2 * verdicts.parents.size());
  for (size_t i = 0; i < verdicts.parents.size(); ++i) {
    if (i % kRowsAtOnce == 0) end_if_asked(scene_.pool);
    append_halves(verdicts.parent_rows, uint32_t(i), halves);
    sources.insert(sources.end(), 2, verdicts.parents[i]);
    stays[verdicts.parents[i]] = 0;
  }
  for (uint32_t row = 0; row < count; ++row)
    if (stays[row]) rows.push_back(row);
  report.split = verdicts.parents.size();
  report.pruned = verdicts.removed.size();
  if (most == budget()) report.withheld = unlimited_budget() - most;
  backend.reserve(rows.size() + halves.size());  // where that fails, the rows are as they were, not even faded
  end_if_asked(scene_.pool);
  if (!verdicts.moved.empty()) backend.copy_rows(verdicts.moved, verdicts.moved, verdicts.moved_rows, false);
  if (decay > 0) backend.lower_opacity(decay, kLeastOpacity);
  if (rows.size() < count) backend.keep_and_copy_rows(rows, sources, halves);
  backend.reset_statistics();
  return report;
}

size_t Budget::finish(Backend& backend, std::span<const View> cameras, const RenderSettings& settings) {
  const size_t most = std::min(size_t(config_.veil_photos), cameras.size() / kFewOfAll);
  if (most == 0 || !scene_.region.empty()) return 0;
  const std::vector<uint32_t> veils = veil_rows(backend, cameras, settings, most, scene_.pool);
  if (veils.empty()) return 0;
  std::vector<uint32_t> kept(backend.size());
  std::iota(kept.begin(), kept.end(), 0u);
  std::erase_if(kept, [&](uint32_t row) { return std::binary_search(veils.begin(), veils.end(), row); });
  backend.keep_rows(kept);
  return veils.size();
}

void Budget::save_state(Archive& archive) const { archive.put("strategy/first_splats", first_); }

Status Budget::load_state(const Archive& archive) {
  SPLAT_ASSIGN_OR_RETURN(first_, archive.get<uint64_t>("strategy/first_splats"));
  return {};
}

}  // namespace splat
