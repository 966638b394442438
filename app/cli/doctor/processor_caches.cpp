#include "app/cli/doctor/processor_caches.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr double kAlike = 0.85;  // of the largest capacity: cores of one kind differ by less

std::string first_line(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

// 0: not a number.
uint64_t number_in(const fs::path& file) {
  const std::string line = first_line(file);
  uint64_t value = 0;
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

// "0-7,16" -> 0 to 7, and 16; a list that is no list is empty.
std::set<int> numbers_of_list(std::string_view list) {
  constexpr int kMost = 1 << 16;
  std::set<int> numbers;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    const char* const end = part.data() + part.size();
    int first = 0, last = 0;
    auto read = std::from_chars(part.data(), end, first);
    last = first;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc() || read.ptr != end || first < 0 || last >= kMost) return {};
    for (int number = first; number <= last; ++number) numbers.insert(number);
  }
  return numbers;
}

std::string list_of(const std::vector<int>& numbers) {
  std::string list;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    list += fmt::format("{}{}", list.empty() ? "" : ",", numbers[i]);
    if (end - i > 1) list += fmt::format("-{}", numbers[end - 1]);
    i = end;
  }
  return list;
}

// The list of processors that share the cache of the highest level, and its size in KiB.
std::pair<std::string, uint64_t> last_cache(const fs::path& processor) {
  std::pair<std::string, uint64_t> last;
  uint64_t highest = 0;
  for (int i = 0; i < 16; ++i) {
    const fs::path cache = processor / "cache" / fmt::format("index{}", i);
    const uint64_t level = number_in(cache / "level");
    if (level <= highest || first_line(cache / "type") == "Instruction") continue;
    highest = level;
    last = {first_line(cache / "shared_cpu_list"), number_in(cache / "size")};
  }
  return last;
}

// By the capacities that the scheduler goes by, else by the list of Intel's small cores.
std::set<int> slower_processors(const fs::path& devices, std::span<const int> processors) {
  std::map<int, uint64_t> capacities;
  uint64_t largest = 0;
  for (const int processor : processors) {
    const uint64_t capacity = number_in(devices / "system/cpu" / fmt::format("cpu{}/cpu_capacity", processor));
    capacities[processor] = capacity, largest = std::max(largest, capacity);
  }
  if (largest == 0) return numbers_of_list(first_line(devices / "cpu_atom/cpus"));
  std::set<int> slower;
  for (const auto& [processor, capacity] : capacities)
    if (double(capacity) < kAlike * double(largest)) slower.insert(processor);
  return slower;
}

std::string said(const CacheGroup& group) {
  return fmt::format(
      "{}{} {}{}", group.cores, group.slower ? " slower" : "", group.cores == 1 ? "core" : "cores",
      group.cache_bytes > 0 ? fmt::format(" with {:.4g} MiB", double(group.cache_bytes >> 10) / 1024) : "");
}

bool alike(const CacheGroup& a, const CacheGroup& b) {
  return std::tie(a.cores, a.cache_bytes, a.slower) == std::tie(b.cores, b.cache_bytes, b.slower);
}

}  // namespace

std::vector<CacheGroup> cache_groups(const fs::path& devices, std::span<const int> processors) {
  const std::set<int> slower = slower_processors(devices, processors);
  std::map<std::pair<std::string, bool>, CacheGroup> groups;
  std::map<std::pair<std::string, bool>, std::set<std::string>> cores;
  for (const int processor : processors) {
    const fs::path folder = devices / "system/cpu" / fmt::format("cpu{}", processor);
    const auto [sharing, kib] = last_cache(folder);
    const std::pair key(sharing, slower.contains(processor));
    CacheGroup& group = groups[key];
    group.processors.push_back(processor);
    group.cache_bytes = kib << 10;
    group.slower = key.second;
    const std::string siblings = first_line(folder / "topology/thread_siblings_list");
    cores[key].insert(siblings.empty() ? std::to_string(processor) : siblings);
    group.cores = cores[key].size();
  }
  std::vector<CacheGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  for (CacheGroup& group : sorted) std::sort(group.processors.begin(), group.processors.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const CacheGroup& a, const CacheGroup& b) { return a.processors.front() < b.processors.front(); });
  return sorted;
}

Checks cache_checks(std::span<const CacheGroup> groups) {
  if (groups.size() < 2) return {};
  const CacheGroup& first = groups.front();
  const bool same = std::all_of(groups.begin(), groups.end(), [&](const CacheGroup& g) { return alike(g, first); });
  size_t cores = 0, processors = 0;
  std::string detail;
  for (const CacheGroup& group : groups) {
    cores += group.cores, processors += group.processors.size();
    if (!same) detail += fmt::format("{}{}: {}", detail.empty() ? "" : "; ", list_of(group.processors), said(group));
  }
  if (same)
    detail =
        fmt::format("{} groups, each of {}; the first is {}", groups.size(), said(first), list_of(first.processors));
  // The fastest, of them those with the largest cache.
  const auto best = std::max_element(groups.begin(), groups.end(), [](const CacheGroup& a, const CacheGroup& b) {
    return std::tuple(!a.slower, a.cache_bytes, a.cores) < std::tuple(!b.slower, b.cache_bytes, b.cores);
  });
  std::vector<std::string> tries;
  if (!same) tries.push_back(fmt::format("'taskset -c {}' before hipsplat", list_of(best->processors)));
  if (cores < processors) tries.push_back(fmt::format("--threads {}, one a core", cores));
  detail += ". All of them are used";
  if (!tries.empty()) detail += fmt::format("; compare by hipsplat bench --backend cpu: {}", fmt::join(tries, ", or "));
  return {{"caches", true, detail, ""}};
}

}  // namespace app
