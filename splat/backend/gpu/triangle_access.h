// How kernels of triangles read their arrays, and add up by vertex.
#pragma once

#include "splat/backend/gpu/triangle_kernels.h"

namespace splat::gpu {

inline constexpr uint32_t kNoTriangle = ~0u;

// Vertices of a triangle that a picture names by a number from 1. False: there is none.
struct TriangleCorners {
  uint32_t vertex[3];
};
SPLAT_DEVICE bool corners_of(const TriangleList& list, uint32_t triangle, TriangleCorners& c) {
  bool all = triangle < list.count;
  if (!all) return false;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    c.vertex[k] = uint32_t(list.corners[3 * size_t(triangle) + size_t(k)]);
    all = all && c.vertex[k] < list.vertices;
  }
  return all;
}
SPLAT_DEVICE uint32_t triangle_of(float number, const TriangleList& list) {
  return number >= 1 && number <= float(list.count) ? uint32_t(number) - 1 : kNoTriangle;
}

// Pixels by blocks of 16x8, so that the lanes of a wave lie close to each other.
inline constexpr int kAreaThreads = 128, kAreaWidth = 16, kAreaHeight = 8;
inline dim3 area_grid(const math::PictureSize& size) {
  return dim3(unsigned((size.width + kAreaWidth - 1) / kAreaWidth) *
              unsigned((size.height + kAreaHeight - 1) / kAreaHeight));
}
struct AreaPixel {
  int x, y;
  bool exists;
  size_t at;
};
SPLAT_DEVICE AreaPixel area_pixel(const math::PictureSize& size) {
  const uint32_t across = uint32_t(size.width + kAreaWidth - 1) / kAreaWidth, row = blockIdx.x / across;
  const int t = int(threadIdx.x), x = int(blockIdx.x - row * across) * kAreaWidth + t / 64 * 8 + t % 8,
            y = int(row) * kAreaHeight + t / 8 % 8;
  return {x, y, x < size.width && y < size.height, size_t(y) * size_t(size.width) + size_t(x)};
}

// Adds atomically. Where AMD's GPUs have no instruction for it, by a loop that begins with a guess, as a plain load may
// be of a cache that is behind.
SPLAT_DEVICE void add_to(double* sum, double value) {
#if defined(__AMDGCN__) && !defined(__gfx90a__) && !defined(__gfx942__) && !defined(__gfx950__)
  auto* const bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long before = 0, guess;
  do {
    guess = before;
    before = atomicCAS(bits, guess, __builtin_bit_cast(unsigned long long, __builtin_bit_cast(double, guess) + value));
  } while (before != guess);
#else
  atomicAdd(sum, value);
#endif
}

// body(add) for the triangles of a wave's lanes, one after the other: with add(value, to), which adds what the lanes of
// the triangle have to *to, few of them by themselves. All lanes call it together; kNoTriangle: nothing to add.
template <int kWave, class Body>
SPLAT_DEVICE void by_triangle(uint32_t triangle, const Body& body) {
  constexpr int kAlone = 4;  // lanes
  const int lane = int(threadIdx.x % kWave);
  uint64_t left = wave_ballot(triangle != kNoTriangle);
  while (left != 0) {
    const int leader = first_lane(left);
    const bool mine = wave_shuffle(triangle, leader, kWave) == triangle;
    const uint64_t group = wave_ballot(mine);
    left &= ~group;
    uint64_t many = group;
#pragma unroll
    for (int i = 0; i < kAlone; ++i) many &= many - 1;
    if (many != 0) {
      body([&](double value, double* to) {
        const double sum = wave_sum<kWave>(mine ? value : 0.0);
        if (lane == leader) add_to(to, sum);
      });
    } else if (mine) {
      body([&](double value, double* to) { add_to(to, value); });
    }
  }
}

}  // namespace splat::gpu
