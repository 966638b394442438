// Writes the scene that figures are measured on (splat/bench) with the picture and the gradients that our CPU makes of
// it, for the driver of another project's kernels: peer_scene SPLATS WIDTH HEIGHT FILE.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "devices/registry.h"
#include "splat/bench/bench_scene.h"
#include "tests/isa/peer/scene_file.h"

namespace splat {
namespace {

// [3,H,W] -> [H,W,3]
std::vector<float> interleaved(const std::vector<float>& planes) {
  const size_t pixels = planes.size() / 3;
  std::vector<float> rows(planes.size());
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c) rows[3 * i + c] = planes[c * pixels + i];
  return rows;
}

int write(const bench::SceneSize& size, const char* path) {
  auto made = make_backend("cpu", -1, 1, true);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return 1;
  }
  Backend& backend = *made->backend;
  const bench::Scene scene = bench::make_scene(size);
  backend.upload(scene.model);
  backend.forward(scene.view, {});
  ImageF image;
  backend.read_image(image);
  ImageF v_image = image;  // of half the mean square
  for (size_t i = 0; i < v_image.rgb.size(); ++i)
    v_image.rgb[i] = (image.rgb[i] - float(scene.target.rgb[i]) / 255) / float(image.rgb.size());
  backend.set_image_gradient(v_image);
  backend.backward();
  Gaussians v_model;
  std::array<float, 3> v_background;
  backend.read_gradients(v_model, v_background);

  const PinholeCamera& camera = scene.view.camera;
  peer::SceneFile file = {};
  file.header = {
      uint32_t(size.splats), uint32_t(size.width), uint32_t(size.height), camera.fx, camera.fy, camera.cx, camera.cy};
  file.means = scene.model.means, file.quats = scene.model.quats, file.sh = scene.model.sh;
  file.scales = scene.model.log_scales, file.opacities = scene.model.logit_opacities;
  for (float& scale : file.scales) scale = std::exp(scale);
  for (float& opacity : file.opacities) opacity = 1 / (1 + std::exp(-opacity));
  file.picture = interleaved(image.rgb), file.v_picture = interleaved(v_image.rgb);
  file.v_logits = v_model.logit_opacities, file.v_sh = v_model.sh;
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&file.header), sizeof file.header);
  bool whole = true;
  file.each([&](const std::vector<float>& values, size_t count) {
    whole = whole && values.size() == count;
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
  });
  out.close();
  if (whole && out) return 0;
  std::fprintf(stderr, "peer_scene: %s is not whole\n", path);
  return 1;
}

}  // namespace
}  // namespace splat

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: peer_scene SPLATS WIDTH HEIGHT FILE\n");
    return 2;
  }
  return splat::write({size_t(std::atol(argv[1])), std::atoi(argv[2]), std::atoi(argv[3])}, argv[4]);
}
