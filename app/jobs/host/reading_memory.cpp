#include "app/jobs/host/reading_memory.h"

#include <fmt/format.h>

#include "app/jobs/host/host.h"

namespace app {

bool may_take(size_t bytes) {
  constexpr size_t kSmall = 8'000'000, kBuffers = 8'000'000;  // of the reader, and of what it loads of the program
  return bytes <= kSmall || bytes + kBuffers <= host_memory().with_swap();
}

splat::Error does_not_fit(const std::filesystem::path& file, size_t bytes) {
  const HostMemory memory = host_memory();
  return splat::Error{fmt::format("'{}' needs {} of memory to be read, and {} are available{}: {}", file.string(),
                                  human_bytes(bytes), human_bytes(memory.with_swap()), limit_in_brackets(memory),
                                  kWhatFreesMemory)};
}

}  // namespace app
