// The emulated device's memory and the calls of the HIP runtime. Every buffer ends at a page that must not be touched
// and begins behind another; fresh memory holds a pattern that is NaN as a float.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "hip/hip_runtime.h"

namespace hip_emulator {

std::string kernel_place();

bool sees_second_kind() { return !device().beside.empty() && !getenv("ROCR_VISIBLE_DEVICES"); }
bool device_lost() { return counters().launches > device().lost_after_launches; }

namespace {

std::deque<std::function<void()>>& waiting() {
  static std::deque<std::function<void()>> work;
  return work;
}
void do_next() {
  const std::function<void()> work = std::move(waiting().front());
  waiting().pop_front();
  work();
}

constexpr int kFreshByte = 0xFF;

struct Allocation {
  std::byte* pages;  // the first guard page
  size_t page_count, bytes;
};

std::map<const std::byte*, Allocation>& allocations() {
  static std::map<const std::byte*, Allocation> all;
  return all;
}

size_t page_bytes() { return size_t(sysconf(_SC_PAGESIZE)); }

// Says which buffer a stray access belongs to, then lets the signal end the process.
void report_stray_access(int signal_number, siginfo_t* info, void*) {
  const auto* address = static_cast<const std::byte*>(info->si_addr);
  for (const auto& [begin, allocation] : allocations()) {
    const std::byte* end = allocation.pages + allocation.page_count * page_bytes();
    if (address < allocation.pages || address >= end) continue;
    const bool after = address >= begin + allocation.bytes;
    std::fprintf(stderr, "%s: global memory is out of range: an access %zu bytes %s a buffer of %zu bytes\n",
                 kernel_place().c_str(), size_t(after ? address - (begin + allocation.bytes) : begin - address),
                 after ? "past the end of" : "before", allocation.bytes);
  }
  signal(signal_number, SIG_DFL);
}

void install_handler() {
#if !defined(__SANITIZE_ADDRESS__)  // which has one of its own
  struct sigaction action = {};
  action.sa_sigaction = report_stray_access;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
#else
  (void)report_stray_access;
#endif
}

// The largest power of two up to 16 that divides the size: the end then lies exactly at the guard page.
size_t alignment_of(size_t bytes) {
  size_t alignment = 16;
  while (bytes % alignment) alignment /= 2;
  return alignment;
}

std::byte* allocate(size_t bytes) {
  static const bool installed = (install_handler(), true);
  (void)installed;
  const size_t page = page_bytes(), pages = (bytes + page - 1) / page + 2;
  void* p = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(p);
  mprotect(first, page, PROT_NONE);
  mprotect(first + (pages - 1) * page, page, PROT_NONE);
  std::byte* begin = first + (pages - 1) * page - bytes;
  begin -= size_t(reinterpret_cast<uintptr_t>(begin) % alignment_of(bytes));
  std::memset(static_cast<void*>(begin), kFreshByte, bytes);
  allocations()[begin] = {first, pages, bytes};
  return begin;
}

}  // namespace

thread_local int current_device = 0;
void count_device() { counters().devices |= uint64_t(1) << current_device; }

void enqueue(std::function<void()> work) {
  count_device();
  waiting().push_back(std::move(work));
  if (!device().asynchronous) finish_everything();
}
void finish_everything() {
  while (!waiting().empty()) do_next();
}

}  // namespace hip_emulator

struct EmulatedEvent {
  bool spins = true;
  uint64_t requested = 0, done = 0;  // how often it was recorded
  std::chrono::steady_clock::time_point recorded;
};

using hip_emulator::counters;
using hip_emulator::device;

