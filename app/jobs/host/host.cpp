#include "app/jobs/host/host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "app/jobs/host/memory_limits.h"
#include "splat/backend/cpu/simd_level.h"

namespace app {

HostMemory host_memory(const std::filesystem::path& root) {
  HostMemory memory;
  for (const MemoryLimit& limit : memory_limits(root)) {
    const bool first = memory.limited_by.empty();
    if (first || limit.total_bytes < memory.total_bytes) memory.total_bytes = limit.total_bytes;
    if (!first && limit.available_bytes >= memory.available_bytes) continue;
    memory.available_bytes = limit.available_bytes;
    memory.limited_by = limit.name;
    memory.swap_bytes = limit.swap_bytes;
  }
  return memory;
}

std::string limit_in_brackets(const HostMemory& memory) {
  return memory.limited_by == "machine" ? "" : " (" + memory.limited_by + ")";
}

// Not ru_maxrss: that counts what the process held before exec() made it this program, so a large parent shows in it.
uint64_t peak_rss_bytes() {
  std::array<char, 4096> text{};  // no memory is taken: this is asked for where there is none
  const int fd = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const bool read = ::read(fd, text.data(), text.size() - 1) > 0;
  ::close(fd);
  const char* row = read ? std::strstr(text.data(), "\nVmHWM:") : nullptr;
  return row ? std::strtoull(row + std::strlen("\nVmHWM:"), nullptr, 10) * 1024 : 0;
}

void begin_peak_rss_anew() {
  const int fd = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, "5", 1);
  ::close(fd);
}

uint64_t rss_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total_pages = 0, resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * uint64_t(sysconf(_SC_PAGESIZE));
}

std::string out_of_memory() {
  return fmt::format(
      "out of memory ({} were held at most): close other programs, use smaller photos (-r 4) or fewer splats "
      "(--max-splats)",
      human_bytes(peak_rss_bytes()));
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
