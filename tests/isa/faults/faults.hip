// Kernels with one planted fault each, for the checks of the executed machine code: faults NAME. "none" runs the same
// work without a fault, "constants" reads what stands beside the code.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr unsigned kThreads = 256, kBlocks = 8, kCount = kThreads * kBlocks;

struct Args {
  uint32_t* data;     // [kCount]
  uint32_t* result;   // [kCount]
  uint32_t* counter;  // [1]
  uint32_t shift;     // 0 where the kernel is to be right
};

__device__ uint32_t global_id() { return blockIdx.x * kThreads + threadIdx.x; }

__global__ void read_beyond(Args a) { a.result[global_id()] = a.data[global_id() + a.shift * kCount]; }
__global__ void write_beyond(Args a) { a.result[global_id() + a.shift * kCount] = 1; }
__global__ void misaligned_memory(Args a) {
  const char* bytes = reinterpret_cast<const char*>(a.data);
  a.result[global_id()] = *reinterpret_cast<const uint32_t*>(bytes + 4 * threadIdx.x + 2 * a.shift);
}
__global__ void misaligned_scalar(Args a) {
  const char* bytes = reinterpret_cast<const char*>(a.data);
  a.result[global_id()] = *reinterpret_cast<const uint32_t*>(bytes + 4 * blockIdx.x + 2 * a.shift);
}
__global__ void misaligned_lds(Args a) {
  __shared__ uint32_t words[2 * kThreads + 4];
  for (uint32_t i = threadIdx.x; i < 2 * kThreads + 4; i += kThreads) words[i] = i;
  __syncthreads();
  uint64_t both;
  const uint32_t at = 8 * threadIdx.x + 4 * a.shift;
  asm volatile("ds_read_b64 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(both) : "v"(at) : "memory");
  a.result[global_id()] = uint32_t(both) + words[kThreads - 1 - threadIdx.x];
}
__global__ void lds_beyond(Args a) {
  __shared__ uint32_t words[kThreads];
  words[threadIdx.x + a.shift * kThreads] = threadIdx.x;
  __syncthreads();
  a.result[global_id()] = words[threadIdx.x];
}
__global__ void lds_never_written(Args a) {
  __shared__ uint32_t words[kThreads];
  if (threadIdx.x >= a.shift) words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a.result[global_id()] = words[threadIdx.x];
}
// The assembler's text is empty: the register is never written.
__global__ void register_as_data(Args a) {
  uint32_t value = 1;
  if (a.shift) asm volatile("" : "=v"(value));
  a.result[global_id()] = value;
}
__global__ void register_as_address(Args a) {
  uint32_t value = threadIdx.x;
  if (a.shift) asm volatile("; nothing" : "=v"(value));
  a.result[global_id()] = a.data[value % kCount];
}
__global__ void register_decides(Args a) {
  uint32_t value = threadIdx.x;
  if (a.shift) asm volatile("; nothing" : "=v"(value));
  if (value % 3 == 1) a.result[global_id()] = a.data[global_id()];
}
// Wave after wave reads what another one has just written; the barrier in between is missing.
__global__ void lds_race_read(Args a) {
  __shared__ uint32_t words[kThreads];
  words[threadIdx.x] = 0;
  __syncthreads();
  words[threadIdx.x] = threadIdx.x;
  if (!a.shift) __syncthreads();
  a.result[global_id()] = words[kThreads - 1 - threadIdx.x];
}
__global__ void lds_race_write(Args a) {
  __shared__ uint32_t words[kThreads];
  words[a.shift ? threadIdx.x % 64 : threadIdx.x] = blockIdx.x;
  __syncthreads();
  a.result[global_id()] = words[threadIdx.x % 64];
}
__global__ void block_race_write(Args a) { a.result[a.shift ? threadIdx.x : global_id()] = blockIdx.x; }
__global__ void block_race_read(Args a) {
  a.data[global_id()] = threadIdx.x;
  a.result[global_id()] = a.data[a.shift ? (global_id() + kThreads) % kCount : global_id()];
}
__global__ void atomic_and_plain(Args a) {
  atomicAdd(a.counter, 1u);
  a.result[global_id()] = a.shift ? a.counter[0] : 0;
}
// Right, but what comes out depends on which block is first.
__global__ void order_matters(Args a) {
  __shared__ uint32_t ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(a.counter, 1u);
  __syncthreads();
  a.result[global_id()] = a.shift ? ticket : blockIdx.x;
}
// Right, but a result that is off by one unit in the last place changes it.
__global__ void last_place_matters(Args a) {
  const float x = 1.0f + float(global_id()) / 4096.0f;
  const float y = __builtin_amdgcn_sqrtf(x);
  uint32_t bits;
  __builtin_memcpy(&bits, &y, 4);
  a.result[global_id()] = a.shift ? bits & 1 : bits >> 8;
}
__global__ void gives_up(Args a) {
  if (a.shift) __builtin_trap();
  a.result[global_id()] = 1;
}
// No fault: a table that the compiler lays beside the code.
__host__ __device__ uint32_t word_of_a_table(uint32_t i) {
  constexpr uint32_t kTable[] = {0xb7e15162, 0x8aed2a6a, 0xbf715880, 0x9cf4f3c7, 0x62e7160f, 0x38b4da56, 0xa784d904};
  return kTable[i % (sizeof kTable / sizeof kTable[0])];
}
__global__ void constants(Args a) { a.result[global_id()] = word_of_a_table(a.data[global_id()] + global_id()); }
__global__ void never_ends(Args a) {
  for (uint32_t i = 0; i != 3 || a.shift; i += 1) asm volatile("s_nop 0");
  a.result[global_id()] = 0;
}

struct Fault {
  const char* name;
  void (*kernel)(Args);
};
const Fault kFaults[] = {{"read_beyond", read_beyond},
                         {"write_beyond", write_beyond},
                         {"misaligned_memory", misaligned_memory},
                         {"misaligned_scalar", misaligned_scalar},
                         {"misaligned_lds", misaligned_lds},
                         {"lds_beyond", lds_beyond},
                         {"lds_never_written", lds_never_written},
                         {"register_as_data", register_as_data},
                         {"register_as_address", register_as_address},
                         {"register_decides", register_decides},
                         {"lds_race_read", lds_race_read},
                         {"lds_race_write", lds_race_write},
                         {"block_race_write", block_race_write},
                         {"block_race_read", block_race_read},
                         {"atomic_and_plain", atomic_and_plain},
                         {"order_matters", order_matters},
                         {"last_place_matters", last_place_matters},
                         {"never_ends", never_ends},
                         {"gives_up", gives_up}};

const Fault kConstants = {"constants", constants};

uint32_t* device_array(size_t count) {
  void* memory = nullptr;
  if (hipMalloc(&memory, 4 * count) != hipSuccess) return nullptr;
  (void)hipMemsetAsync(memory, 0, 4 * count, nullptr);
  return static_cast<uint32_t*>(memory);
}

std::vector<uint32_t> run(const Fault& fault, uint32_t shift) {
  Args args{device_array(kCount), device_array(kCount), device_array(1), shift};
  void* pointers[] = {&args};
  (void)hipLaunchKernel(reinterpret_cast<const void*>(fault.kernel), dim3(kBlocks), dim3(kThreads), pointers, 0,
                        nullptr);
  std::vector<uint32_t> result(kCount);
  (void)hipMemcpyAsync(result.data(), args.result, 4 * kCount, hipMemcpyDeviceToHost, nullptr);
  uint64_t digest = 1469598103934665603u;
  for (uint32_t word : result) digest = (digest ^ word) * 1099511628211u;
  std::printf("digest of %s: %016llx\n", fault.name, static_cast<unsigned long long>(digest));
  for (uint32_t* memory : {args.data, args.result, args.counter}) (void)hipFree(memory);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "none") {
    for (const Fault& fault : kFaults) run(fault, 0);
    return 0;
  }
  if (name == "constants") {
    const std::vector<uint32_t> result = run(kConstants, 0);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < kCount; ++i) wrong += result[i] != word_of_a_table(i);
    std::printf("%u of %u constants are wrong\n", wrong, kCount);
    return wrong ? 1 : 0;
  }
  if (name == "copy_beyond") {
    std::vector<uint32_t> host(kCount + 1);
    (void)hipMemcpyAsync(host.data(), device_array(kCount), 4 * (kCount + 1), hipMemcpyDeviceToHost, nullptr);
    return 0;
  }
  for (const Fault& fault : kFaults)
    if (name == fault.name) {
      run(fault, 1);
      return 0;
    }
  std::fprintf(stderr, "usage: faults none|constants|copy_beyond|NAME OF A FAULT\n");
  return 2;
}
