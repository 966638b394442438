#include "viewer/dialogs/new_name.h"

#include "splat/core/lower_case.h"

namespace viewer {

std::filesystem::path with_suggested_ending(std::filesystem::path named, const std::string& suggested,
                                            const FileKinds& kinds) {
  const std::string lower = splat::lower_case(suggested);
  std::string longest = std::filesystem::path(suggested).extension().string();
  for (const std::string& ending : kinds.endings)
    if (lower.ends_with(ending) && ending.size() > longest.size()) longest = ending;
  if (!named.has_extension()) named += longest;
  return named;
}

}  // namespace viewer
