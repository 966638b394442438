#include "viewer/dialogs/new_name.h"

#include <algorithm>

#include "splat/core/lower_case.h"

namespace viewer {

std::filesystem::path with_suggested_ending(std::filesystem::path named, const std::string& suggested,
                                            const FileKinds& kinds) {
  const std::string lower = splat::lower_case(suggested), name = splat::lower_case(named.filename().string());
  std::string longest = std::filesystem::path(suggested).extension().string();
  for (const std::string& ending : kinds.endings)
    if (lower.ends_with(ending) && ending.size() > longest.size()) longest = ending;
  const auto has = [&](const std::string& ending) { return name.size() > ending.size() && name.ends_with(ending); };
  const bool whole = has(splat::lower_case(longest)) || std::any_of(kinds.endings.begin(), kinds.endings.end(), has);
  if (!whole) named += longest;
  return named;
}

}  // namespace viewer
