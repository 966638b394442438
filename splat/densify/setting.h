// What is to be known of a setting besides its field and default. A struct of settings has one function that calls
// visit(setting, field) for each: checkpoints, --config files, options, --help-all and the checks of values follow.
#pragma once

#include <array>
#include <sstream>
#include <type_traits>

#include "splat/core/result.h"

namespace splat {

inline constexpr int kAuto = -1;  // of a setting: chosen for the length of the run
inline constexpr int kMostIterations = 10'000'000;
inline constexpr float kMostOpaque = 0.9999f, kLeastOpaque = 1e-6f, kLargest = 1e9f;

struct Setting {
  const char* name;          // in checkpoints and --config files
  double low = 0, high = 0;  // the range of a number, both included; both 0: any
  const char* label = "";    // beside its field in the window; empty, as help: its row in the option table has it
  const char* help = "";     // one line of --help-all, for settings without a row in the option table
  const char* unit = "";     // of a number, beside its field in the window: "px"; empty: it has none, or help says more
  bool or_auto = false;      // kAuto lies outside the range, and is allowed
};

// An error about a number outside its setting's range; NaN is outside of every one.
template <class T>
Status check_setting(const Setting& setting, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return check_setting(setting, int(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    const bool any = setting.low == 0 && setting.high == 0;
    if (any || (setting.or_auto && value == T(kAuto))) return {};
    const T low = T(setting.low), high = T(setting.high);
    if (value >= low && value <= high) return {};
    std::ostringstream text;
    text << setting.name << " is " << value << " but must lie between " << low << " and " << high;
    return Error{text.str()};
  } else {
    return {};
  }
}

template <size_t N>
Status check_setting(const Setting& setting, const std::array<float, N>& values) {
  for (const float value : values) SPLAT_TRY(check_setting(setting, value));
  return {};
}

}  // namespace splat
