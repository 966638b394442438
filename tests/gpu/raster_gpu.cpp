// The rasterisers of this machine's GPUs against the reference; no test where there is none.
#include "devices/registry.h"
#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/gpu/staged_rasteriser.h"
#include "tests/splat/raster/raster_parity.h"

namespace splat::test {
namespace {

struct GpuRasterCase {
  std::string backend;
  RasterCase scene;
};

class GpuRasterParity : public ::testing::TestWithParam<GpuRasterCase> {};

std::vector<GpuRasterCase> gpu_raster_cases() {
  std::vector<GpuRasterCase> cases;
  for (const BackendStatus& status : list_backends(1))
    for (const RasterCase& at : raster_cases())
      if (status.usable && status.name != "cpu") cases.push_back({status.name, at});
  return cases;
}

TEST_P(GpuRasterParity, MatchesTheReference) {
  auto made = make_rasteriser(GetParam().backend, -1, 1);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const auto rasteriser = staged(GetParam().backend, std::move(made->rasteriser));
  const RasterCase& at = GetParam().scene;
  expect_parity(run(*rasteriser, at, Passes::kBoth), run(*make_reference_rasteriser<float>(), at, Passes::kBoth));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuRasterParity);
INSTANTIATE_TEST_SUITE_P(Gpu, GpuRasterParity, ::testing::ValuesIn(gpu_raster_cases()),
                         [](const auto& info) { return info.param.backend + "_" + info.param.scene.name; });

}  // namespace
}  // namespace splat::test
