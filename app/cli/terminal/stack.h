// Where the limit on stacks is small (ulimit -s 512), the program takes one of its own, and so do its threads.
#pragma once

#include <functional>

namespace app {

// Runs `work` on a thread whose stack is large enough, where this one's is not.
int run_with_enough_stack(const std::function<int()>& work);

}  // namespace app
