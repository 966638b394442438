// Facts about this machine: memory that may be used, the processor and its SIMD level.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace app {

struct HostMemory {
  uint64_t total_bytes = 0;      // of the machine, or the least that a container or ulimit leaves of it
  uint64_t available_bytes = 0;  // without swapping, at this moment: the least of what memory_limits() finds
  std::string limited_by{};      // by which of them
  uint64_t swap_bytes = 0;       // free, where the machine is what limits

  // What work that is done once, however slowly, may take.
  uint64_t with_swap() const { return available_bytes + swap_bytes; }
};

HostMemory host_memory(const std::filesystem::path& root = "/");  // /proc and /sys are read below it
std::string limit_in_brackets(const HostMemory& memory);  // " (cgroup /job)"; empty where the machine is the limit
// What to do about too little of it, for the end of a sentence.
inline constexpr const char* kWhatFreesMemory = "close other programs, raise that limit, or use a machine with more";
uint64_t peak_rss_bytes();    // the most physical memory this process has held, since the call below if there was one
void begin_peak_rss_anew();   // where the system allows it
uint64_t rss_bytes();         // what it holds now
std::string out_of_memory();  // the sentence for std::bad_alloc
std::string simd_level();     // "AVX-512", "AVX2", ...: what the CPU backend's kernels run with, HIPSPLAT_SIMD included
std::string human_bytes(uint64_t bytes);     // "512 MB", "3.2 GB"
std::string human_duration(double seconds);  // "48 s", "3 min 20 s", "1 h 05 min"
std::string human_count(uint64_t count);     // "1 234 567"

}  // namespace app
