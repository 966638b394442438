#include "splat/core/gpu_sort.h"

#include <algorithm>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#else
#include <cstring>  // rocPRIM 4.2 calls memset and leaves it to others to declare it
#include <rocprim/rocprim_version.hpp>
// rocPRIM before 3.0 knows RDNA by a list of names that ends at gfx1031 or gfx1102, and gives other names the row
// broadcasts of GCN, which RDNA does not have. To it all of RDNA is gfx1030.
#if ROCPRIM_VERSION < 300000 && (defined(__GFX10__) || defined(__GFX11__)) && !defined(__gfx1030__)
#define __gfx1030__ 1
#include <rocprim/rocprim.hpp>
#undef __gfx1030__
#else
#include <rocprim/rocprim.hpp>
#endif
#endif

namespace splat::gpu {
namespace {

// With no memory given, says how much is needed.
hipError_t call_sort(void* memory, size_t& bytes, const SortPairs& s, hipStream_t stream) {
#if defined(__CUDACC__)
  return cub::DeviceRadixSort::SortPairs(memory, bytes, s.keys_in, s.keys_out, s.values_in, s.values_out, s.count,
                                         s.begin_bit, s.end_bit, stream);
#else
  return rocprim::radix_sort_pairs(memory, bytes, s.keys_in, s.keys_out, s.values_in, s.values_out, s.count,
                                   unsigned(s.begin_bit), unsigned(s.end_bit), stream);
#endif
}

hipError_t call_scan(void* memory, size_t& bytes, const uint32_t* in, uint32_t* out, size_t count, hipStream_t stream) {
#if defined(__CUDACC__)
  return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, count, stream);
#else
  return rocprim::exclusive_scan(memory, bytes, in, out, uint32_t(0), count, rocprim::plus<uint32_t>(), stream);
#endif
}

}  // namespace

size_t sort_temporary_bytes(size_t count) {
  size_t bytes = 0;
  SortPairs sort;
  sort.count = count;
  SPLAT_GPU_CHECK(call_sort(nullptr, bytes, sort, nullptr));
  return std::max<size_t>(bytes, 1);
}

void sort_pairs(const Temporary& temporary, const SortPairs& sort, hipStream_t stream) {
  if (sort.count == 0) return;
  size_t bytes = temporary.bytes;
  SPLAT_GPU_CHECK(call_sort(temporary.data, bytes, sort, stream));
}

size_t scan_temporary_bytes(size_t count) {
  size_t bytes = 0;
  SPLAT_GPU_CHECK(call_scan(nullptr, bytes, nullptr, nullptr, count, nullptr));
  return std::max<size_t>(bytes, 1);
}

void exclusive_scan(const Temporary& temporary, const uint32_t* in, uint32_t* out, size_t count, hipStream_t stream) {
  if (count == 0) return;
  size_t bytes = temporary.bytes;
  SPLAT_GPU_CHECK(call_scan(temporary.data, bytes, in, out, count, stream));
}

}  // namespace splat::gpu
