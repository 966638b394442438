// "Did you mean ...?": the known word nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace app {

// Insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string alignment). O(|a|
// |b|).
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, or empty when none is near (more than a third of its letters differ).
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

}  // namespace app
