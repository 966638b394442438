// JSON text of unknown origin, parsed without surprises: comments are allowed, nesting is bounded, and whatever is
// wrong becomes one sentence with the line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace io {

splat::Result<nlohmann::json> parse_json(std::string_view text, const std::string& name);

}  // namespace io
