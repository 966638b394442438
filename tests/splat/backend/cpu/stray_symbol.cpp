// What must not happen in a file compiled for a SIMD level: a function that other files might define too, outside the
// level's namespace and not inlined. check_simd_symbols has to find it.
namespace splat::test {

template <class T>
__attribute__((noinline)) T twice(T x) {
  return x + x;
}

namespace SPLAT_SIMD_LEVEL {
float stray(float x) { return twice(x); }
}  // namespace SPLAT_SIMD_LEVEL

}  // namespace splat::test
