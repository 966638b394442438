// rocPRIM's radix sort and scan of the plugin over more than a million elements, where it sorts in one sweep:
// sort_scan COUNT. Keys of 32 and of 13 bits, a tenth of them equal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "splat/core/gpu_sort.h"

namespace {

using splat::gpu::Temporary;

class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    SPLAT_GPU_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), 4 * count));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  uint32_t* data() const { return data_; }
  void upload(const std::vector<uint32_t>& from) {
    SPLAT_GPU_CHECK(hipMemcpyAsync(data_, from.data(), 4 * count_, hipMemcpyHostToDevice, nullptr));
  }
  std::vector<uint32_t> download() const {
    std::vector<uint32_t> to(count_);
    SPLAT_GPU_CHECK(hipMemcpyAsync(to.data(), data_, 4 * count_, hipMemcpyDeviceToHost, nullptr));
    return to;
  }

 private:
  uint32_t* data_ = nullptr;
  size_t count_;
};

size_t wrongly_sorted(size_t count, int bits, std::mt19937& random) {
  std::vector<uint32_t> keys(count), values(count), order(count);
  for (uint32_t& key : keys) key = bits == 32 ? random() : random() & ((1u << bits) - 1);
  for (size_t i = 0; i < count / 10; ++i) keys[random() % count] = 5;
  std::iota(values.begin(), values.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  DeviceArray keys_in(count), keys_out(count), values_in(count), values_out(count);
  keys_in.upload(keys), values_in.upload(values);
  const size_t bytes = splat::gpu::sort_temporary_bytes(count);
  DeviceArray room((bytes + 3) / 4);
  splat::gpu::sort_pairs({room.data(), bytes},
                         {keys_in.data(), keys_out.data(), values_in.data(), values_out.data(), count, 0, bits},
                         nullptr);
  const std::vector<uint32_t> sorted_keys = keys_out.download(), sorted_values = values_out.download();
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) wrong += sorted_values[i] != order[i] || sorted_keys[i] != keys[order[i]];
  return wrong;
}

size_t wrongly_scanned(size_t count, std::mt19937& random) {
  std::vector<uint32_t> in(count);
  for (uint32_t& x : in) x = random() % 1000;
  DeviceArray from(count), to(count);
  from.upload(in);
  const size_t bytes = splat::gpu::scan_temporary_bytes(count);
  DeviceArray room((bytes + 3) / 4);
  splat::gpu::exclusive_scan({room.data(), bytes}, from.data(), to.data(), count, nullptr);
  const std::vector<uint32_t> sums = to.download();
  size_t wrong = 0;
  uint32_t sum = 0;
  for (size_t i = 0; i < count; sum += in[i++]) wrong += sums[i] != sum;
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? size_t(std::atol(argv[1])) : 1200000;
  std::mt19937 random(7);
  size_t wrong = 0;
  for (int bits : {32, 13}) {
    const size_t now = wrongly_sorted(count, bits, random);
    std::printf("%zu keys of %d bits: %zu wrong\n", count, bits, now);
    wrong += now;
  }
  const size_t now = wrongly_scanned(count, random);
  std::printf("sums of %zu numbers: %zu wrong\n", count, now);
  return wrong + now ? 1 : 0;
}
