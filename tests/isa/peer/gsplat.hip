// Calls gsplat's kernels through its own host functions, as gsplat's Python does for one unpacked view in training, on
// the scene that peer_scene wrote, from projection to the gradients of what is blended, and compares its picture and
// gradients with those of our CPU: gsplat SCENE TILE_SIZE. Exit code 1 where they differ. What PyTorch does between the
// kernels is done on the CPU.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <fstream>

#include "Cameras.h"
#include "Common.cuh"
#include "Common.h"
#include "Intersect.h"
#include "Projection.h"
#include "Rasterization.h"
#include "SphericalHarmonics.h"
#include "tests/isa/peer/scene_file.h"

namespace peer {
namespace {

using at::Tensor;

// gsplat's defaults, but for the near plane, which it leaves to its caller; ours.
constexpr float kBlur = 0.3f, kNear = 0.01f, kFar = 1e10f;
constexpr float kConstantTerm = 0.28209479f;          // of spherical harmonics
constexpr double kLeastPsnr = 40, kMostError = 0.02;  // dB; of a gradient's norm

void check(hipError_t error) {
  if (error == hipSuccess) return;
  std::printf("%s\n", hipGetErrorString(error));
  std::exit(1);
}

template <class T>
Tensor tensor(const std::vector<T>& values, std::vector<int64_t> shape) {
  const Tensor made = Tensor::of<T>(std::move(shape));
  check(hipMemcpyAsync(made.data_ptr<T>(), values.data(), made.bytes(), hipMemcpyHostToDevice, nullptr));
  return made;
}
template <class T = float>
std::vector<T> values(const Tensor& tensor) {
  std::vector<T> out(size_t(tensor.numel()));
  check(hipMemcpyAsync(out.data(), tensor.data_ptr<T>(), tensor.bytes(), hipMemcpyDeviceToHost, nullptr));
  check(hipDeviceSynchronize());
  return out;
}
template <class T = float>
Tensor empty(std::vector<int64_t> shape) {
  return Tensor::of<T>(std::move(shape));
}
Tensor zeros(std::vector<int64_t> shape) {
  const Tensor made = empty(std::move(shape));
  made.fill_(0);
  return made;
}
// at::cumsum of int32 as int64, by hipCUB's scan.
Tensor running_sum(const Tensor& counts) {
  const Tensor sums = empty<int64_t>({counts.numel()});
  CUB_WRAPPER(hipcub::DeviceScan::InclusiveSum, counts.data_ptr<int32_t>(), sums.data_ptr<int64_t>(),
              int(counts.numel()), hipStream_t(nullptr));
  return sums;
}

SceneFile read(const char* path) {
  SceneFile scene = {};
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(&scene.header), sizeof scene.header);
  scene.each([&](std::vector<float>& array, size_t count) {
    array.resize(count);
    in.read(reinterpret_cast<char*>(array.data()), std::streamsize(count * sizeof(float)));
  });
  if (in) return scene;
  std::printf("%s cannot be read\n", path);
  std::exit(1);
}

bool same_picture(const std::vector<float>& theirs, const std::vector<float>& ours) {
  double squares = 0;
  for (size_t i = 0; i < ours.size(); ++i) squares += std::pow(double(theirs[i]) - ours[i], 2);
  const double psnr = -10 * std::log10(squares / double(ours.size()));
  std::printf("picture: %.1f dB PSNR with ours\n", psnr);
  return psnr > kLeastPsnr;
}

bool same_gradient(const char* name, const std::vector<float>& theirs, const std::vector<float>& ours) {
  double difference = 0, squares = 0;
  for (size_t i = 0; i < ours.size(); ++i)
    difference += std::pow(double(theirs[i]) - ours[i], 2), squares += std::pow(double(ours[i]), 2);
  const double error = std::sqrt(difference / squares);
  std::printf("gradient by %s: %.5f of its norm from ours\n", name, error);
  return error < kMostError;
}

bool iterate(const SceneFile& scene, uint32_t tile) {
  const uint32_t n = scene.header.splats, width = scene.header.width, height = scene.header.height;
  const int64_t count = n, tiles_x = (width + tile - 1) / tile, tiles_y = (height + tile - 1) / tile;
  const uint32_t coefficients = kShValues / 3;
  const Tensor means = tensor(scene.means, {count, 3}), quats = tensor(scene.quats, {count, 4});
  const Tensor scales = tensor(scene.scales, {count, 3}), opacities = tensor(scene.opacities, {1, count});
  const Tensor sh = tensor(scene.sh, {count, coefficients, 3});
  const Tensor views = tensor<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {1, 4, 4});
  const Tensor cameras =
      tensor<float>({scene.header.fx, 0, scene.header.cx, 0, scene.header.fy, scene.header.cy, 0, 0, 1}, {1, 3, 3});