const char* hipGetErrorString(hipError_t error) {
  switch (error) {
    case hipSuccess:
      return "no error";
    case hipErrorInvalidValue:
      return "invalid argument";
    case hipErrorOutOfMemory:
      return "out of memory";
    case hipErrorNotReady:
      return "not ready";
    case hipErrorUnknown:
      return "device lost";
  }
  return "unknown error";
}
hipError_t hipGetLastError() { return hipSuccess; }
hipError_t hipRuntimeGetVersion(int* version) { return *version = device().version, hipSuccess; }
hipError_t hipGetDeviceCount(int* count) {
  return *count = device().count + int(hip_emulator::sees_second_kind()), hipSuccess;
}
hipError_t hipSetDevice(int index) {
  if (hip_emulator::device_lost()) return hipErrorUnknown;
  if (index < 0 || index >= device().count + int(hip_emulator::sees_second_kind())) return hipErrorInvalidValue;
  return hip_emulator::current_device = index, hipSuccess;
}
hipError_t hipGetDevice(int* index) { return *index = hip_emulator::current_device, hipSuccess; }
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int index) {
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "emulated GPU of wave size %u", device().wave_size);
  const std::string& architecture = index < device().count ? device().architecture : device().beside;
  std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s", architecture.c_str());
  properties->totalGlobalMem = device().memory_limit;
  properties->warpSize = int(device().wave_size);
  properties->integrated = device().integrated;
  return hipSuccess;
}
hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  *total = device().reported_memory ? device().reported_memory : device().memory_limit;
  *free = *total - std::min(*total, counters().allocated_bytes);
  return hipSuccess;
}

hipError_t hipMalloc(void** p, size_t bytes) {
  if (hip_emulator::device_lost()) return hipErrorUnknown;
  if (bytes == 0 || counters().allocated_bytes + bytes > device().memory_limit) return hipErrorOutOfMemory;
  if (counters().allocations >= device().full_after_allocations) return hipErrorOutOfMemory;
  hip_emulator::count_device();
  *p = hip_emulator::allocate(bytes);
  if (*p == nullptr) return hipErrorOutOfMemory;
  ++counters().allocations;
  counters().allocated_bytes += bytes;
  return hipSuccess;
}
hipError_t hipFree(void* p) {
  if (p == nullptr) return hipSuccess;
  hip_emulator::finish_everything();
  const auto found = hip_emulator::allocations().find(static_cast<std::byte*>(p));
  if (found == hip_emulator::allocations().end()) return hipErrorInvalidValue;
  counters().allocated_bytes -= found->second.bytes;
  munmap(found->second.pages, found->second.page_count * hip_emulator::page_bytes());
  hip_emulator::allocations().erase(found);
  return hipSuccess;
}
hipError_t hipHostMalloc(void** p, size_t bytes, unsigned) {
  ++counters().allocations;
  *p = std::malloc(bytes);
  return *p ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipHostFree(void* p) {
  hip_emulator::finish_everything();
  return std::free(p), hipSuccess;
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t) {
  if (hip_emulator::device_lost()) return hipErrorUnknown;
  ++counters().transfers;
  if (kind == hipMemcpyHostToDevice) counters().bytes_to_device += bytes;
  if (kind == hipMemcpyDeviceToHost) counters().bytes_to_host += bytes;
  hip_emulator::enqueue([=] {
    if (bytes) std::memmove(to, from, bytes);
  });
  return hipSuccess;
}
hipError_t hipMemsetAsync(void* to, int byte, size_t bytes, hipStream_t) {
  ++counters().transfers;
  hip_emulator::enqueue([=] {
    if (bytes) std::memset(to, byte, bytes);
  });
  return hipSuccess;
}
hipError_t hipStreamCreate(hipStream_t* stream) {
  hip_emulator::count_device();
  return *stream = nullptr, hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t) { return hipSuccess; }
hipError_t hipStreamSynchronize(hipStream_t) {
  if (hip_emulator::device_lost()) return hipErrorUnknown;
  hip_emulator::finish_everything();
  return ++counters().waits, ++counters().spinning_waits, hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) { return *event = new EmulatedEvent, hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  hip_emulator::count_device();
  *event = new EmulatedEvent;
  (*event)->spins = (flags & hipEventBlockingSync) == 0;
  return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) {
  hip_emulator::finish_everything();
  delete event;
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t) {
  ++event->requested;
  hip_emulator::enqueue([event] {
    ++event->done;
    event->recorded = std::chrono::steady_clock::now();
  });
  return hipSuccess;
}
hipError_t hipEventElapsedTime(float* ms, hipEvent_t begin, hipEvent_t end) {
  *ms = std::chrono::duration<float, std::milli>(end->recorded - begin->recorded).count();
  return hipSuccess;
}
hipError_t hipEventSynchronize(hipEvent_t event) {
  if (hip_emulator::device_lost()) return hipErrorUnknown;
  while (event->done < event->requested) hip_emulator::do_next();
  ++counters().waits;
  counters().spinning_waits += event->spins;
  return hipSuccess;
}
hipError_t hipEventQuery(hipEvent_t event) { return event->done < event->requested ? hipErrorNotReady : hipSuccess; }
