// The emulator runs kernels as a GPU would, at both wave sizes, and reports planted bugs of every kind.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "splat/core/gpu_buffer.h"
#include "splat/core/gpu_sort.h"

namespace splat::gpu {
namespace {

class Emulator : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { hip_emulator::device().wave_size = GetParam(); }

  // What a kernel is reported for; "" for nothing.
  template <class Args>
  static std::string fault_of(void (*kernel)(Args), unsigned threads, const Args& args) {
    try {
      launch("planted", kernel, dim3(2), threads, nullptr, args);
    } catch (const hip_emulator::Fault& fault) {
      return fault.what();
    }
    return "";
  }
  static void expect_fault(const std::string& fault, const std::string& part) {
    EXPECT_NE(fault.find("kernel planted, block (0,0,0), thread ("), std::string::npos) << fault;
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  }
};

// ---- what works

struct SumArgs {
  const float* in;
  float* out;  // [blocks]
};
template <int kWave>
__global__ void block_sums(SumArgs args) {
  SPLAT_LDS(float, sums, 4);
  const unsigned thread = threadIdx.x, wave = thread / kWave;
  const float sum = wave_sum<kWave>(args.in[blockIdx.x * blockDim.x + thread]);
  if (thread % kWave == 0) sums[wave] = sum;
  __syncthreads();
  if (thread > 0) return;
  float total = 0;
  for (unsigned w = 0; w < blockDim.x / kWave; ++w) total += sums[w];
  args.out[blockIdx.x] = total;
}

TEST_P(Emulator, SumsBlocks) {
  constexpr unsigned kBlocks = 5, kThreads = 128;
  DeviceBuffer<float> in, out;
  in.reserve_discarding(kBlocks * kThreads);
  out.reserve_discarding(kBlocks);
  for (unsigned i = 0; i < kBlocks * kThreads; ++i) in.data()[i] = float(i);
  launch("block_sums", GetParam() == 32 ? block_sums<32> : block_sums<64>, dim3(kBlocks), kThreads, nullptr,
         {in.data(), out.data()});
  for (unsigned b = 0; b < kBlocks; ++b) EXPECT_EQ(out.data()[b], float(kThreads) * (float(kThreads) * b + 63.5f));
}

struct WaveArgs {
  uint64_t* ballots;    // [threads]
  int* ups;             // [threads]
  int* from_in_eights;  // [threads]
  int* exchanged;       // [threads]
};
template <int kWave>
__global__ void wave_operations(WaveArgs args) {
  const int i = int(threadIdx.x), lane = i % kWave;
  args.ballots[i] = wave_ballot(lane % 3 == 0);
  args.ups[i] = wave_shuffle_up(i, 5, 32);
  args.from_in_eights[i] = wave_shuffle(i, 3, 8);
  args.exchanged[i] = wave_shuffle_xor(i, 9, 16);
}

TEST_P(Emulator, WaveOperationsFollowHip) {
  constexpr int kThreads = 128;
  const int wave = int(GetParam());
  std::vector<uint64_t> ballots(kThreads);
  std::vector<int> ups(kThreads), from(kThreads), exchanged(kThreads);
  launch("wave_operations", wave == 32 ? wave_operations<32> : wave_operations<64>, dim3(1), kThreads, nullptr,
         {ballots.data(), ups.data(), from.data(), exchanged.data()});
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(ballots[size_t(i)], 0x9249249249249249u & (wave == 64 ? ~uint64_t(0) : 0xffffffffu));
    EXPECT_EQ(ups[size_t(i)], i % 32 < 5 ? i : i - 5);
    EXPECT_EQ(from[size_t(i)], i / 8 * 8 + 3);
    EXPECT_EQ(exchanged[size_t(i)], i ^ 9);
  }
}

struct HistogramArgs {
  const uint32_t* values;
  uint32_t* counts;  // [4]
};
__global__ void histogram(HistogramArgs args) {
  SPLAT_LDS(uint32_t, counts, 4);
  if (threadIdx.x < 4) counts[threadIdx.x] = 0u;
  __syncthreads();
  atomicAdd(&counts[args.values[blockIdx.x * blockDim.x + threadIdx.x]], 1u);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(args.counts + threadIdx.x, uint32_t(counts[threadIdx.x]));
}

