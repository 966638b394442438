#include "viewer/dialogs/new_name.h"

#include <algorithm>
#include <cctype>

namespace viewer {

std::filesystem::path with_suggested_ending(std::filesystem::path named, const std::string& suggested,
                                            const FileKinds& kinds) {
  std::string lower = suggested;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  std::string longest = std::filesystem::path(suggested).extension().string();
  for (const std::string& ending : kinds.endings)
    if (lower.ends_with(ending) && ending.size() > longest.size()) longest = ending;
  if (!named.has_extension()) named += longest;
  return named;
}

}  // namespace viewer
