// Views that share lens and size: what depends on those alone (a pinhole, a remap) is worked out once for each group.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "splat/model/lens.h"

namespace io {

struct LensGroups {
  std::vector<splat::Lens> lenses;  // [groups]
  std::vector<size_t> sizes;        // [groups] views in it
  std::vector<size_t> group_of;     // [views]
};

inline LensGroups group_lenses(std::span<const splat::Lens> lenses) {
  LensGroups groups;
  std::map<splat::Lens, size_t> index;
  for (const splat::Lens& lens : lenses) {
    const auto [entry, added] = index.emplace(lens, groups.lenses.size());
    if (added) {
      groups.lenses.push_back(lens);
      groups.sizes.push_back(0);
    }
    ++groups.sizes[entry->second];
    groups.group_of.push_back(entry->second);
  }
  return groups;
}

}  // namespace io
