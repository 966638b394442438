// Which processors share a last-level cache, and which are slower than others, as Linux tells below /sys/devices: chips
// of two caches of which one is larger (Ryzen X3D), fast and efficient cores (Intel's hybrids, ARM), servers of many
// caches. For hipsplat doctor: the pool takes every processor it may use (splat/core/parallel.h), since its loops hand
// out small pieces to whoever is free; where that is not the quickest, a user can say so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "app/jobs/host/check.h"

namespace app {

struct CacheGroup {
  std::vector<int> processors;  // ascending, of those that may be used
  size_t cores = 0;             // several processors of one core count once
  uint64_t cache_bytes = 0;     // that they share; 0: not known
  bool slower = false;          // than those of other groups, made to need less power
  friend bool operator==(const CacheGroup&, const CacheGroup&) = default;
};

// In the order of their first processors; what cannot be read is taken to be alike. devices: /sys/devices.
std::vector<CacheGroup> cache_groups(const std::filesystem::path& devices, std::span<const int> processors);

// What they are and what may be tried; nothing where all are alike and share one cache.
Checks cache_checks(std::span<const CacheGroup> groups);

}  // namespace app
