// Moves and sums between lanes (splat/core/gpu_lanes.h), at both wave sizes. What AMD's instructions make of them the
// parity suite shows on the machine code (tests/isa).
#include <gtest/gtest.h>

#include <vector>

#include "splat/core/gpu_buffer.h"
#include "splat/core/gpu_lanes.h"

namespace splat::gpu {
namespace {

constexpr unsigned kThreads = 128;
constexpr int kStep = 21, kFolds = 6;  // of 1, 2, 4, ... lanes

struct LanesArgs {
  const float* a;  // [kThreads]
  const float* b;  // [kThreads]
  float* sums;     // [kFolds,kThreads]
  float* folds;    // [kFolds,kThreads]
  float* shifted;  // [kThreads]
};

template <int kWave, int kLanes>
void fold(const LanesArgs& args, unsigned at, unsigned number) {
  if constexpr (kLanes < kWave) {
    args.sums[number * kThreads + at] = add_halves<kLanes>(args.a[at]);
    args.folds[number * kThreads + at] = fold_halves<kLanes>(args.a[at], args.b[at]);
    if constexpr (kLanes < 32) fold<kWave, 2 * kLanes>(args, at, number + 1);
  }
}
template <int kWave>
__global__ void lanes(LanesArgs args) {
  const unsigned at = threadIdx.x;
  fold<kWave, 1>(args, at, 0);
  args.shifted[at] = shift_in<kWave>(args.a[at], args.b[at], kStep);
}

class Lanes : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    hip_emulator::device().wave_size = GetParam();
    for (auto* buffer : {&a_, &b_, &shifted_}) buffer->reserve_discarding(kThreads);
    for (auto* buffer : {&sums_, &folds_}) buffer->reserve_discarding(kFolds * kThreads);
    for (unsigned i = 0; i < kThreads; ++i) a_.data()[i] = float(i * i), b_.data()[i] = float(100000 + i);
    launch("lanes", GetParam() == 32 ? lanes<32> : lanes<64>, dim3(1), kThreads, nullptr,
           {a_.data(), b_.data(), sums_.data(), folds_.data(), shifted_.data()});
  }

  DeviceBuffer<float> a_, b_, sums_, folds_, shifted_;
};

TEST_P(Lanes, AddTheOtherHalfOfTheirGroup) {
  const float *a = a_.data(), *b = b_.data();
  for (unsigned number = 0, bit = 1; bit < GetParam(); ++number, bit *= 2)
    for (unsigned i = 0; i < kThreads; ++i) {
      EXPECT_EQ(sums_.data()[number * kThreads + i], a[i] + a[i ^ bit]) << bit << " " << i;
      EXPECT_EQ(folds_.data()[number * kThreads + i], i & bit ? b[i] + b[i ^ bit] : a[i] + a[i ^ bit])
          << bit << " " << i;
    }
}

TEST_P(Lanes, HandOnToTheLaneAbove) {
  for (unsigned i = 0; i < kThreads; ++i)
    EXPECT_EQ(shifted_.data()[i], i % 32 == 0 ? b_.data()[i + kStep] : a_.data()[i - 1]) << i;
}

INSTANTIATE_TEST_SUITE_P(Waves, Lanes, testing::Values(32u, 64u));

}  // namespace
}  // namespace splat::gpu
