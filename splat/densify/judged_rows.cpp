#include "splat/densify/judged_rows.h"

#include <algorithm>

#include "splat/densify/moved_out_rows.h"
#include "splat/densify/near_rows.h"
#include "splat/densify/path_rows.h"
#include "splat/math/sight.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

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

void copy_row(const Ellipsoids& from, size_t row, Ellipsoids& to, size_t place) {
  const auto copy = [&](const char*, const std::vector<float>& values, std::vector<float>& there, size_t width) {
    std::copy_n(&values[row * width], width, &there[place * width]);
  };
  visit_arrays(from, copy, to);
}

}  // namespace

RowVerdicts judged_rows_here(Backend& backend, const RowRules& rules, const StrategyScene& scene) {
  RowVerdicts verdicts;
  Ellipsoids model;
  backend.download_ellipsoids(model);
  const size_t count = model.size();
  std::vector<uint8_t> keep(count, 1);
  if (rules.nearer > 0) {
    verdicts.moved = move_rows_out(model, rules.views, rules.nearer, scene.pool);
    verdicts.moved_rows = gather_rows(model, verdicts.moved);
    for (const uint32_t row : rows_in_paths(model, rules.views, rules.nearer, scene.pool)) keep[row] = 0;
  }
  DensifyStatistics statistics;
  backend.read_statistics(statistics);
  const std::vector<float> factor = growth_by_distance(model, rules.views, rules.near_share, scene.pool);
  std::vector<double> score(count, 0);
  const auto judge = [&](size_t i) {
    if (model.logit_opacities[i] < rules.least_logit) keep[i] = 0;
    if (keep[i] && scene.may_grow(model, i))
      score[i] = math::growth_score(factor[i], statistics.mean2d_gradient_norm[i], statistics.visible_count[i]);
  };
  for_each(scene.pool, (count + kRowsAtOnce - 1) / kRowsAtOnce, [&](size_t chunk, int) {
    for (size_t i = chunk * kRowsAtOnce; i < std::min(count, (chunk + 1) * kRowsAtOnce); ++i) judge(i);
  });
  for (uint32_t row = 0; row < count; ++row)
    if (!keep[row]) verdicts.removed.push_back(row);
  const size_t kept = count - verdicts.removed.size();
  verdicts.parents = best_rows(score, rules.most > kept ? rules.most - kept : 0);
  verdicts.parent_rows = gather_rows(model, verdicts.parents);
  return verdicts;
}

RowVerdicts judged_rows(Backend& backend, const RowRules& rules, const StrategyScene& scene) {
  RowVerdicts verdicts;
  if (!scene.region.empty() || !backend.judge_rows(rules, verdicts)) return judged_rows_here(backend, rules, scene);
  const std::vector<uint32_t>& moved = verdicts.moved;
  if (!moved.empty()) move_rows_out(verdicts.moved_rows, rules.views, rules.nearer, scene.pool);
  for (size_t i = 0; i < verdicts.parents.size(); ++i) {
    const auto at = std::lower_bound(moved.begin(), moved.end(), verdicts.parents[i]);
    if (at != moved.end() && *at == verdicts.parents[i])
      copy_row(verdicts.moved_rows, size_t(at - moved.begin()), verdicts.parent_rows, i);
  }
  return verdicts;
}

}  // namespace splat
