#include "splat/backend/gpu/device.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "splat/backend/gpu/targets.h"

namespace splat::gpu {
namespace {

std::string architecture_of(const hipDeviceProp_t& properties) {
#if defined(__CUDACC__)
  return "sm_" + std::to_string(10 * properties.major + properties.minor);
#else
  const std::string_view name = properties.gcnArchName;  // "gfx90a:sramecc+:xnack-"
  return std::string(name.substr(0, name.find(':')));
#endif
}

// "MemAvailable:  24684000 kB" of /proc/meminfo; 0: not known.
uint64_t host_bytes(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    uint64_t kib = 0;
    if (word == key && file >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace

DeviceFacts describe_device(int device) {
  hipDeviceProp_t properties;
  SPLAT_GPU_CHECK(hipGetDeviceProperties(&properties, device));
  DeviceFacts facts;
  facts.name = properties.name[0] ? properties.name : "GPU without a name";
  facts.architecture = architecture_of(properties);
  facts.wave_size = properties.warpSize;
  facts.integrated = properties.integrated != 0 || is_processors_own(facts.architecture);
  facts.total_bytes = properties.totalGlobalMem;
  if (facts.integrated) facts.total_bytes = std::max<uint64_t>(facts.total_bytes, host_bytes("MemTotal:"));
  return facts;
}

uint64_t free_device_bytes(const DeviceFacts& facts) {
  size_t free = 0, total = 0;
  SPLAT_GPU_CHECK(hipMemGetInfo(&free, &total));
  return facts.integrated ? std::max<uint64_t>(free, host_bytes("MemAvailable:")) : free;
}

}  // namespace splat::gpu
