#include "io/splats/ply/chunk_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "io/splats/common/codec.h"
#include "io/splats/ply/compressed_ply.h"
#include "splat/model/morton.h"

namespace io {

using splat::Gaussians;

namespace {

using Rows = std::vector<uint32_t>;

constexpr size_t kRowsLookedAt = size_t(1) << 17;                // at least, to find what is usual
constexpr double kLeastScaleWidth = 1, kLeastColourWidth = 0.5;  // of what nine tenths span

// Room around what nine tenths of these rows span, for places, sizes and colours. A place counts by the widest axis, as
// thin as a scene may be across another.
ChunkRanges ranges_of(const Gaussians& model, const Rows& rows, const std::array<double, 3>& room) {
  std::array<std::array<std::vector<float>, 3>, 3> values;
  const size_t stride = std::max<size_t>(1, rows.size() / kRowsLookedAt);
  for (size_t at = 0; at < rows.size(); at += stride) {
    const ChunkValues of_row = chunk_values(model, rows[at]);
    for (size_t group = 0; group < 3; ++group)
      for (size_t i = 0; i < 3; ++i) values[group][i].push_back(of_row[group][i]);
  }
  std::array<double, 3> least{0, kLeastScaleWidth, kLeastColourWidth};
  for (std::vector<float>& axis : values[0]) {
    const SaneRange middle = sane_range(axis, 0, 0);
    least[0] = std::max(least[0], double(middle.high) - double(middle.low));
  }
  ChunkRanges ranges;
  for (size_t group = 0; group < 3; ++group)
    for (size_t i = 0; i < 3; ++i) ranges[group][i] = sane_range(values[group][i], room[group], least[group]);
  return ranges;
}

bool all_within(const ChunkRanges& ranges, const ChunkValues& values) {
  for (size_t group = 0; group < 3; ++group)
    for (size_t i = 0; i < 3; ++i)
      if (!ranges[group][i].holds(values[group][i])) return false;
  return true;
}

void append_near_together(const Gaussians& model, std::span<const uint32_t> rows, Rows& order) {
  std::vector<float> means;
  means.reserve(3 * rows.size());
  for (const uint32_t row : rows) means.insert(means.end(), &model.means[3 * row], &model.means[3 * row] + 3);
  for (const uint32_t i : splat::morton_order(means)) order.push_back(rows[i]);
}

// About how much of a picture a splat fills.
float weight_of(const Gaussians& model, uint32_t row) {
  std::array<float, 3> scale{model.log_scales[3 * row], model.log_scales[3 * row + 1], model.log_scales[3 * row + 2]};
  std::sort(scale.begin(), scale.end());
  return sigmoid(model.logit_opacities[row]) * std::exp(std::min(scale[1] + scale[2], 40.0f));
}

void append_in_order(const Gaussians& model, Rows rows, Rows& order) {
  constexpr size_t kMostFar = 4;  // a larger share of the rows than 1 / kMostFar is no exception
  const ChunkRanges ranges = ranges_of(model, rows, {4, 4, 4});
  const auto far = std::stable_partition(rows.begin(), rows.end(),
                                         [&](uint32_t row) { return all_within(ranges, chunk_values(model, row)); });
  const size_t near = size_t(far - rows.begin()), count = rows.size();
  if (near == count || kMostFar * (count - near) > count) {
    std::sort(rows.begin(), rows.end());
    return append_near_together(model, rows, order);
  }
  const size_t shared = std::min(near, (order.size() + near) % kCompressedChunk);  // of the chunk that is of both
  std::vector<std::pair<float, uint32_t>> by_weight;
  for (size_t i = 0; i < near; ++i) by_weight.emplace_back(-weight_of(model, rows[i]), rows[i]);
  std::nth_element(by_weight.begin(), by_weight.begin() + ptrdiff_t(near - shared), by_weight.end());
  for (size_t i = 0; i < near; ++i) rows[i] = by_weight[i].second;
  const auto last = rows.begin() + ptrdiff_t(near - shared);
  std::sort(rows.begin(), last);
  std::sort(last, far);
  append_near_together(model, std::span(rows).first(near - shared), order);
  append_near_together(model, std::span(rows).subspan(near - shared, shared), order);
  append_in_order(model, {far, rows.end()}, order);
}

}  // namespace

ChunkValues chunk_values(const Gaussians& model, size_t row) {
  constexpr float kMaxLogScale = kCompressedLargestLogScale;
  ChunkValues values;
  const float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
  for (size_t i = 0; i < 3; ++i) {
    values[0][i] = model.means[3 * row + i];
    values[1][i] = std::clamp(model.log_scales[3 * row + i], -kMaxLogScale, kMaxLogScale);
    values[2][i] = 0.5f + kSh0 * sh[i];
  }
  return values;
}

std::vector<uint32_t> chunk_order(const Gaussians& model, const WritableRows& rows) {
  Rows all(rows.size()), order;
  for (size_t i = 0; i < all.size(); ++i) all[i] = uint32_t(rows[i]);
  order.reserve(all.size());
  append_in_order(model, std::move(all), order);
  return order;
}

ChunkRanges absurd_beyond(const Gaussians& model, const std::vector<uint32_t>& rows) {
  ChunkRanges ranges = ranges_of(model, rows, {1000, 1, 32});
  const bool one_place = std::all_of(ranges[0].begin(), ranges[0].end(), [](SaneRange r) { return r.low == r.high; });
  if (one_place) ranges[0].fill({});
  ranges[1].fill({});  // within what a file holds
  return ranges;
}

}  // namespace io
