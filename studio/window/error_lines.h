// An error as three lines: what failed, why, and what to do now. They are the parts of the one sentence that errors are
// (architecture.md, "Command line"), which stand behind colons and semicolons: "what: why; what to do". A part that the
// sentence lacks is empty; what stands in quotes, as names of files do, is not cut.
#pragma once

#include <string>

#include "studio/names.h"

namespace studio {

struct ErrorLines {
  std::string what, why, now;
};

ErrorLines lines_of_error(const std::string& sentence);

}  // namespace studio
