// Names of files as people compare them: in any case of letters, and however accents are written. macOS and zip
// archives from there write "a" and a mark behind it (NFD) where others have one letter (NFC); both look the same.
#pragma once

#include <string>
#include <string_view>

namespace io {

// Equal for names that look alike: canonically decomposed (Unicode 14), Latin, Greek and Cyrillic letters made small.
// What is no UTF-8 stays as it is.
std::string name_key(std::string_view name);

}  // namespace io
