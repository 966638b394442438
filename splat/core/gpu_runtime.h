// The GPU runtime and the few wave operations that kernels may use, under HIP's names on every device: AMD's header
// (hipcc), aliases onto CUDA (nvcc), or the emulator of the tests, found as <hip/hip_runtime.h>.
// Kernels take the wave size as a template parameter (32 or 64); the host launches the one that device_wave_size()
// says. Wave operations stand in flow that all lanes of the wave take together; masks of lanes are 64 bits wide.
// A kernel takes one struct by value. Its LDS is declared with SPLAT_LDS(type, name, count).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipDeviceProp_t cudaDeviceProp
#define hipEvent_t cudaEvent_t
#define hipEventBlockingSync cudaEventBlockingSync
#define hipEventCreate cudaEventCreate
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDestroy cudaEventDestroy
#define hipEventDisableTiming cudaEventDisableTiming
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventQuery cudaEventQuery
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipFree cudaFree
#define HIP_VERSION CUDART_VERSION
#define hipRuntimeGetVersion cudaDriverGetVersion
#define hipGetDevice cudaGetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipHostFree cudaFreeHost
#define hipHostMalloc cudaMallocHost
#define hipLaunchKernel cudaLaunchKernel
#define hipMalloc cudaMalloc
#define hipMemGetInfo cudaMemGetInfo
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyKind cudaMemcpyKind
#define hipMemsetAsync cudaMemsetAsync
#define hipSetDevice cudaSetDevice
#define hipStreamCreate cudaStreamCreate
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStream_t cudaStream_t
#else
#include <hip/hip_runtime.h>
#endif

#include "splat/core/device_error.h"

#define SPLAT_DEVICE __device__ __forceinline__

#if defined(SPLAT_GPU_EMULATOR)
#define SPLAT_LDS(type, name, ...) static ::hip_emulator::Lds<type, (__VA_ARGS__)> name(#name)
#define SPLAT_LAUNCH_BOUNDS(threads)
#define SPLAT_LAUNCH_BOUNDS_CUDA(threads, blocks)
#else
#define SPLAT_LDS(type, name, ...) __shared__ type name[__VA_ARGS__]
#define SPLAT_LAUNCH_BOUNDS(threads) __launch_bounds__(threads)
// blocks: on a CUDA multiprocessor at least; without it nvcc may rather spill a register than lose a block.
#if defined(__CUDACC__)
#define SPLAT_LAUNCH_BOUNDS_CUDA(threads, blocks) __launch_bounds__(threads, blocks)
#else
#define SPLAT_LAUNCH_BOUNDS_CUDA(threads, blocks) __launch_bounds__(threads)
#endif
#endif

// Throws DeviceError unless the call succeeds.
#define SPLAT_GPU_CHECK(call) ::splat::gpu::check_call((call), #call)

namespace splat::gpu {

inline void check_call(hipError_t error, const char* call) {
  if (error != hipSuccess) throw DeviceError(call, hipGetErrorString(error));
}

// kernel: __global__, of one struct. Empty grids are not launched.
template <class Args>
void launch(const char* name, void (*kernel)(Args), dim3 grid, unsigned block, hipStream_t stream, const Args& args) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
#if defined(SPLAT_GPU_EMULATOR)
  (void)stream;
  ::hip_emulator::launch(name, grid, block, [kernel, args] { kernel(args); });
  if (::hip_emulator::device_lost()) check_call(hipErrorUnknown, name);
#else
  void* pointers[] = {const_cast<Args*>(&args)};
  check_call(hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, dim3(block), pointers, 0, stream), name);
#endif
}

// ---- for kernels

#if defined(SPLAT_GPU_EMULATOR)
using Site = ::hip_emulator::Site;  // where a wave operation was called: helpers pass their caller's on
#else
struct Site {
  SPLAT_DEVICE static constexpr Site current() { return {}; }
};
#endif

// Is this code compiled for a device of this wave size? The other instantiation of a kernel is never launched there
// and need not contain anything.
template <int kWave>
SPLAT_DEVICE constexpr bool wave_size_is() {
#if defined(SPLAT_GPU_EMULATOR)
  return true;
#elif defined(__HIP_DEVICE_COMPILE__) && defined(__GFX9__)
  return kWave == 64;
#else
  return kWave == 32;
#endif
}

