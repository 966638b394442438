#include "tests/support/test_paths.h"

#include <cstdlib>

namespace test_paths {

std::filesystem::path source() { return HIPSPLAT_SOURCE_DIR; }

std::filesystem::path data() {
  const char* folder = std::getenv("HIPSPLAT_TEST_DATA");
  return folder && *folder ? folder : "/HIPSPLAT_TEST_DATA is not set";
}

}  // namespace test_paths