  const Tensor radii = empty<int32_t>({1, count, 2}), means2d = empty({1, count, 2}), depths = empty({1, count});
  const Tensor conics = empty({1, count, 3}), colours = empty({1, count, 3});
  gsplat::launch_projection_ewa_3dgs_fused_fwd_kernel(means, {}, quats, scales, opacities, views, cameras, width,
                                                      height, kBlur, kNear, kFar, 0, gsplat::PINHOLE, radii, means2d,
                                                      depths, conics, {});
  const std::vector<int32_t> radius = values<int32_t>(radii);
  std::vector<uint8_t> seen(n);  // of bool's size
  for (size_t i = 0; i < n; ++i) seen[i] = radius[2 * i] > 0 && radius[2 * i + 1] > 0;
  const Tensor visible = tensor(seen, {1, count});
  // From the camera, which is at the origin.
  gsplat::launch_spherical_harmonics_fwd_kernel(3, means, sh, visible, colours);
  std::vector<float> colour = values(colours);
  std::vector<bool> clamped(colour.size());
  for (size_t i = 0; i < colour.size(); ++i) clamped[i] = !(colour[i] + 0.5f > 0);
  for (size_t i = 0; i < colour.size(); ++i) colour[i] = clamped[i] ? 0 : colour[i] + 0.5f;
  const Tensor drawn = tensor(colour, {1, count, 3});

  const Tensor counts = empty<int32_t>({1, count});
  gsplat::launch_intersect_tile_kernel(means2d, radii, depths, {}, {}, 1, tile, uint32_t(tiles_x), uint32_t(tiles_y),
                                       {}, counts, {}, {});
  const Tensor sums = running_sum(counts);
  const int64_t instances = values<int64_t>(sums).back();
  const Tensor keys = empty<int64_t>({instances}), sorted_keys = empty<int64_t>({instances});
  const Tensor ids = empty<int32_t>({instances}), sorted_ids = empty<int32_t>({instances});
  gsplat::launch_intersect_tile_kernel(means2d, radii, depths, {}, {}, 1, tile, uint32_t(tiles_x), uint32_t(tiles_y),
                                       sums, {}, keys, ids);
  const uint32_t tile_bits = uint32_t(std::floor(std::log2(tiles_x * tiles_y))) + 1;
  gsplat::radix_sort_double_buffer(instances, 1, tile_bits, keys, ids, sorted_keys, sorted_ids);
  const Tensor offsets = empty<int32_t>({1, tiles_y, tiles_x});
  gsplat::launch_intersect_offset_kernel(sorted_keys, 1, uint32_t(tiles_x), uint32_t(tiles_y), offsets);

  const Tensor picture = empty({1, height, width, 3}), alphas = empty({1, height, width, 1});
  const Tensor last = empty<int32_t>({1, height, width});
  gsplat::launch_rasterize_to_pixels_3dgs_fwd_kernel<3>(means2d, conics, drawn, opacities, {}, {}, width, height, tile,
                                                        offsets, sorted_ids, picture, alphas, last);

  const Tensor v_picture = tensor(scene.v_picture, {1, height, width, 3}), v_alphas = zeros({1, height, width, 1});
  const Tensor v_means2d = zeros({1, count, 2}), v_conics = zeros({1, count, 3}), v_colours = zeros({1, count, 3});
  const Tensor v_opacities = zeros({1, count});
  gsplat::launch_rasterize_to_pixels_3dgs_bwd_kernel<3>(means2d, conics, drawn, opacities, {}, {}, width, height, tile,
                                                        offsets, sorted_ids, alphas, last, v_picture, v_alphas, {},
                                                        v_means2d, v_conics, v_colours, v_opacities);

  const auto in_view = std::count(seen.begin(), seen.end(), uint8_t(1));
  std::printf("tiles of %u: %td splats in view, %lld instances\n", tile, in_view, static_cast<long long>(instances));
  // Gradients that follow from these without another kernel: of opacity's logit and of the colour's constant term.
  std::vector<float> v_opacity = values(v_opacities), v_colour = values(v_colours), v_constant(v_colour.size());
  for (size_t i = 0; i < n; ++i) v_opacity[i] *= scene.opacities[i] * (1 - scene.opacities[i]);
  for (size_t i = 0; i < v_colour.size(); ++i) {
    v_colour[i] *= clamped[i] ? 0 : kConstantTerm;
    v_constant[i] = scene.v_sh[kShValues * (i / 3) + i % 3];
  }
  const bool same = same_picture(values(picture), scene.picture);
  const bool same_opacities = same_gradient("opacities", v_opacity, scene.v_logits);
  return same_gradient("colours", v_colour, v_constant) && same && same_opacities;
}

}  // namespace
}  // namespace peer

int main(int argc, char** argv) {
  if (argc != 3) {
    std::printf("usage: gsplat SCENE TILE_SIZE\n");
    return 2;
  }
  const peer::SceneFile scene = peer::read(argv[1]);
  return peer::iterate(scene, uint32_t(std::atoi(argv[2]))) ? 0 : 1;
}
