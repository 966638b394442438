// The GPU backend's kernels in the emulator, at both wave sizes, and with the sort of many tiles.
#include "splat/backend/gpu/gpu_backend.h"
#include "tests/backend/parity_suite.h"
#include "tests/support/hip_emulator/hip_emulator.h"

namespace splat::test {
namespace {

BackendCase emulated(const std::string& name, unsigned wave_size, const GpuOptions& options) {
  return {name, [=]() -> std::unique_ptr<Backend> {
            hip_emulator::device().wave_size = wave_size;
            return make_gpu_backend(options);
          }};
}

INSTANTIATE_TEST_SUITE_P(Emulated, BackendParity,
                         ::testing::Values(emulated("wave_32", 32, {"emulated", 0, 8192}),
                                           emulated("wave_64", 64, {"emulated", 0, 8192}),
                                           emulated("two_pass_sort", 32, {"emulated", 0, 0})),
                         case_name);

}  // namespace
}  // namespace splat::test
