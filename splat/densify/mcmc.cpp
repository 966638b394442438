#include "splat/densify/mcmc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

constexpr int kFullRun = 30000;              // iterations that the published schedule is made for
constexpr double kMostOpacity = 1 - 1.2e-7;  // of a copy: 1 - the step of a float

// Pascal's triangle, [n][k].
constexpr auto kBinomials = [] {
  std::array<std::array<double, kMostCopies>, kMostCopies> c{};
  for (size_t n = 0; n < kMostCopies; ++n) {
    c[n][0] = 1;
    for (size_t k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
  }
  return c;
}();

// The model on the host while rows are moved onto others.
struct Rows {
  Ellipsoids model;
  std::vector<uint32_t> colour;   // [N] row whose colour each has
  std::vector<double> opacity;    // [N]
  std::vector<uint32_t> changed;  // ascending once sorted, unique
};

// How often each row is drawn in `count` draws with replacement, by opacity; rows that are not allowed have none.
std::vector<int> draw(const Rows& rows, std::span<const uint8_t> allowed, size_t count, random::Sequence& numbers) {
  std::vector<double> sums(rows.opacity.size());
  double sum = 0;
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = sum += allowed[i] ? rows.opacity[i] : 0;
  std::vector<int> times(sums.size(), 0);
  if (!(sum > 0)) return times;
  for (size_t i = 0; i < count; ++i) {
    const double u = (double(numbers.next()) + 0.5) / 4294967296.0 * sum;
    const size_t row = size_t(std::upper_bound(sums.begin(), sums.end(), u) - sums.begin());
    ++times[std::min(row, sums.size() - 1)];
  }
  return times;
}

// The row as one of the `copies` that take its place.
void share(Rows& rows, uint32_t row, int copies, double least) {
  const Relocated part = relocated(rows.opacity[row], std::min(copies, kMostCopies));
  rows.opacity[row] = std::clamp(part.opacity, least, kMostOpacity);
  rows.model.logit_opacities[row] = float(math::logit(rows.opacity[row]));
  for (size_t axis = 0; axis < 3; ++axis) rows.model.log_scales[3 * size_t(row) + axis] += float(std::log(part.scale));
  rows.changed.push_back(row);
}

void copy_row(Ellipsoids& model, uint32_t from, uint32_t to) {
  visit_arrays(model, [&](const char*, std::vector<float>& values, size_t width) {
    std::copy_n(&values[from * width], width, &values[to * width]);
  });
}

// Changes the backend's rows alike, and adds copies of the rows `sources`.
void write(Rows& rows, std::span<const uint32_t> sources, Backend& backend) {
  std::sort(rows.changed.begin(), rows.changed.end());
  rows.changed.erase(std::unique(rows.changed.begin(), rows.changed.end()), rows.changed.end());
  // All memory first: where it fails, the rows are as they were.
  const Ellipsoids changed = gather_rows(rows.model, rows.changed), added = gather_rows(rows.model, sources);
  std::vector<uint32_t> colours, all(rows.model.size());
  for (const uint32_t row : rows.changed) colours.push_back(rows.colour[row]);
  std::iota(all.begin(), all.end(), 0u);
  backend.reserve(all.size() + added.size());
  rows.model = {};
  if (changed.size() > 0) backend.copy_rows(colours, rows.changed, changed, true);
  if (added.size() > 0) backend.keep_and_copy_rows(all, sources, added);
}

}  // namespace

void resolve_mcmc(McmcConfig& c, int iterations) {
  const auto share_of = [&](int published) { return int(int64_t(published) * iterations / kFullRun); };
  if (c.from == kAuto) c.from = share_of(500);
  if (c.until == kAuto) c.until = share_of(25000);
  if (c.every == kAuto) c.every = std::clamp(share_of(100), 10, 100);
}

Relocated relocated(double opacity, int copies) {
  SPLAT_CHECK_LE(1, copies);
  SPLAT_CHECK_LE(copies, kMostCopies);
  Relocated result;
  result.opacity = 1 - std::pow(1 - opacity, 1.0 / copies);
  double sum = 0;
  for (size_t i = 1; i <= size_t(copies); ++i)
    for (size_t k = 0; k < i; ++k)
      sum += kBinomials[i - 1][k] * (k % 2 == 0 ? 1 : -1) * std::pow(result.opacity, double(k + 1)) /
             std::sqrt(double(k + 1));
  result.scale = opacity / sum;
  return result;
}

