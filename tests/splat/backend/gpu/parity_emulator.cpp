// The GPU backend's kernels in the emulator: the whole suite with each way to sum, to sort and each wave size once, and
// twelve scenes for their other combinations.
#include "tests/splat/backend/gpu/emulated_case.h"

namespace splat::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Emulated, BackendParity,
                         ::testing::Values(emulated("wave_32", 32, {.name = "emulated"}),
                                           emulated("ordered_64", 64,
                                                    {.name = "emulated", .max_packed_tiles = 0, .ordered = true})),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Emulated, TwelveScenes,
                         ::testing::Values(emulated("wave_64", 64, {.name = "emulated"}),
                                           emulated("two_pass_sort", 32, {.name = "emulated", .max_packed_tiles = 0}),
                                           emulated("ordered_32", 32, {.name = "emulated", .ordered = true})),
                         case_name);

}  // namespace
}  // namespace splat::test
