// JSON text of unknown origin, parsed without surprises: comments are allowed, nesting is bounded, and whatever is
// wrong becomes one sentence with the line.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "splat/core/result.h"

namespace io {

// NaN, Infinity and -Infinity, which Python writes and JSON does not have, and numbers like 1e999: an error that names
// the word, or a text in quotes in the number's place, for a reader that can leave out the part it belongs to.
enum class NonFinite { kError, kText };

splat::Result<nlohmann::json> parse_json(std::string_view text, const std::string& name,
                                         NonFinite non_finite = NonFinite::kError);

// A whole number that the type holds, of at least `least`. nlohmann's own get<int>() lets 4294967346 become 50: no
// integer of a file is read with it. Throws json::exception, as that does for a text.
template <class Integer>
Integer whole_number(const nlohmann::json& value, Integer least = std::numeric_limits<Integer>::min()) {
  using Limits = std::numeric_limits<Integer>;
  const auto fits = [&](auto number) { return std::in_range<Integer>(number) && Integer(number) >= least; };
  if (value.is_number_unsigned() && fits(value.get<uint64_t>())) return Integer(value.get<uint64_t>());
  if (value.is_number_integer() && !value.is_number_unsigned() && fits(value.get<int64_t>()))
    return Integer(value.get<int64_t>());
  if (value.is_number_float()) {  // 50.0
    const double number = value.get<double>();
    if (number == std::floor(number) && number >= double(least) && number < std::ldexp(1.0, Limits::digits))
      return Integer(number);
  }
  throw nlohmann::json::type_error::create(302, "a whole number was expected", &value);
}

}  // namespace io
