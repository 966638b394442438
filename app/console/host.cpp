#include "app/console/host.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "splat/backend/cpu/simd_level.h"

namespace app {
namespace {

// The number in the first line of a small file such as /sys/fs/cgroup/memory.max ("max": no limit).
std::optional<uint64_t> number_in_file(const char* path) {
  std::ifstream file(path);
  uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

// "MemTotal:  24684000 kB" of /proc/meminfo.
uint64_t meminfo_bytes(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    uint64_t kib = 0;
    if (word == key + ":" && file >> kib) return kib * 1024;
  }
  return 0;
}

void limit_to_container(HostMemory& memory, const char* limit_path, const char* usage_path) {
  const auto limit = number_in_file(limit_path), used = number_in_file(usage_path);
  if (!limit || *limit >= memory.total_bytes) return;
  memory.total_bytes = *limit;
  memory.available_bytes = std::min(memory.available_bytes, *limit - std::min(*limit, used.value_or(0)));
}

}  // namespace

HostMemory host_memory() {
  HostMemory memory{meminfo_bytes("MemTotal"), meminfo_bytes("MemAvailable")};
  limit_to_container(memory, "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  limit_to_container(memory, "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                     "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  return memory;
}

uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) * 1024;
}

uint64_t rss_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total_pages = 0, resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * uint64_t(sysconf(_SC_PAGESIZE));
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  return "unknown processor";
}

std::string simd_level() {
  const auto level = splat::cpu::choose_simd_level(splat::cpu::SimdLevel::kAuto);
  return level ? splat::cpu::simd_level_name(*level) : level.error().message;
}

std::string human_bytes(uint64_t bytes) {
  if (bytes >= 10'000'000'000u) return fmt::format("{:.0f} GB", double(bytes) * 1e-9);
  if (bytes >= 1'000'000'000u) return fmt::format("{:.1f} GB", double(bytes) * 1e-9);
  if (bytes >= 10'000'000u) return fmt::format("{:.0f} MB", double(bytes) * 1e-6);
  if (bytes >= 1'000'000u) return fmt::format("{:.1f} MB", double(bytes) * 1e-6);
  if (bytes >= 1000u) return fmt::format("{:.0f} kB", double(bytes) * 1e-3);
  return fmt::format("{} bytes", bytes);
}

std::string human_duration(double seconds) {
  const int64_t whole = std::llround(std::max(seconds, 0.0));
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string human_count(uint64_t count) {
  std::string digits = std::to_string(count);
  for (int place = int(digits.size()) - 3; place > 0; place -= 3) digits.insert(size_t(place), " ");
  return digits;
}

}  // namespace app
