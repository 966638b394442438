// Settings and other small files, whose content is not to be trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/bytes.h"

namespace app {

// The file's text; nullopt where there is none, it cannot be read, or it is larger than `most_bytes`.
inline std::optional<std::string> read_small_file(const std::filesystem::path& path, uintmax_t most_bytes) {
  std::error_code code;
  const uintmax_t bytes = std::filesystem::file_size(path, code);
  if (code || bytes > most_bytes) return std::nullopt;
  auto text = io::read_file(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace app