TEST_P(Emulator, CountsWithAtomics) {
  std::vector<uint32_t> values(512), counts(4);
  for (uint32_t i = 0; i < 512; ++i) values[i] = i % 7 % 4;
  launch("histogram", histogram, dim3(4), 128, nullptr, HistogramArgs{values.data(), counts.data()});
  EXPECT_EQ(counts, (std::vector<uint32_t>{147, 146, 146, 73}));
}

TEST_P(Emulator, ThreeDimensionalGridsReachEveryBlock) {
  std::vector<int> seen(24);
  launch(
      "blocks", +[](int* out) { ++out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x]; }, dim3(4, 3, 2),
      2, nullptr, seen.data());
  EXPECT_EQ(seen, std::vector<int>(24, 2));
}

TEST_P(Emulator, SortsStablyByTheBitsAskedFor) {
  std::vector<uint32_t> keys{0x31, 0x12, 0x23, 0x11, 0xF2}, values{0, 1, 2, 3, 4}, keys_out(5), values_out(5);
  std::vector<std::byte> memory(sort_temporary_bytes(5));
  sort_pairs({memory.data(), memory.size()}, {keys.data(), keys_out.data(), values.data(), values_out.data(), 5, 0, 4},
             nullptr);
  EXPECT_EQ(values_out, (std::vector<uint32_t>{0, 3, 1, 4, 2}));
  exclusive_scan({memory.data(), memory.size()}, values.data(), keys_out.data(), 5, nullptr);
  EXPECT_EQ(keys_out, (std::vector<uint32_t>{0, 0, 1, 3, 6}));
}

// ---- planted bugs

struct Nothing {};

__global__ void barrier_for_some(Nothing) {
  if (threadIdx.x < 40) __syncthreads();
}
__global__ void barriers_apart(Nothing) {
  if (threadIdx.x < 40) {  // NOLINT(bugprone-branch-clone): two barriers, not one
    __syncthreads();
  } else {
    __syncthreads();
  }
}
TEST_P(Emulator, ReportsBarriersNotReachedByAll) {
  expect_fault(fault_of(barrier_for_some, 128, Nothing{}), "was reached by 40 of 128 threads; 88 have finished");
  expect_fault(fault_of(barriers_apart, 128, Nothing{}), "were reached by different threads of the block at once");
}

__global__ void shuffle_for_some(float* out) {
  if (threadIdx.x % 2) out[threadIdx.x] = wave_shuffle_xor(1.0f, 2, 32);
}
__global__ void ballot_while_others_wait(float* out) {
  if (threadIdx.x == 5) out[0] = float(wave_ballot(true));
  __syncthreads();
}
__global__ void shuffles_apart(float* out) {
  if (threadIdx.x % 2)
    out[threadIdx.x] = wave_sum<32>(1.0f);
  else
    out[threadIdx.x] = wave_sum<32>(2.0f);
}
TEST_P(Emulator, ReportsWaveOperationsInDivergentFlow) {
  std::vector<float> out(128);
  const std::string half = std::to_string(GetParam() / 2), all = std::to_string(GetParam());
  expect_fault(fault_of(shuffle_for_some, 128, out.data()), "divergent flow: the wave operation at ");
  expect_fault(fault_of(shuffle_for_some, 128, out.data()),
               "was reached by " + half + " of " + all + " lanes; " + half + " have finished");
  expect_fault(fault_of(ballot_while_others_wait, 128, out.data()), "wait at a barrier");
  expect_fault(fault_of(shuffles_apart, 128, out.data()), "were reached by different lanes of a wave at once");
  expect_fault(fault_of(shuffle_for_some, 40, out.data()), "");
}

