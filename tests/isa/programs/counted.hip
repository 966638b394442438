// Kernels that execute what counted.py knows: blocks of one wave each. With kMore, that many vector and scalar
// instructions more.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kBlocks = 3, kStride = 64;  // words: two lines of 128 bytes

struct Args {
  uint32_t* near;  // [blocks * wave]
  uint32_t* far;   // [blocks * wave * kStride]
  uint32_t* out;   // [blocks * wave]
  uint32_t* sums;  // [8]
};

template <int kMore>
__global__ void counted_kernel(Args a) {
  __shared__ uint32_t lds[128];
  const uint32_t lane = threadIdx.x, thread = blockIdx.x * blockDim.x + lane;
  uint32_t x = a.near[thread];
  x += a.far[thread * kStride];
  lds[2 * lane] = x;  // every second bank
  __syncthreads();
  x += lds[2 * (lane ^ 1)];       // the same
  asm volatile("" ::: "memory");  // or it could be one instruction
  x += lds[2];                    // one word for all
  if (lane < 5) {
    float y = float(x);
    asm volatile("v_exp_f32 %0, %0\n\tv_log_f32 %0, %0\n\tv_rcp_f32 %0, %0" : "+v"(y));
    x += uint32_t(y);
  }
  uint32_t uniform;
  asm volatile("s_mov_b32 %0, 0" : "=s"(uniform));
#pragma unroll
  for (int i = 0; i < kMore; ++i) {
    asm volatile("v_xor_b32 %0, %0, %0" : "+v"(x));
    asm volatile("s_xor_b32 %0, %0, %0" : "+s"(uniform) : : "scc");
    asm volatile("s_nop 0");
  }
  atomicAdd(a.sums + lane % 8, x);
  a.out[thread] = x + uniform;
}

void check(hipError_t error) {
  if (error == hipSuccess) return;
  std::printf("%s\n", hipGetErrorString(error));
  std::exit(1);
}

}  // namespace

int main() {
  hipDeviceProp_t device;
  check(hipGetDeviceProperties(&device, 0));
  const size_t threads = kBlocks * size_t(device.warpSize);
  Args a = {};
  check(hipMalloc(reinterpret_cast<void**>(&a.near), 4 * threads));
  check(hipMalloc(reinterpret_cast<void**>(&a.far), 4 * threads * kStride));
  check(hipMalloc(reinterpret_cast<void**>(&a.out), 4 * threads));
  check(hipMalloc(reinterpret_cast<void**>(&a.sums), 4 * 8));
  check(hipMemsetAsync(a.near, 0, 4 * threads, nullptr));
  check(hipMemsetAsync(a.far, 0, 4 * threads * kStride, nullptr));
  check(hipMemsetAsync(a.sums, 0, 4 * 8, nullptr));
  hipLaunchKernelGGL(counted_kernel<0>, dim3(kBlocks), dim3(unsigned(device.warpSize)), 0, nullptr, a);
  hipLaunchKernelGGL(counted_kernel<7>, dim3(kBlocks), dim3(unsigned(device.warpSize)), 0, nullptr, a);
  check(hipGetLastError());
  check(hipDeviceSynchronize());
  return 0;
}
