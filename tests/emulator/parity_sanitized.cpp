// The kernels in the emulator under the address and undefined-behaviour sanitizers: each kernel at both wave sizes.
#include "tests/emulator/emulated_case.h"

namespace splat::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Sanitized, BackendParity,
                         ::testing::Values(emulated("wave_32", 32, {"emulated"}),
                                           emulated("two_pass_ordered_64", 64,
                                                    {.name = "emulated", .max_packed_tiles = 0, .ordered = true})),
                         case_name);

}  // namespace
}  // namespace splat::test
