// The fonts that are compiled into the program (cmake/Font.cmake): Inter for text, and semibold for headings, as
// OpenType files of about 100 kB. Latin, Greek, Cyrillic and marks; digits are all of one width. Empty: built without.
#pragma once

#include <span>
#include <vector>

namespace viewer {

std::vector<std::span<const unsigned char>> shipped_fonts();

}  // namespace viewer
