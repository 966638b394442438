// Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations (Golub and Van Loan, Matrix
// Computations, 8.5). Cost: some ten sweeps over its elements.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace splat::math {

template <size_t N>
using SymmetricMatrix = std::array<std::array<double, N>, N>;

template <size_t N>
struct SymmetricEigen {
  std::array<double, N> values{};                  // the largest first
  std::array<std::array<double, N>, N> vectors{};  // of length 1, one a row, in the order of the values
};

template <size_t N>
SymmetricEigen<N> symmetric_eigen(SymmetricMatrix<N> a) {
  constexpr int kMostSweeps = 50;
  SymmetricMatrix<N> v{};
  for (size_t i = 0; i < N; ++i) v[i][i] = 1;
  const auto beside_diagonal = [&] {
    double sum = 0;
    for (size_t p = 0; p < N; ++p)
      for (size_t q = p + 1; q < N; ++q) sum += a[p][q] * a[p][q];
    return sum;
  };
  for (int sweep = 0; sweep < kMostSweeps && beside_diagonal() > 0; ++sweep)
    for (size_t p = 0; p < N; ++p)
      for (size_t q = p + 1; q < N; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (size_t k = 0; k < N; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (size_t k = 0; k < N; ++k) {
          const double pk = a[p][k], qk = a[q][k], vp = v[p][k], vq = v[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
          v[p][k] = c * vp - s * vq, v[q][k] = s * vp + c * vq;
        }
        a[p][q] = a[q][p] = 0;
      }
  std::array<size_t, N> order{};
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return a[i][i] > a[j][j]; });
  SymmetricEigen<N> result;
  for (size_t i = 0; i < N; ++i) {
    result.values[i] = a[order[i]][order[i]];
    result.vectors[i] = v[order[i]];
  }
  return result;
}

}  // namespace splat::math
