// The secret part of an address: whoever has it may watch. 192 random bits of the system, as 32 characters that need no
// escape in a URL.
#pragma once

#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace app {

splat::Result<std::string> make_token();

// Takes the same time wherever the first difference is.
bool same_secret(std::string_view given, std::string_view secret);

}  // namespace app
