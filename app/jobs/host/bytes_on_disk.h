// Size of an input or output: a file, or a folder of files.
#pragma once

#include <cstdint>
#include <filesystem>

namespace app {

inline uint64_t bytes_on_disk(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::is_directory(path, code)) {
    const uintmax_t bytes = fs::file_size(path, code);
    return code ? 0 : bytes;
  }
  uint64_t total = 0;
  for (fs::directory_iterator it(path, code), end; !code && it != end; it.increment(code))
    if (it->is_regular_file(code)) total += bytes_on_disk(it->path());
  return total;
}

}  // namespace app
