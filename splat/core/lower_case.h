// Names and endings of files compared without regard to capitals.
#pragma once

#include <string>

namespace splat {

// A to Z as small letters; all other bytes as they are, whatever the locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

}  // namespace splat
