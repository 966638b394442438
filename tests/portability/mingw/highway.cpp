// Highway's two libraries are not in Debian for Windows. What hipsplat calls of them, from the headers, for one
// instruction set: the sort of 64-bit keys, and what the processor can do.
#define VQSORT_ONLY_STATIC 1  // Highway 1.0.7 and newer then call nothing of their library
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <cstring>

namespace hwy {

Sorter::Sorter() {}
void Sorter::Delete() {}
// Where pivots are looked for: any bytes do, and the same ones are as good every time.
void Sorter::Fill24Bytes(const void* /*seed_heap*/, size_t seed_num, void* bytes) {
  const uint64_t state[3] = {seed_num | 1, 0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u};
  std::memcpy(bytes, state, sizeof state);
}

void Sorter::operator()(uint64_t* HWY_RESTRICT keys, size_t n, SortAscending) const {
  namespace hn = HWY_NAMESPACE;
#if HWY_MAJOR > 1 || HWY_MINOR > 0 || HWY_PATCH >= 7  // 1.0 is the oldest
  hn::VQSortStatic(keys, n, SortAscending());
#else
  const hn::SortTag<uint64_t> d;
  const hn::detail::SharedTraits<hn::detail::TraitsLane<hn::detail::OrderAscending<uint64_t>>> traits;
  hn::Sort(d, traits, keys, n, static_cast<uint64_t*>(nullptr));
#endif
}

int64_t SupportedTargets() {
  int64_t targets = 0;
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes"))
    return targets;
  targets |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    return targets;
  targets |= HWY_AVX2;
  for (const bool part : {bool(__builtin_cpu_supports("avx512f")), bool(__builtin_cpu_supports("avx512bw")),
                          bool(__builtin_cpu_supports("avx512dq")), bool(__builtin_cpu_supports("avx512vl"))})
    if (!part) return targets;
  return targets | HWY_AVX3;
}

}  // namespace hwy
