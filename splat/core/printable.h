// Text for a terminal: what a file or a name holds must neither garble it nor fill it.
#pragma once

#include <string>
#include <string_view>

namespace splat {

// Control characters (escape sequences, line breaks, the C1 set in UTF-8) as ?; with `keep_lines` line breaks stay.
// What stands in single quotes and is longer than 400 bytes loses its middle.
std::string printable(std::string_view text, bool keep_lines = false);

}  // namespace splat
