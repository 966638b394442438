// What must not happen: a standard container in a file compiled for a SIMD level. check_simd_symbols has to find it.
#include <cstddef>
#include <vector>

namespace splat::test::SPLAT_SIMD_LEVEL {
std::size_t stray(std::vector<float>& values) {
  values.push_back(1);
  return values.size();
}
}  // namespace splat::test::SPLAT_SIMD_LEVEL
