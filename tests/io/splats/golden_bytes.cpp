#include "tests/io/splats/golden_bytes.h"

#include <map>

namespace io::test {

std::vector<size_t> match_by_position(const splat::Gaussians& a, const splat::Gaussians& b) {
  // A grid of cells much larger than quantisation moves a splat and much smaller than their distances.
  constexpr double kCell = 0.02;
  const auto cell = [](const splat::Gaussians& model, size_t row, int dx, int dy, int dz) {
    const float* mean = model.means.data() + 3 * row;
    return std::array<int64_t, 3>{int64_t(std::floor(mean[0] / kCell)) + dx, int64_t(std::floor(mean[1] / kCell)) + dy,
                                  int64_t(std::floor(mean[2] / kCell)) + dz};
  };
  std::map<std::array<int64_t, 3>, std::vector<size_t>> cells;
  for (size_t row = 0; row < a.size(); ++row) cells[cell(a, row, 0, 0, 0)].push_back(row);
  std::vector<size_t> match(b.size());
  std::vector<bool> taken(a.size());
  for (size_t row = 0; row < b.size(); ++row) {
    double nearest = 1e30;
    for (int n = 0; n < 27; ++n) {
      const auto found = cells.find(cell(b, row, n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
      if (found == cells.end()) continue;
      for (const size_t candidate : found->second) {
        double distance = 0;
        for (size_t i = 0; i < 3; ++i)
          distance += std::pow(double(a.means[3 * candidate + i]) - double(b.means[3 * row + i]), 2);
        if (taken[candidate] || distance >= nearest) continue;
        nearest = distance;
        match[row] = candidate;
      }
    }
    EXPECT_LT(nearest, 1e30) << "row " << row << " has no partner";
    if (nearest < 1e30) taken[match[row]] = true;
  }
  return match;
}

}  // namespace io::test
