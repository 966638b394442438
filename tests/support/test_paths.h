// Where tests find files: this source tree, and real scenes and splat files that are not part of it.
#pragma once

#include <filesystem>

namespace test_paths {

std::filesystem::path source();  // the root of this tree

// $HIPSPLAT_TEST_DATA, a folder with scenes/ and splats/; where it is not set, a path that does not exist, so that
// tests of real data say 'skipped'.
std::filesystem::path data();

}  // namespace test_paths