#if defined(__CUDACC__)
SPLAT_DEVICE int first_lane(uint64_t mask) { return __ffsll(static_cast<long long>(mask)) - 1; }  // mask != 0
SPLAT_DEVICE int first_lane(uint32_t mask) { return __ffs(static_cast<int>(mask)) - 1; }          // mask != 0
SPLAT_DEVICE int leading_zeros(uint32_t value) { return __clz(static_cast<int>(value)); }         // value != 0
#else
SPLAT_DEVICE int first_lane(uint64_t mask) { return __builtin_ctzll(mask); }     // mask != 0
SPLAT_DEVICE int first_lane(uint32_t mask) { return __builtin_ctz(mask); }       // mask != 0
SPLAT_DEVICE int leading_zeros(uint32_t value) { return __builtin_clz(value); }  // value != 0
#endif

SPLAT_DEVICE uint32_t float_bits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Lanes of a wave, bit = lane. A mask of 64 bits takes two registers, and two instructions for most of what is done to
// it.
template <int kWave>
using LaneMask = std::conditional_t<kWave == 64, uint64_t, uint32_t>;

SPLAT_DEVICE uint64_t wave_ballot(bool predicate, Site site = Site::current()) {
#if defined(SPLAT_GPU_EMULATOR)
  return ::hip_emulator::ballot(predicate, site);
#elif defined(__CUDACC__)
  (void)site;
  return __ballot_sync(0xffffffffu, predicate);
#elif defined(__AMDGCN__) && __has_builtin(__builtin_amdgcn_ballot_w32) && __has_builtin(__builtin_amdgcn_ballot_w64)
  (void)site;
#if defined(__GFX9__)
  return __builtin_amdgcn_ballot_w64(predicate);
#else
  return __builtin_amdgcn_ballot_w32(predicate);
#endif
#else  // two instructions more
  (void)site;
  return __ballot(predicate);
#endif
}
SPLAT_DEVICE bool wave_any(bool predicate, Site site = Site::current()) { return wave_ballot(predicate, site) != 0; }

// The value of lane `lane`, counted in the group of `width` lanes.
template <class T>
SPLAT_DEVICE T wave_shuffle(T value, int lane, int width, Site site = Site::current()) {
#if defined(SPLAT_GPU_EMULATOR)
  return ::hip_emulator::shuffle(::hip_emulator::Shuffle::kFrom, value, lane, unsigned(width), site);
#elif defined(__CUDACC__)
  (void)site;
  return __shfl_sync(0xffffffffu, value, lane, width);
#else
  (void)site;
  return __shfl(value, lane, width);
#endif
}
template <class T>
SPLAT_DEVICE T wave_shuffle_xor(T value, int lanes, int width, Site site = Site::current()) {
#if defined(SPLAT_GPU_EMULATOR)
  return ::hip_emulator::shuffle(::hip_emulator::Shuffle::kXor, value, lanes, unsigned(width), site);
#elif defined(__CUDACC__)
  (void)site;
  return __shfl_xor_sync(0xffffffffu, value, lanes, width);
#else
  (void)site;
  return __shfl_xor(value, lanes, width);
#endif
}
template <class T>
SPLAT_DEVICE T wave_shuffle_up(T value, int lanes, int width, Site site = Site::current()) {
#if defined(SPLAT_GPU_EMULATOR)
  return ::hip_emulator::shuffle(::hip_emulator::Shuffle::kUp, value, lanes, unsigned(width), site);
#elif defined(__CUDACC__)
  (void)site;
  return __shfl_up_sync(0xffffffffu, value, unsigned(lanes), width);
#else
  (void)site;
  return __shfl_up(value, unsigned(lanes), width);
#endif
}

// The wave's sum, in all lanes; always in the same order.
template <int kWave, class T>
SPLAT_DEVICE T wave_sum(T value, Site site = Site::current()) {
#pragma unroll
  for (int step = kWave / 2; step > 0; step /= 2) value += wave_shuffle_xor(value, step, kWave, site);
  return value;
}

}  // namespace splat::gpu
