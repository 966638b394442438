// Radix sort and scan on the GPU behind plain functions: rocPRIM on AMD, CUB on NVIDIA (gpu_sort.hip), the host in the
// emulator of the tests. Nothing allocates: the caller keeps the temporary memory. The sort is stable.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/core/gpu_runtime.h"

namespace splat::gpu {

struct Temporary {
  void* data;
  size_t bytes;
};

// Sorts by bits [begin_bit, end_bit) of the keys; input and output are different arrays.
struct SortPairs {
  const uint32_t* keys_in = nullptr;    // [count]
  uint32_t* keys_out = nullptr;         // [count]
  const uint32_t* values_in = nullptr;  // [count]
  uint32_t* values_out = nullptr;       // [count]
  size_t count = 0;
  int begin_bit = 0, end_bit = 32;
};
size_t sort_temporary_bytes(size_t count);
void sort_pairs(const Temporary& temporary, const SortPairs& sort, hipStream_t stream);

// out[i] = in[0] + ... + in[i-1].
size_t scan_temporary_bytes(size_t count);
void exclusive_scan(const Temporary& temporary, const uint32_t* in, uint32_t* out, size_t count, hipStream_t stream);

}  // namespace splat::gpu
