// splat/core/gpu_sort.h on the host, for emulated kernels.
#include <algorithm>
#include <numeric>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/gpu_sort.h"

namespace splat::gpu {
namespace {

void sort_now(const SortPairs& sort) {
  const uint64_t kept = (uint64_t(1) << sort.end_bit) - (uint64_t(1) << sort.begin_bit);
  std::vector<uint32_t> order(sort.count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return (sort.keys_in[a] & kept) < (sort.keys_in[b] & kept); });
  for (size_t i = 0; i < sort.count; ++i) {
    sort.keys_out[i] = sort.keys_in[order[i]];
    sort.values_out[i] = sort.values_in[order[i]];
  }
}

}  // namespace

// What rocPRIM and CUB want, about: the sort a copy of keys and values.
size_t sort_temporary_bytes(size_t count) { return 512 + 8 * count; }
size_t scan_temporary_bytes(size_t count) { return 16 + count / 8; }

void sort_pairs(const Temporary& temporary, const SortPairs& sort, hipStream_t) {
  SPLAT_CHECK_LE(sort_temporary_bytes(sort.count), temporary.bytes);
  SPLAT_CHECK(sort.keys_in != sort.keys_out && sort.values_in != sort.values_out);
  hip_emulator::counters().sorted_keys += sort.count;
  hip_emulator::enqueue([=] { sort_now(sort); });
}

void exclusive_scan(const Temporary& temporary, const uint32_t* in, uint32_t* out, size_t count, hipStream_t) {
  SPLAT_CHECK_LE(scan_temporary_bytes(count), temporary.bytes);
  hip_emulator::enqueue([=] { std::exclusive_scan(in, in + count, out, 0u); });
}

}  // namespace splat::gpu
