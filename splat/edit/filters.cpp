#include "splat/edit/filters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/edit/rows.h"
#include "splat/math/activation.h"
#include "splat/model/finite.h"
#include "splat/model/morton.h"

namespace splat::edit {
namespace {

constexpr size_t kChunkRows = 4096;

bool inside(const Sphere& sphere, const float* mean) {
  double squared = 0;
  for (size_t c = 0; c < 3; ++c) squared += (mean[c] - sphere.centre[c]) * (mean[c] - sphere.centre[c]);
  return squared <= sphere.radius * sphere.radius;
}

// What takes a row out, if anything does: the first that applies.
enum Reason : uint8_t { kStays, kInvalid, kTransparent, kOutsideBox, kOutsideSphere, kReasons };

Reason reason_to_go(const Gaussians& model, size_t row, const FilterSettings& settings) {
  const float* mean = model.means.data() + 3 * row;
  if (settings.drop_invalid && !is_drawable(model, row)) return kInvalid;
  if (settings.min_opacity > 0 && !(math::sigmoid(double(model.logit_opacities[row])) >= settings.min_opacity))
    return kTransparent;
  if (settings.crop_box && !settings.crop_box->contains({mean[0], mean[1], mean[2]})) return kOutsideBox;
  if (settings.crop_sphere && !inside(*settings.crop_sphere, mean)) return kOutsideSphere;
  return kStays;
}

void filter_rows(Gaussians& model, const FilterSettings& settings, ThreadPool& pool, FilterReport& report) {
  std::vector<uint8_t> verdict(model.size());
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) verdict[row] = reason_to_go(model, row, settings);
  });
  std::array<size_t, kReasons> counts{};
  for (uint8_t& reason : verdict) {
    ++counts[reason];
    reason = reason == kStays;
  }
  report = {counts[kInvalid], counts[kTransparent], counts[kOutsideBox], counts[kOutsideSphere], 0};
  if (report.removed() > 0) keep_rows(model, verdict);
}

// Ties are broken by row: the earlier stays.
void keep_largest_contributions(Gaussians& model, size_t count, ThreadPool& pool, FilterReport& report) {
  if (model.size() <= count) return;
  const std::vector<float> scores = contributions(model, pool);
  std::vector<uint32_t> rows(model.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::nth_element(rows.begin(), rows.begin() + ptrdiff_t(count), rows.end(),
                   [&](uint32_t a, uint32_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  std::vector<uint8_t> keep(model.size(), 0);
  for (size_t i = 0; i < count; ++i) keep[rows[i]] = 1;
  report.least = model.size() - count;
  keep_rows(model, keep);
}

float contribution(const Gaussians& model, size_t row) {
  const float* s = model.log_scales.data() + 3 * row;
  const double area =
      (std::exp(double(s[0]) + s[1]) + std::exp(double(s[0]) + s[2]) + std::exp(double(s[1]) + s[2])) / 3;
  const double value = math::sigmoid(double(model.logit_opacities[row])) * area;
  return std::isfinite(value) && is_drawable(model, row) ? float(value) : 0.0f;
}

}  // namespace

std::vector<float> contributions(const Gaussians& model, ThreadPool& pool) {
  std::vector<float> values(model.size());
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) values[row] = contribution(model, row);
  });
  return values;
}

bool looks_at_rows(const FilterSettings& settings) {
  return settings.drop_invalid || settings.min_opacity > 0 || settings.crop_box || settings.crop_sphere;
}

FilterReport& FilterReport::operator+=(const FilterReport& more) {
  invalid += more.invalid;
  transparent += more.transparent;
  outside_box += more.outside_box;
  outside_sphere += more.outside_sphere;
  least += more.least;
  return *this;
}

FilterSettings row_by_row(FilterSettings settings) {
  settings.max_splats = 0;
  settings.transform.reset();
  settings.morton = false;
  return settings;
}

FilterSettings all_at_once(const FilterSettings& settings) {
  FilterSettings rest;
  rest.max_splats = settings.max_splats;
  rest.transform = settings.transform;
  rest.morton = settings.morton;
  return rest;
}

FilterReport apply_filters(Gaussians& model, const FilterSettings& settings, ThreadPool& pool) {
  FilterReport report;
  repair(model, settings.repairs, pool);
  if (looks_at_rows(settings)) filter_rows(model, settings, pool, report);
  if (settings.max_splats > 0) keep_largest_contributions(model, size_t(settings.max_splats), pool, report);
  reduce_sh_degree(model, settings.max_sh_degree);
  if (settings.transform) transform(model, *settings.transform, pool);
  if (settings.morton) reorder_rows(model, morton_order(model.means));
  return report;
}

}  // namespace splat::edit
