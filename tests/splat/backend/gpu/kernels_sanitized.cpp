// The kernels on twelve scenes, under the sanitizers: both wave sizes, sums by atomics and in order, packed keys and
// two passes.
#include "tests/splat/backend/gpu/emulated_case.h"

namespace splat::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Emulated, TwelveScenes,
                         ::testing::Values(emulated("wave_32", 32, {.name = "emulated"}),
                                           emulated("wave_64", 64, {.name = "emulated"}),
                                           emulated("two_passes_ordered_32", 32,
                                                    {.name = "emulated", .max_packed_tiles = 0, .ordered = true}),
                                           emulated("ordered_64", 64, {.name = "emulated", .ordered = true})),
                         case_name);

}  // namespace
}  // namespace splat::test
