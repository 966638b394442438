#include "splat/densify/budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "splat/densify/moved_out_rows.h"
#include "splat/densify/near_rows.h"
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
constexpr size_t kFewOfAll = 4;  // photos: of fewer than a quarter it can be said that they are few
constexpr float kLeastOpacity = 1e-4f;  // where decay ends
// Halves of a splat, as shares of it (LichtFeld Studio's): how far the centres move, in longest axes; the longest axis;
// the others; opacity.
constexpr double kSplitOffset = 0.5, kSplitOpacity = double(0.6f);
constexpr float kSplitAlong = 0.5f, kSplitAcross = 0.85f;

// Which rows are cut in two: the `count` with the largest scores; ascending.
std::vector<uint32_t> best_rows(std::span<const double> score, size_t count) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < score.size(); ++i)
    if (score[i] > 0) rows.push_back(uint32_t(i));
  const auto better = [&](uint32_t a, uint32_t b) { return score[a] != score[b] ? score[a] > score[b] : a < b; };
  if (rows.size() > count) {
    std::nth_element(rows.begin(), rows.begin() + ptrdiff_t(count), rows.end(), better);
    rows.resize(count);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
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
  const double left = 1 - double(iteration) / std::max(1, config_.fade_until);
  const float decay = float(double(config_.opacity_decay) * std::max(left, 0.0));
  Ellipsoids model;
  backend.download_ellipsoids(model);
  std::vector<uint32_t> moved, in_the_way;
  if (config_.nearer > 0) {
    moved = move_rows_out(model, scene_.cameras, double(config_.nearer), scene_.pool);
    in_the_way = rows_in_paths(model, scene_.cameras, double(config_.nearer), scene_.pool);
  }
  const Ellipsoids moved_rows = gather_rows(model, moved);
  DensifyStatistics statistics;
  backend.read_statistics(statistics);

  const size_t count = model.size();
  std::vector<uint8_t> keep(count, 1);
  for (const uint32_t row : in_the_way) keep[row] = 0;
  const std::vector<float> growth = growth_by_distance(model, scene_.cameras, double(config_.near_share), scene_.pool);
  std::vector<double> score(count, 0);
  const auto judge = [&](size_t i) {
    float& logit = model.logit_opacities[i];
    if (decay > 0) logit = math::lowered_logit(logit, decay, kLeastOpacity);
    if (math::sigmoid(double(logit)) < double(config_.prune_opacity)) keep[i] = 0;
    if (!keep[i] || statistics.visible_count[i] == 0 || !scene_.may_grow(model, i)) return;
    score[i] = double(growth[i]) * double(statistics.mean2d_gradient_norm[i]) / double(statistics.visible_count[i]);
  };
  for_each(scene_.pool, (count + kRowsAtOnce - 1) / kRowsAtOnce, [&](size_t chunk, int) {
    for (size_t i = chunk * kRowsAtOnce; i < std::min(count, (chunk + 1) * kRowsAtOnce); ++i) judge(i);
  });
  const size_t kept = size_t(std::count(keep.begin(), keep.end(), 1));
  const size_t most = wanted(iteration, count);
  const std::vector<uint32_t> parents = best_rows(score, most > kept ? most - kept : 0);

  std::vector<uint32_t> rows, sources;
  sources.reserve(2 * parents.size());
  Ellipsoids halves;
  reserve_rows(halves, 2 * parents.size());
  size_t next = 0;
  for (uint32_t row = 0; row < count; ++row) {
    if (row % kRowsAtOnce == 0) end_if_asked(scene_.pool);
    if (next < parents.size() && parents[next] == row) {
      append_halves(model, row, halves);
      sources.insert(sources.end(), 2, row);
      ++next;
    } else if (keep[row]) {
      rows.push_back(row);
    }
  }
  report.split = parents.size();
  report.pruned = count - kept;
  if (most == budget()) report.withheld = unlimited_budget() - most;
  backend.reserve(rows.size() + halves.size());  // where that fails, the rows are as they were, not even faded
  end_if_asked(scene_.pool);
  model = {};
  if (!moved.empty()) backend.copy_rows(moved, moved, moved_rows, false);
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