__global__ void lds_past_the_end(float* out) {
  SPLAT_LDS(float, values, 64);
  values[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void lds_never_written(float* out) {
  SPLAT_LDS(float, values, 128);
  if (threadIdx.x != 77) values[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void lds_without_barrier(float* out) {
  SPLAT_LDS(float, values, 128);
  values[threadIdx.x] = 1.0f;
  out[threadIdx.x] = values[(threadIdx.x + 64) % 128];
}
__global__ void lds_overwritten(float* out) {
  SPLAT_LDS(float, values, 128);
  values[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = values[(threadIdx.x + 64) % 128];
  values[threadIdx.x] = 2.0f;
}
__global__ void lds_atomic_never_written(Nothing) {
  SPLAT_LDS(uint32_t, count, 1);
  atomicAdd(&count[0], 1u);
}
__global__ void lds_from_the_block_before(float* out) {
  SPLAT_LDS(float, values, 128);
  if (blockIdx.x == 0) values[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}
TEST_P(Emulator, ReportsWrongUseOfLds) {
  std::vector<float> out(128);
  expect_fault(fault_of(lds_past_the_end, 128, out.data()), "LDS values[64] is out of range: it has 64 elements");
  expect_fault(fault_of(lds_never_written, 128, out.data()), "LDS values[77] is read before it was written");
  // Waves run one after another: the first finds nothing written, at the latest after the other has read.
  EXPECT_NE(fault_of(lds_without_barrier, 128, out.data()), "");
  expect_fault(fault_of(lds_overwritten, 128, out.data()), "without a barrier after another wave");
  expect_fault(fault_of(lds_atomic_never_written, 64, Nothing{}), "used by an atomic before it was written");
  EXPECT_NE(fault_of(lds_from_the_block_before, 128, out.data()).find("is read before it was written"),
            std::string::npos);
}

TEST_P(Emulator, GoesOnAfterAFault) {
  std::vector<float> out(128);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(fault_of(barrier_for_some, 128, Nothing{}), "");
    EXPECT_NE(fault_of(shuffle_for_some, 128, out.data()), "");
  }
  std::vector<uint32_t> values(128, 1), counts(4);
  launch("histogram", histogram, dim3(1), 128, nullptr, HistogramArgs{values.data(), counts.data()});
  EXPECT_EQ(counts[1], 128u);
}

__global__ void write_at(float* out) { *out = 1.0f; }
TEST_P(Emulator, ReportsGlobalAccessOutOfRangeDeathTest) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  DeviceBuffer<float> buffer;
  buffer.reserve_discarding(5);
  EXPECT_EQ(fault_of(write_at, 1, buffer.data() + 4), "");
#if defined(__SANITIZE_ADDRESS__)
  const char* const after = "AddressSanitizer";
#else
  const char* const after =
      "kernel planted, .*: global memory is out of range: an access 0 bytes past the end of a "
      "buffer of 20 bytes";
#endif
  EXPECT_DEATH(fault_of(write_at, 1, buffer.data() + 5), after);
  EXPECT_DEATH(fault_of(write_at, 1, buffer.data() - 1500), "");
}

TEST_P(Emulator, FreshMemoryIsNotANumber) {
  DeviceBuffer<float> buffer;
  buffer.reserve_discarding(3);
  EXPECT_NE(buffer.data()[1], buffer.data()[1]);
}

TEST_P(Emulator, OutOfMemoryNamesTheBytes) {
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + (3 << 20);
  DeviceBuffer<std::byte> first, second;
  first.reserve_discarding(2 << 20);
  try {
    second.reserve_discarding(5 << 20);
    ADD_FAILURE() << "5 MB of 1 MB were given out";
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.bytes_wanted, size_t(5) << 20);
    EXPECT_EQ(error.bytes_free, size_t(1) << 20);
    EXPECT_STREQ(error.what(), "the GPU refused hipMalloc: out of memory; 5 MB were wanted and 1 MB are free");
  }
  hip_emulator::device().memory_limit = hip_emulator::Device().memory_limit;
}

// A shuffle costs each lane one switch of fibres; far slower, and tests of whole trainings would take minutes.
struct ManyArgs {
  float* out;
  int times;
};
__global__ void many_shuffles(ManyArgs args) {
  float value = float(threadIdx.x);
  for (int i = 0; i < args.times; ++i) value = wave_shuffle_xor(value, 1 + i % 31, 32);
  args.out[threadIdx.x] = value;
}
TEST_P(Emulator, SwitchesFast) {
  std::vector<float> out(256);
  const auto begin = std::chrono::steady_clock::now();
  launch("many_shuffles", many_shuffles, dim3(1), 256, nullptr, ManyArgs{out.data(), 2000});
  const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  RecordProperty("nanoseconds_per_switch", std::to_string(ns / (256 * 2000)));
  std::printf("%.1f ns a lane and shuffle\n", ns / (256 * 2000));
  EXPECT_LT(ns / (256 * 2000), 2000);
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, Emulator, testing::Values(32u, 64u),
                         [](const auto& wave) { return "Wave" + std::to_string(wave.param); });

}  // namespace
}  // namespace splat::gpu
