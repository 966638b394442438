// Reading a file of splats only where they fit: a control group ends a process that takes more than it may, without a
// word, and `ulimit -v` does not say for what.
#pragma once

#include <filesystem>

#include "splat/core/memory_guard.h"
#include "splat/core/result.h"

namespace app {

bool may_take(size_t bytes);  // more, at this moment; small things always
splat::Error does_not_fit(const std::filesystem::path& file, size_t bytes);

// What `read` gives, a Result; an error with the figures where the model, whose size the file's header says, is larger
// than what may be taken.
template <class Read>
auto read_where_it_fits(const std::filesystem::path& file, const Read& read) -> decltype(read()) {
  const splat::MemoryGuard guard(may_take);
  try {
    return read();
  } catch (const splat::MemoryRefused& refused) {
    return does_not_fit(file, refused.bytes);
  }
}

}  // namespace app
