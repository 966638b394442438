// What a plane sweep does with one plane, compiled once per SIMD level. All levels give the same bytes: nothing is
// fused, and every pixel is summed up in the same order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace splat::stereo {

inline constexpr int kSweepSquare = 7;  // px: side of what is compared
inline constexpr int kSweepReach = kSweepSquare / 2;
inline constexpr float kNoLikeness = -2;  // below every correlation

// Another photo, and where it shows what lies at (x, y) of this one with inverse depth q, in homogeneous coordinates:
// by_x x + by_y y + one + q by_inverse. 3 numbers each.
struct SweepOther {
  int width, height;
  const float* grey;  // [H,W]
  double by_x[3], by_y[3], one[3], by_inverse[3];
};

// The photo whose depths are looked for, [H,W] each.
struct SweepPhoto {
  int width, height;
  const float* grey;
  const float* share;     // 1 / pixels of the square around each pixel that lie in the picture
  const float* mean;      // of the photo in the square
  const float* variance;  // likewise, kSweepNoise included
};

// Working space for one row and, of each other photo, for the last 7 rows.
struct SweepScratch {
  float *across, *down, *drawn;  // [W] where another photo shows a row, and what it shows there; three sums
  float* padded;                 // [3,W + 2 kSweepReach] 0 at both ends
  float* sums;                   // [others,3,7,W] sums along rows of values, their squares and their products with this
                                 // photo's
  uint8_t* inside;               // [others,7,W] whether the place is in the other's frame
  float *best, *second;          // [W] the two largest correlations on this plane
};

// What is kept of the planes so far, [H,W] each.
struct SweepState {
  float* top;        // score of the best plane: the mean of the two photos that agree best
  int* where;        // which one that is
  float* before;     // scores of those beside it
  float* after;      //
  float* apart;      // the best score of those farther from it than two
  float* earlier;    // the best score up to three planes ago
  float* recent[3];  // scores of the last three: plane p in p % 3
};

inline constexpr float kSweepNoise = 4;          // grey levels squared, added to variances: plain places are not alike
inline constexpr float kSweepAloneCosts = 0.1f;  // taken from the score where one other photo alone sees a place

// Compares the photo with all others on the plane of this inverse depth, the plane-th from 0.
using SweepPlane = void (*)(const SweepPhoto& photo, const SweepOther* others, size_t count, double inverse, int plane,
                            const SweepScratch& scratch, const SweepState& state);

#define SPLAT_DECLARE_SWEEP(level)                                                                             \
  namespace level {                                                                                            \
  void sweep_plane(const SweepPhoto& photo, const SweepOther* others, size_t count, double inverse, int plane, \
                   const SweepScratch& scratch, const SweepState& state);                                      \
  }
SPLAT_DECLARE_SWEEP(sse4)
SPLAT_DECLARE_SWEEP(avx2)
SPLAT_DECLARE_SWEEP(avx512)
SPLAT_DECLARE_SWEEP(neon)
#undef SPLAT_DECLARE_SWEEP

}  // namespace splat::stereo
