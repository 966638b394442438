#include "splat/edit/nearness.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "splat/core/check.h"

namespace splat::edit {
namespace {

constexpr size_t kNearRowsAtOnce = 4096;
constexpr int kAxisBits = 21;
constexpr int64_t kMaxCell = (int64_t(1) << (kAxisBits - 1)) - 2;  // further out all is one cell
constexpr uint64_t kNoCell = ~uint64_t(0);

struct Cell {
  int64_t x, y, z;
};

uint64_t key_of(const Cell& c) {
  const auto shifted = [](int64_t v) { return uint64_t(v + kMaxCell + 1); };
  return shifted(c.x) << (2 * kAxisBits) | shifted(c.y) << kAxisBits | shifted(c.z);
}
Cell cell_of(uint64_t key) {
  const auto axis = [&](int shift) { return int64_t(key >> shift & ((uint64_t(1) << kAxisBits) - 1)) - kMaxCell - 1; };
  return {axis(2 * kAxisBits), axis(kAxisBits), axis(0)};
}

uint64_t key_at(const float* mean, double cell) {
  int64_t at[3];
  for (int c = 0; c < 3; ++c) {
    if (!std::isfinite(mean[c])) return kNoCell;
    at[c] = int64_t(std::clamp(std::floor(double(mean[c]) / cell), -double(kMaxCell), double(kMaxCell)));
  }
  return key_of({at[0], at[1], at[2]});
}

// Calls visit(key) for the cell and the 26 around it, until it returns true.
template <class Visit>
bool any_neighbour(uint64_t key, const Visit& visit) {
  const Cell c = cell_of(key);
  for (int64_t x = -1; x <= 1; ++x)
    for (int64_t y = -1; y <= 1; ++y)
      for (int64_t z = -1; z <= 1; ++z)
        if (visit(key_of({c.x + x, c.y + y, c.z + z}))) return true;
  return false;
}

double squared_distance(const float* a, const float* b) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += (double(a[c]) - b[c]) * (double(a[c]) - b[c]);
  return sum;
}

// The rows of each cell, next to each other.
struct Cells {
  std::vector<uint32_t> rows;
  struct Range {
    uint32_t begin = 0, end = 0;
  };
  std::unordered_map<uint64_t, Range> ranges;

  Cells(std::span<const float> means, std::span<const uint8_t> which, double cell) {
    std::vector<std::pair<uint64_t, uint32_t>> sorted;
    for (size_t row = 0; row < which.size(); ++row)
      if (const uint64_t key = which[row] ? key_at(&means[3 * row], cell) : kNoCell; key != kNoCell)
        sorted.push_back({key, uint32_t(row)});
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [key, row] : sorted) {
      Range& range = ranges[key];
      if (range.begin == range.end) range.begin = uint32_t(rows.size());
      rows.push_back(row);
      range.end = uint32_t(rows.size());
    }
  }
};

uint32_t root_of(std::vector<uint32_t>& parents, uint32_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

}  // namespace

std::vector<uint8_t> rows_near(std::span<const float> means, std::span<const uint8_t> from, double distance,
                               ThreadPool& pool) {
  SPLAT_CHECK_EQ(means.size(), 3 * from.size());
  SPLAT_CHECK(distance > 0);
  const Cells cells(means, from, distance);
  const double squared = distance * distance;
  std::vector<uint8_t> near(from.size());
  pool.for_chunks(from.size(), kNearRowsAtOnce, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) {
      const uint64_t key = key_at(&means[3 * row], distance);
      if (from[row] || key == kNoCell) {
        near[row] = from[row] != 0;
        continue;
      }
      near[row] = any_neighbour(key, [&](uint64_t neighbour) {
        const auto found = cells.ranges.find(neighbour);
        if (found == cells.ranges.end()) return false;
        for (uint32_t i = found->second.begin; i < found->second.end; ++i)
          if (squared_distance(&means[3 * row], &means[3 * size_t(cells.rows[i])]) <= squared) return true;
        return false;
      });
    }
  });
  return near;
}

std::vector<uint32_t> parts_of(std::span<const float> means, double cell) {
  SPLAT_CHECK(cell > 0);
  const size_t rows = means.size() / 3;
  const Cells cells(means, std::vector<uint8_t>(rows, 1), cell);
  std::unordered_map<uint64_t, uint32_t> number;
  for (const auto& [key, range] : cells.ranges) number.emplace(key, uint32_t(number.size()));
  std::vector<uint32_t> parents(number.size());
  std::iota(parents.begin(), parents.end(), 0u);
  for (const auto& [key, node] : number)
    any_neighbour(key, [&, mine = node](uint64_t neighbour) {
      if (const auto found = number.find(neighbour); found != number.end())
        parents[root_of(parents, found->second)] = root_of(parents, mine);
      return false;
    });
  std::vector<uint32_t> parts(rows, kNoPart), by_root(number.size(), kNoPart);
  for (const auto& [key, range] : cells.ranges)
    for (uint32_t i = range.begin; i < range.end; ++i) parts[cells.rows[i]] = root_of(parents, number.at(key));
  uint32_t count = 0;
  for (uint32_t& part : parts) {
    if (part == kNoPart) continue;
    if (by_root[part] == kNoPart) by_root[part] = count++;
    part = by_root[part];
  }
  return parts;
}

std::vector<uint32_t> part_sizes(std::span<const float> means, double cell) {
  std::vector<uint32_t> parts = parts_of(means, cell), sizes;
  for (const uint32_t part : parts) {
    if (part == kNoPart) continue;
    sizes.resize(std::max(sizes.size(), size_t(part) + 1));
    ++sizes[part];
  }
  for (uint32_t& part : parts) part = part == kNoPart ? 0 : sizes[part];
  return parts;
}

}  // namespace splat::edit
