#include "splat/train/region.h"

#include <algorithm>
#include <numeric>

#include "splat/core/state.h"

namespace splat {

std::vector<uint32_t> rows_inside(const Box& box, const Ellipsoids& model) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < model.size(); ++row) {
    const float* mean = &model.means[3 * size_t(row)];
    if (box.empty() || box.contains({mean[0], mean[1], mean[2]})) rows.push_back(row);
  }
  return rows;
}

std::vector<uint32_t> rows_inside(const Box& box, const Backend& backend) {
  const uint64_t all = backend.size(), at_once = rows_at_once(all);
  std::vector<uint32_t> rows;
  if (box.empty()) {
    rows.resize(size_t(all));
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
  }
  Ellipsoids block;
  for (uint64_t first = 0; first < all; first += at_once) {
    backend.download_ellipsoid_rows(size_t(first), size_t(std::min(at_once, all - first)), block);
    for (const uint32_t row : rows_inside(box, block)) rows.push_back(uint32_t(first) + row);
  }
  return rows;
}

size_t keep_rows_inside(const Box& box, Backend& backend) {
  const std::vector<uint32_t> rows = rows_inside(box, backend);
  const size_t others = backend.size() - rows.size();
  if (others > 0) backend.keep_rows(rows);
  return others;
}

}  // namespace splat
