// Loops that the compiler turns into vectors: no branches, nothing of std:: (splat/core/simd.h says why). Row after
// row, so that everything but the state stays in the first cache.
#include "splat/stereo/sweep_kernels.h"

namespace splat::stereo::SPLAT_SIMD_LEVEL {
namespace {

#define SWEEP_INLINE inline __attribute__((always_inline))

// In this order a value that is not a number gives the limit.
SWEEP_INLINE float at_least(float least, float x) { return x > least ? x : least; }
SWEEP_INLINE float at_most(float most, float x) { return x < most ? x : most; }
SWEEP_INLINE int at_most(int most, int x) { return x < most ? x : most; }

// Where the other photo shows the row's pixels; outside its frame its border continues.
SWEEP_INLINE void find_row(const SweepOther& other, double inverse, int y, int width, float* __restrict across,
                           float* __restrict down, uint8_t* __restrict inside) {
  float first[3];
  for (int i = 0; i < 3; ++i)
    first[i] = float(0.5 * other.by_x[i] + (y + 0.5) * other.by_y[i] + other.one[i] + inverse * other.by_inverse[i]);
  const float step_x = float(other.by_x[0]), step_y = float(other.by_x[1]), step_z = float(other.by_x[2]);
  const float right = float(other.width - 1), bottom = float(other.height - 1);
  for (int x = 0; x < width; ++x) {
    const float z = first[2] + float(x) * step_z, scale = 1 / z;
    const float u = (first[0] + float(x) * step_x) * scale - 0.5f, v = (first[1] + float(x) * step_y) * scale - 0.5f;
    inside[x] = uint8_t(int(z > 0) & int(u >= 0) & int(v >= 0) & int(u <= right) & int(v <= bottom));
    across[x] = at_most(right, at_least(0, u));
    down[x] = at_most(bottom, at_least(0, v));
  }
}

SWEEP_INLINE void draw_row(const SweepOther& other, int width, const float* __restrict across,
                           const float* __restrict down, float* __restrict drawn) {
  const int wide = other.width, last_column = wide - 2, last_row = other.height - 2;
  const float* __restrict grey = other.grey;
  for (int x = 0; x < width; ++x) {
    const int left = at_most(last_column, int(across[x])), top = at_most(last_row, int(down[x]));
    const float fx = across[x] - float(left), fy = down[x] - float(top);
    const int at = top * wide + left;
    const float above = grey[at] + fx * (grey[at + 1] - grey[at]);
    const float below = grey[at + wide] + fx * (grey[at + wide + 1] - grey[at + wide]);
    drawn[x] = above + fy * (below - above);
  }
}

SWEEP_INLINE void sum_row(const float* __restrict p, int width, float* __restrict sums) {
  static_assert(kSweepSquare == 7);
  for (int x = 0; x < width; ++x)
    sums[x] = (p[x] + p[x + 1] + p[x + 2]) + (p[x + 3] + p[x + 4]) + (p[x + 5] + p[x + 6]);
}

// A row of the other photo as this one would see it on the plane: its sums go into ring slot y % 7.
SWEEP_INLINE void add_row(const SweepPhoto& photo, const SweepOther& other, double inverse, int y,
                          const SweepScratch& scratch, float* sums, uint8_t* inside) {
  const int width = photo.width, slot = y % kSweepSquare, padded = width + 2 * kSweepReach;
  find_row(other, inverse, y, width, scratch.across, scratch.down, inside + size_t(slot) * size_t(width));
  draw_row(other, width, scratch.across, scratch.down, scratch.drawn);
  const float* __restrict drawn = scratch.drawn;
  const float* __restrict grey = photo.grey + size_t(y) * size_t(width);
  float* __restrict values = scratch.padded + kSweepReach;
  float* __restrict squares = values + padded;
  float* __restrict products = squares + padded;
  for (int x = 0; x < width; ++x) {
    values[x] = drawn[x];
    squares[x] = drawn[x] * drawn[x];
    products[x] = drawn[x] * grey[x];
  }
  for (int kind = 0; kind < 3; ++kind)
    sum_row(scratch.padded + kind * padded, width, sums + size_t(kind * kSweepSquare + slot) * size_t(width));
}

// The sums over squares around a row, from those along the rows around it.
SWEEP_INLINE void sum_rows(const float* ring, int y, int width, int height, float* __restrict sums) {
  const auto row = [&](int k) __attribute__((always_inline)) {
    return ring + size_t(k % kSweepSquare) * size_t(width);
  };
  const int first = y < kSweepReach ? 0 : y - kSweepReach, last = at_most(height - 1, y + kSweepReach);
  if (last - first + 1 == kSweepSquare) {
    const float *a = row(first), *b = row(first + 1), *c = row(first + 2), *d = row(first + 3);
    const float *e = row(first + 4), *f = row(first + 5), *g = row(first + 6);
    for (int x = 0; x < width; ++x) sums[x] = a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x];
    return;
  }
  for (int x = 0; x < width; ++x) sums[x] = row(first)[x];
  for (int k = first + 1; k <= last; ++k) {
    const float* __restrict more = row(k);
    for (int x = 0; x < width; ++x) sums[x] += more[x];
  }
}

// Correlations of one row with another photo; the two largest of a pixel are kept. Not inlined, as GCC believes in
// __restrict for parameters alone.
__attribute__((noinline)) void keep_best(int width, const float* __restrict values, const float* __restrict squares,
                                         const float* __restrict products, const float* __restrict share,
                                         const float* __restrict mean, const float* __restrict variance,
                                         const uint8_t* __restrict inside, float* __restrict best,
                                         float* __restrict second) {
  for (int x = 0; x < width; ++x) {
    const float other_mean = values[x] * share[x];
    const float other_variance = at_least(0, squares[x] * share[x] - other_mean * other_mean) + kSweepNoise;
    const float covariance = products[x] * share[x] - mean[x] * other_mean;
    const float correlation = covariance / __builtin_sqrtf(variance[x] * other_variance);
    const float counted = inside[x] ? correlation : kNoLikeness;
    const float first = best[x], next = second[x];
    const float lower = counted < first ? counted : first;
    second[x] = lower > next ? lower : next;
    best[x] = counted > first ? counted : first;
  }
}

SWEEP_INLINE void compare_row(const SweepPhoto& photo, int y, const float* rings, const uint8_t* inside,
                              const SweepScratch& scratch) {
  const int width = photo.width;
  float* const sums[3] = {scratch.across, scratch.down, scratch.drawn};
  for (int kind = 0; kind < 3; ++kind)
    sum_rows(rings + size_t(kind * kSweepSquare) * size_t(width), y, width, photo.height, sums[kind]);
  const size_t row = size_t(y) * size_t(width);
  keep_best(width, sums[0], sums[1], sums[2], photo.share + row, photo.mean + row, photo.variance + row,
            inside + size_t(y % kSweepSquare) * size_t(width), scratch.best, scratch.second);
}

// Keeps the best plane so far, its neighbours, and the best of planes more than two away: of these the ones
// before it are known three planes later (earlier).
__attribute__((noinline)) void keep_row(int width, int plane, const float* __restrict best,
                                        const float* __restrict second, const float* __restrict last,
                                        float* __restrict oldest, float* __restrict top, int* __restrict where,
                                        float* __restrict before, float* __restrict after, float* __restrict apart,
                                        float* __restrict earlier) {
  for (int x = 0; x < width; ++x) {
    const float a = best[x], b = second[x], score = b > kNoLikeness ? 0.5f * (a + b) : a - kSweepAloneCosts;
    const float old = oldest[x], ago = earlier[x], past = ago > old ? ago : old;
    const float top_so_far = top[x], before_so_far = before[x], after_so_far = after[x], apart_so_far = apart[x];
    const float of_last = last[x];
    const int where_so_far = where[x], beyond = plane - where_so_far;
    const bool better = score > top_so_far;
    const float larger = score > apart_so_far ? score : apart_so_far;
    const float aside = beyond > 2 ? larger : apart_so_far;
    const float next = beyond == 1 ? score : after_so_far;
    apart[x] = better ? past : aside;
    after[x] = better ? kNoLikeness : next;
    before[x] = better ? of_last : before_so_far;
    where[x] = better ? plane : where_so_far;
    top[x] = better ? score : top_so_far;
    earlier[x] = past;
    oldest[x] = score;
  }
}

}  // namespace

