// The functions of libamdhip64 that the plugin, rocPRIM and the code that hipcc adds to them call. Every call is done
// when it returns; copies and fills are checked like accesses of kernels.
#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "tests/isa/runtime/code_objects.h"
#include "tests/isa/runtime/launch.h"
#include "tests/isa/runtime/statistics.h"

namespace isa {
namespace {

constexpr size_t kDeviceBytes = size_t(2) << 30;

std::unordered_map<const void*, const KernelCode*>& bound() {
  static std::unordered_map<const void*, const KernelCode*> bound;
  return bound;
}
struct Configuration {
  dim3 blocks, threads;
  size_t shared;
  hipStream_t stream;
};
std::vector<Configuration>& configurations() {
  static std::vector<Configuration> configurations;
  return configurations;
}

size_t& taken() {
  static size_t bytes = 0;
  return bytes;
}
std::unordered_map<void*, size_t>& sizes() {
  static std::unordered_map<void*, size_t> sizes;
  return sizes;
}

// Fresh memory is full of NaN, and a gap follows it.
hipError_t take(void** to, size_t bytes) {
  if (bytes > kDeviceBytes - taken()) return hipErrorOutOfMemory;
  void* const memory = std::aligned_alloc(256, (bytes + 511) / 256 * 256);
  if (!memory) return hipErrorOutOfMemory;
  std::memset(memory, 0xff, bytes);
  Memory::instance().add(u64(memory), bytes);
  sizes()[memory] = bytes;
  taken() += bytes;
  *to = memory;
  return hipSuccess;
}
hipError_t drop(void* memory) {
  if (!memory) return hipSuccess;
  Memory::instance().remove(u64(memory));
  taken() -= sizes()[memory];
  sizes().erase(memory);
  std::free(memory);
  return hipSuccess;
}

void demand(const char* call, const void* memory, size_t bytes) {
  if (bytes && !Memory::instance().contains(u64(memory), bytes)) {
    place().kernel = call;
    fault(0, "access of %zu bytes outside of all allocations, at %p", bytes, memory);
  }
}

}  // namespace
}  // namespace isa

using namespace isa;

// NOLINTBEGIN(bugprone-reserved-identifier): the names that compiled host code calls.
extern "C" {

void** __hipRegisterFatBinary(const void* wrapper) {
  return reinterpret_cast<void**>(const_cast<TranslatedObject*>(find_object(wrapper)));
}
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void** object, const void* host, char*, const char* name, unsigned, void*, void*, void*,
                           void*, int*) {
  const KernelCode* const kernel = find_kernel(*reinterpret_cast<const TranslatedObject*>(object), name);
  if (!kernel) fault(0, "the code object of %s has no kernel %s", architecture(), name);
  bound()[host] = kernel;
}
hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 threads, size_t shared, hipStream_t stream) {
  configurations().push_back({blocks, threads, shared, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* blocks, dim3* threads, size_t* shared, hipStream_t* stream) {
  const Configuration last = configurations().back();
  configurations().pop_back();
  *blocks = last.blocks, *threads = last.threads, *shared = last.shared, *stream = last.stream;
  return hipSuccess;
}
hipError_t hipLaunchKernel(const void* host, dim3 blocks, dim3 threads, void** arguments, size_t shared, hipStream_t) {
  const auto kernel = bound().find(host);
  if (kernel == bound().end()) return hipErrorInvalidDeviceFunction;
  launch(*kernel->second, {{blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z}}, arguments, shared);
  return hipSuccess;
}

hipError_t hipMalloc(void** to, size_t bytes) { return take(to, bytes); }
hipError_t hipHostMalloc(void** to, size_t bytes, unsigned) { return take(to, bytes); }
hipError_t hipFree(void* memory) { return drop(memory); }
hipError_t hipHostFree(void* memory) { return drop(memory); }
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t) {
  if (kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice) demand("hipMemcpyAsync", to, bytes);
  if (kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice) demand("hipMemcpyAsync", from, bytes);
  count_transfer("hipMemcpyAsync", bytes);
  std::memmove(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t) {
  demand("hipMemsetAsync", to, bytes);
  count_transfer("hipMemsetAsync", bytes);
  std::memset(to, value, bytes);
  return hipSuccess;
}
hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  *free = kDeviceBytes - taken(), *total = kDeviceBytes;
  return hipSuccess;
}

hipError_t hipRuntimeGetVersion(int* version) {
  *version = HIP_VERSION;
  return hipSuccess;
}
hipError_t hipGetDeviceCount(int* count) {
  *count = 1;
  return hipSuccess;
}
hipError_t hipGetDevice(int* device) {
  *device = 0;
  return hipSuccess;
}
hipError_t hipSetDevice(int) { return hipSuccess; }
int hipGetStreamDeviceId(hipStream_t) { return 0; }
hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int) {
  std::memset(p, 0, sizeof *p);
  std::strcpy(p->name, "machine code on the CPU");
  std::strcpy(p->gcnArchName, architecture());
  p->warpSize = std::strncmp(architecture(), "gfx9", 4) == 0 ? 64 : 32;
  p->totalGlobalMem = kDeviceBytes;
  p->multiProcessorCount = 8;
  p->maxThreadsPerBlock = 1024;
  p->sharedMemPerBlock = 65536;
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t, int) {
  *value = 0;
  return hipSuccess;
}
hipError_t hipGetLastError() { return hipSuccess; }
hipError_t hipPeekAtLastError() { return hipSuccess; }
const char* hipGetErrorString(hipError_t error) {
  return error == hipSuccess ? "no error" : "error of the stand-in runtime";
}
const char* hipGetErrorName(hipError_t error) { return error == hipSuccess ? "hipSuccess" : "hipErrorUnknown"; }

hipError_t hipStreamCreate(hipStream_t* stream) {
  static int one;
  *stream = reinterpret_cast<hipStream_t>(&one);
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t) { return hipSuccess; }
hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
hipError_t hipDeviceSynchronize() { return hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
  static int one;
  *event = reinterpret_cast<hipEvent_t>(&one);
  return hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }
hipError_t hipEventDestroy(hipEvent_t) { return hipSuccess; }
hipError_t hipEventRecord(hipEvent_t, hipStream_t) { return hipSuccess; }
hipError_t hipEventQuery(hipEvent_t) { return hipSuccess; }
hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t, hipEvent_t) {
  *milliseconds = 1;
  return hipSuccess;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
