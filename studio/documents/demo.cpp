#include "studio/documents/demo.h"

namespace studio {

namespace fs = std::filesystem;

// In the source tree, two folders above build/bin, or where it is installed.
fs::path demo_folder() {
  std::error_code code;
  const fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
  for (const char* place : {"../../assets/demo", "../share/hipsplat/demo"})
    if (fs::is_directory(folder / place, code)) return (folder / place).lexically_normal();
  return {};
}

}  // namespace studio
