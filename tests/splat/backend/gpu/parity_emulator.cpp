// The GPU backend's kernels in the emulator, at both wave sizes, and with the sort of many tiles.
#include "tests/splat/backend/gpu/emulated_case.h"

namespace splat::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Emulated, BackendParity,
                         ::testing::Values(emulated("wave_32", 32, {"emulated"}), emulated("wave_64", 64, {"emulated"}),
                                           emulated("two_pass_sort", 32, {.name = "emulated", .max_packed_tiles = 0}),
                                           emulated("ordered_32", 32, {.name = "emulated", .ordered = true}),
                                           emulated("ordered_64", 64,
                                                    {.name = "emulated", .max_packed_tiles = 0, .ordered = true})),
                         case_name);

}  // namespace
}  // namespace splat::test
