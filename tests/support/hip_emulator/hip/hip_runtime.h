// HIP's names for kernels that run on the CPU, in tests: found as <hip/hip_runtime.h> in place of AMD's. Only what
// splat/core/gpu_runtime.h and its users need; the calls behave as on a device that finishes everything at once, or
// (Device::asynchronous) as late as it may.
// See hip_emulator.h for what is checked while a kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/support/hip_emulator/hip_emulator.h"

#define SPLAT_GPU_EMULATOR 1

// NOLINTBEGIN(bugprone-reserved-identifier): the language of the kernels
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define threadIdx (::hip_emulator::current_thread->index)
#define blockIdx (::hip_emulator::current_block.index)
#define blockDim (::hip_emulator::current_block.block_size)
#define gridDim (::hip_emulator::current_block.grid_size)
#define __syncthreads() ::hip_emulator::barrier(::hip_emulator::Site::current())
// NOLINTEND(bugprone-reserved-identifier)

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorNotReady = 600,
  hipErrorUnknown = 999
};
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
using hipStream_t = struct EmulatedStream*;
using hipEvent_t = struct EmulatedEvent*;
using dim3 = ::hip_emulator::Dim3;

struct hipDeviceProp_t {
  char name[256];
  char gcnArchName[256];
  size_t totalGlobalMem;
  int warpSize;
  int integrated;
};

const char* hipGetErrorString(hipError_t error);
hipError_t hipGetLastError();
#define HIP_VERSION 60200000
hipError_t hipRuntimeGetVersion(int* version);
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDevice(int* device);
hipError_t hipSetDevice(int device);
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
hipError_t hipMemGetInfo(size_t* free, size_t* total);
hipError_t hipMalloc(void** p, size_t bytes);
hipError_t hipFree(void* p);
hipError_t hipHostMalloc(void** p, size_t bytes, unsigned flags = 0);
hipError_t hipHostFree(void* p);
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemsetAsync(void* to, int byte, size_t bytes, hipStream_t stream);
hipError_t hipStreamCreate(hipStream_t* stream);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
inline constexpr unsigned hipEventBlockingSync = 1, hipEventDisableTiming = 2;
hipError_t hipEventCreate(hipEvent_t* event);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventElapsedTime(float* ms, hipEvent_t begin, hipEvent_t end);

template <class T>
T atomicAdd(T* to, T value) {
  const T old = *to;
  *to = old + value;
  return old;
}
template <class T>
T atomicMin(T* to, T value) {
  const T old = *to;
  if (value < old) *to = value;
  return old;
}
template <class T>
T atomicMax(T* to, T value) {
  const T old = *to;
  if (value > old) *to = value;
  return old;
}
