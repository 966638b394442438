// A number in front of what it counts: "1 splat", "3 splats". Verbs that follow may go along ("splat starts").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splat {

// many: empty where it is `one` with an s.
inline std::string noun(uint64_t count, std::string_view one, std::string_view many = {}) {
  if (count == 1) return std::string(one);
  return many.empty() ? std::string(one) + "s" : std::string(many);
}
inline std::string counted(uint64_t count, std::string_view one, std::string_view many = {}) {
  return std::to_string(count) + " " + noun(count, one, many);
}

}  // namespace splat
