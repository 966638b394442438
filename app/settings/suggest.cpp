#include "app/settings/suggest.h"

#include <algorithm>
#include <vector>

namespace app {

int edit_distance(std::string_view a, std::string_view b) {
  const size_t width = b.size() + 1;
  std::vector<int> cost((a.size() + 1) * width);
  auto at = [&](size_t i, size_t j) -> int& { return cost[i * width + j]; };
  for (size_t i = 0; i <= a.size(); ++i) at(i, 0) = int(i);
  for (size_t j = 0; j <= b.size(); ++j) at(0, j) = int(j);
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

std::string nearest_word(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    int distance = edit_distance(word, candidate);
    if (word.size() >= 4 && candidate.starts_with(word)) distance = std::min(distance, 1);  // an abbreviation
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  const int longest = int(std::max(word.size(), best.size()));
  return best_distance * 3 <= std::max(longest, 3) ? best : std::string();
}

}  // namespace app
