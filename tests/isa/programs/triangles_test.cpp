// The kernels of triangles against the CPU: the plugin's object files, linked to this program.
#include "splat/backend/gpu/gpu_triangles.h"
#include "tests/splat/raster/triangles/gpu_parity.h"

namespace splat::triangles {
namespace {

TEST(Triangles, AreAsTheProcessors) {
  const std::unique_ptr<Rasteriser> gpu = make_gpu_triangles(0);
  for (const test::Case& at : test::cases()) test::compare(at, *gpu);
}

TEST(Triangles, FacesAreAsTheProcessors) {
  const std::unique_ptr<Rasteriser> gpu = make_gpu_triangles(0);
  for (const test::Case& at : test::cases()) test::compare_faces(at, *gpu);
}

}  // namespace
}  // namespace splat::triangles
