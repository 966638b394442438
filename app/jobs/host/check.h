// One thing that doctor looks at.
#pragma once

#include <string>
#include <vector>

namespace app {

struct Check {
  std::string name;
  bool ok = false;
  std::string detail;  // what was found
  std::string cure;    // what to do when not ok
};

using Checks = std::vector<Check>;

}  // namespace app
