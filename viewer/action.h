// Something that can be done, for the list of all actions (Ctrl+Shift+P).
#pragma once

#include <functional>
#include <string>

namespace viewer {

struct Action {
  std::string name, keys;
  bool possible = true;
  std::function<void()> run;
};

}  // namespace viewer