Mcmc::Mcmc(const McmcConfig& config, const StrategyScene& scene) : config_(config), scene_(scene) {}

void Mcmc::prepare(Gaussians& splats) const {
  for (float& logit : splats.logit_opacities) logit = float(math::logit(double(config_.initial_opacity)));
  for (float& log_scale : splats.log_scales) log_scale += float(std::log(double(config_.initial_scale)));
}

void Mcmc::adjust(int, AdamSettings& settings) const {
  settings.opacity_rate = config_.opacity_rate;
  settings.opacity_regularizer = config_.opacity_regularizer;
  settings.scale_regularizer = config_.scale_regularizer;
}

DensifyReport Mcmc::after_update(int iteration, Backend& backend) {
  DensifyReport report;
  if (iteration > config_.from && iteration < config_.until && iteration % config_.every == 0)
    report = relocate_and_grow(iteration, backend);
  const double rate = scene_.mean_rate ? scene_.mean_rate(iteration) : 0;
  if (config_.noise > 0 && rate > 0) backend.add_noise({float(double(config_.noise) * rate), scene_.seed, iteration});
  return report;
}

DensifyReport Mcmc::relocate_and_grow(int iteration, Backend& backend) const {
  DensifyReport report;
  report.densified = true;
  Rows rows;
  backend.download_ellipsoids(rows.model);
  const size_t count = rows.model.size();
  rows.colour.resize(count);
  std::iota(rows.colour.begin(), rows.colour.end(), 0u);
  const double least = double(config_.dead_opacity);
  rows.opacity.resize(count);
  std::vector<uint8_t> copied(count), alive(count);
  std::vector<uint32_t> dead;
  for (size_t i = 0; i < count; ++i) {
    if (i % kRowsAtOnce == 0) end_if_asked(scene_.pool);
    rows.opacity[i] = math::sigmoid(double(rows.model.logit_opacities[i]));
    copied[i] = scene_.may_grow(rows.model, i);
    alive[i] = copied[i] && rows.opacity[i] > least;
    if (!(rows.opacity[i] > least)) dead.push_back(uint32_t(i)), rows.opacity[i] = 0;
  }
  random::Sequence numbers(scene_.seed, random::kRelocate, uint64_t(iteration) << 32);
  std::vector<int> times = draw(rows, alive, dead.size(), numbers);
  auto next = dead.begin();
  for (uint32_t row = 0; row < count; ++row) {
    if (row % kRowsAtOnce == 0) end_if_asked(scene_.pool);
    if (times[row] == 0) continue;
    share(rows, row, times[row] + 1, least);
    for (int i = 0; i < times[row]; ++i, ++next) {
      copy_row(rows.model, row, *next);
      rows.colour[*next] = row;
      rows.opacity[*next] = rows.opacity[row];
      rows.changed.push_back(*next);
      ++report.relocated;
    }
  }

  const double share_added = std::round(double(config_.growth) * 1e6) / 1e6;  // 0.05, not 0.0500000007
  const size_t grown = size_t((1 + share_added) * double(count));
  const size_t target = scene_.max_splats > 0 ? std::min(grown, std::max(scene_.max_splats, count)) : grown;
  report.withheld = grown - target;
  for (const uint32_t row : dead) copied[row] = scene_.may_grow(rows.model, row);  // where it is now
  times = draw(rows, copied, target - count, numbers);
  std::vector<uint32_t> sources;
  for (uint32_t row = 0; row < count; ++row) {
    if (row % kRowsAtOnce == 0) end_if_asked(scene_.pool);
    if (times[row] == 0) continue;
    share(rows, row, times[row] + 1, least);
    sources.insert(sources.end(), size_t(times[row]), row);
  }
  report.cloned = sources.size();
  write(rows, sources, backend);
  backend.reset_statistics();
  return report;
}

void Mcmc::save_state(Archive&) const {}  // all it decides on is in the backend and in (seed, iteration)

Status Mcmc::load_state(const Archive&) { return {}; }

}  // namespace splat