void sweep_plane(const SweepPhoto& photo, const SweepOther* others, size_t count, double inverse, int plane,
                 const SweepScratch& scratch, const SweepState& state) {
  const size_t width = size_t(photo.width), ring = size_t(kSweepSquare) * width;
  for (int ahead = 0; ahead < photo.height + kSweepReach; ++ahead) {
    if (ahead < photo.height)
      for (size_t i = 0; i < count; ++i)
        add_row(photo, others[i], inverse, ahead, scratch, scratch.sums + 3 * ring * i, scratch.inside + ring * i);
    const int y = ahead - kSweepReach;
    if (y < 0) continue;
    for (size_t x = 0; x < width; ++x) scratch.best[x] = scratch.second[x] = kNoLikeness;
    for (size_t i = 0; i < count; ++i)
      compare_row(photo, y, scratch.sums + 3 * ring * i, scratch.inside + ring * i, scratch);
    const size_t row = size_t(y) * width;
    keep_row(photo.width, plane, scratch.best, scratch.second, state.recent[(plane + 2) % 3] + row,
             state.recent[plane % 3] + row, state.top + row, state.where + row, state.before + row, state.after + row,
             state.apart + row, state.earlier + row);
  }
}

}  // namespace splat::stereo::SPLAT_SIMD_LEVEL
