#include "app/jobs/host/memory_limits.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kAsGoodAsNone = uint64_t(1) << 60;  // version 1 writes the largest multiple of a page for "none"

// The number in the first line of a small file such as memory.max; "max" is no limit.
std::optional<uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return std::nullopt;
  if (word == "max") return kNoLimit;
  std::istringstream text(word);
  uint64_t value = 0;
  return text >> value ? std::optional(value) : std::nullopt;
}

// "MemTotal:  24684000 kB" lines of /proc/meminfo and /proc/self/status, in bytes.
std::map<std::string, uint64_t> kilobytes_in(const fs::path& path) {
  std::map<std::string, uint64_t> values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    std::istringstream rest(colon == std::string::npos ? "" : line.substr(colon + 1));
    uint64_t kib = 0;
    std::string unit;
    if (rest >> kib >> unit && unit == "kB") values[line.substr(0, colon)] = kib * 1024;
  }
  return values;
}

// Page cache and reclaimable kernel memory, from memory.stat; `prefix` is "total_" in version 1, which counts a group's
// children apart.
uint64_t reclaimable_bytes(const fs::path& group, const std::string& prefix) {
  std::ifstream file(group / "memory.stat");
  uint64_t sum = 0, value = 0;
  for (std::string key; file >> key >> value;)
    if (key == prefix + "inactive_file" || key == prefix + "active_file" || key == prefix + "slab_reclaimable")
      sum += value;
  return sum;
}

uint64_t less(uint64_t a, uint64_t b) { return a - std::min(a, b); }

struct GroupFiles {
  std::vector<const char*> limits;
  const char* usage;
  const char* stat_prefix;
};
const GroupFiles kVersion1{{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_"};
const GroupFiles kVersion2{{"memory.max", "memory.high"}, "memory.current", ""};

std::optional<MemoryLimit> limit_of_group(const fs::path& folder, const std::string& name, const GroupFiles& files) {
  uint64_t limit = kNoLimit;
  for (const char* file : files.limits) limit = std::min(limit, number_in(folder / file).value_or(kNoLimit));
  if (limit >= kAsGoodAsNone) return std::nullopt;
  const uint64_t used = less(number_in(folder / files.usage).value_or(0), reclaimable_bytes(folder, files.stat_prefix));
  return MemoryLimit{"cgroup " + name, limit, less(limit, used), 0};
}

// Where a hierarchy of control groups is mounted, and which of its groups that place shows.
struct Hierarchy {
  fs::path mount_point, root;
  bool version2 = false;
};

// Reads /proc/self/mountinfo: "36 31 0:33 ROOT MOUNT_POINT options ... - TYPE SOURCE super-options".
std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string skipped, shown, mount_point, type, source, options;
    before >> skipped >> skipped >> skipped >> shown >> mount_point;
    after >> type >> source >> options;
    const bool memory = ("," + options + ",").find(",memory,") != std::string::npos;
    if (type == "cgroup2" || (type == "cgroup" && memory)) found.push_back({mount_point, shown, type == "cgroup2"});
  }
  return found;
}

// Reads /proc/self/cgroup: "4:memory:/job" in version 1, "0::/job" in version 2.
std::string group_of_process(const fs::path& root, bool version2) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (version2 ? controllers == ",," : controllers.find(",memory,") != std::string::npos)
      return line.substr(second + 1);
  }
  return "/";
}

// The group below the mount point: what the mount shows is cut off in front. A group outside of what is shown (of a
// container that sees its own part alone) is the shown root itself.
fs::path below_mount(const fs::path& group, const fs::path& shown) {
  const fs::path relative = group.lexically_relative(shown);
  if (relative.empty() || *relative.begin() == ".." || group.string().find("/..") != std::string::npos) return "";
  return relative == "." ? fs::path() : relative;
}

void add_groups(const fs::path& root, std::vector<MemoryLimit>& limits) {
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    const fs::path group = below_mount(group_of_process(root, hierarchy.version2), hierarchy.root);
    const fs::path top = root / hierarchy.mount_point.relative_path();
    for (fs::path level = group;; level = level.parent_path()) {
      const std::string name = "/" + level.string();
      // Not `top / ""`: where memory is refused while a name is appended to a path that ends in a slash, libstdc++
      // destroys what it has destroyed before (path::operator/=, GCC 12).
      const fs::path folder = level.empty() ? top : top / level;
      if (auto limit = limit_of_group(folder, name, hierarchy.version2 ? kVersion2 : kVersion1))
        limits.push_back(*limit);
      if (level.empty()) break;
    }
  }
}

// Reads /proc/self/limits: "Max address space   650000000   unlimited   bytes".
uint64_t soft_limit(const fs::path& root, const std::string& name) {
  std::ifstream file(root / "proc/self/limits");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    uint64_t value = 0;
    return rest >> value ? value : kNoLimit;
  }
  return kNoLimit;
}

}  // namespace

std::vector<MemoryLimit> memory_limits(const fs::path& root) {
  const auto machine = kilobytes_in(root / "proc/meminfo"), own = kilobytes_in(root / "proc/self/status");
  const auto value = [](const std::map<std::string, uint64_t>& values, const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? 0 : found->second;
  };
  std::vector<MemoryLimit> limits{
      {"machine", value(machine, "MemTotal"), value(machine, "MemAvailable"), value(machine, "SwapFree")}};
  add_groups(root, limits);
  const auto add_ulimit = [&](const char* name, const char* row, const char* used) {
    const uint64_t limit = soft_limit(root, row);
    if (limit < kAsGoodAsNone) limits.push_back({name, limit, less(limit, value(own, used)), 0});
  };
  add_ulimit("ulimit -v", "Max address space", "VmSize");
  add_ulimit("ulimit -d", "Max data size", "VmData");
  return limits;
}

}  // namespace app
