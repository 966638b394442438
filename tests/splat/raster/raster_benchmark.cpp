// raster_benchmark [SPLATS [THREADS]]: what a training iteration of the CPU backend takes on the scene of --bench, and
// what the CPU's rasteriser takes on the same splats in arrays, forward and backward; the least processor time of
// several rounds, each after the other.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "splat/backend/cpu/cpu_rasteriser.h"
#include "splat/bench/bench_scene.h"

namespace splat {
namespace {

double cpu_ms() { return double(std::clock()) * (1e3 / CLOCKS_PER_SEC); }

struct ArrayScene {
  std::vector<float> scales, opacities, colours, picture, v_picture, alpha, depth;
  std::vector<float> v_means, v_quats, v_scales, v_opacities, v_sh, v_colours, v_means2d, v_absolute, v_cam;
  raster::Camera camera;
  raster::Call<float> call;
  raster::SceneGradients<float> gradients;

  explicit ArrayScene(const bench::Scene& scene) {
    const Gaussians& model = scene.model;
    const size_t n = model.size(), pixels = size_t(scene.size.width) * size_t(scene.size.height);
    for (float s : model.log_scales) scales.push_back(std::exp(s));
    for (float o : model.logit_opacities) opacities.push_back(1 / (1 + std::exp(-o)));
    colours.assign(3 * n, 0.5f);
    picture.resize(3 * pixels), v_picture.assign(3 * pixels, 1e-3f), alpha.resize(pixels), depth.resize(pixels);
    for (size_t i = 0; i < v_picture.size(); ++i) v_picture[i] *= float(i % 7) - 3;
    v_means.resize(3 * n), v_quats.resize(4 * n), v_scales.resize(3 * n), v_opacities.resize(n);
    v_sh.resize(48 * n), v_colours.resize(3 * n), v_means2d.resize(2 * n), v_absolute.resize(2 * n), v_cam.resize(12);
    for (size_t r = 0; r < 3; ++r) {
      for (size_t c = 0; c < 3; ++c) camera.cam_from_world[4 * r + c] = scene.view.cam_from_world.rotation[3 * r + c];
      camera.cam_from_world[4 * r + 3] = scene.view.cam_from_world.translation[r];
    }
    const PinholeCamera& pinhole = scene.view.camera;
    camera.fx = pinhole.fx, camera.fy = pinhole.fy, camera.cx = pinhole.cx, camera.cy = pinhole.cy;
    call.scene = {n,
                  model.means.data(),
                  model.quats.data(),
                  scales.data(),
                  nullptr,
                  opacities.data(),
                  model.sh.data(),
                  16,
                  3,
                  nullptr,
                  false,
                  3};
    call.cameras = {&camera, 1};
    call.settings.width = pinhole.width, call.settings.height = pinhole.height;
    call.pictures.colour = picture.data();
    call.keep = true;
    gradients = {v_means.data(), v_quats.data(), v_scales.data(), nullptr, v_opacities.data(),
                 v_sh.data(),    nullptr,        nullptr,         nullptr};
  }

  void run(raster::Rasteriser<float>& rasteriser, double (&out)[3]) {
    const double start = cpu_ms();
    const auto drawn = rasteriser.forward(call);
    const double forward = cpu_ms();
    const bool has_depth = call.settings.depth != raster::Depth::kNone;
    drawn->backward_pictures({v_picture.data(), nullptr, has_depth ? depth.data() : nullptr},
                             {v_means2d.data(), nullptr});
    const double pictures = cpu_ms();
    drawn->backward_scene(nullptr, gradients);
    const double times[3] = {forward - start, pictures - forward, cpu_ms() - pictures};
    for (int k = 0; k < 3; ++k) out[k] = std::min(out[k], times[k]);
  }
};

void compare(size_t splats, int threads) {
  const bench::Scene scene = bench::make_scene({splats, 500, 375});
  auto backend = std::move(*make_cpu_backend({.threads = threads}));
  auto rasteriser = std::move(*make_cpu_rasteriser({.threads = threads}));
  backend->upload(scene.model);
  AdamSettings adam;
  adam.mean_rate = adam.sh0_rate = adam.sh_rest_rate = adam.opacity_rate = adam.log_scale_rate = adam.quat_rate = 0;
  ArrayScene sh(scene), depth(scene), colours(scene);
  depth.call.settings.depth = raster::Depth::kExpected, depth.call.pictures.depth = depth.depth.data();
  colours.call.scene.sh = nullptr, colours.call.scene.colours = colours.colours.data();
  colours.gradients.sh = nullptr, colours.gradients.colours = colours.v_colours.data();
  double engine = 1e9, stages[8] = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
  double times[3][3] = {{1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}};
  for (int round = 0; round < 15; ++round) {
    backend->forward(scene.view, {});
    backend->loss(scene.target, {});
    backend->backward();
    backend->update(adam);
    double total = 0;
    const auto timed = backend->stage_times();
    for (size_t s = 0; s < timed.size(); ++s) {
      stages[s] = std::min(stages[s], timed[s].cpu_ms);
      if (timed[s].name != "loss") total += timed[s].cpu_ms;
    }
    engine = std::min(engine, total);
    sh.run(*rasteriser, times[0]), depth.run(*rasteriser, times[1]), colours.run(*rasteriser, times[2]);
  }
  std::printf("backend without the loss: %.1f ms (", engine);
  const auto timed = backend->stage_times();
  for (size_t s = 0; s < timed.size(); ++s) std::printf(" %s %.1f", std::string(timed[s].name).c_str(), stages[s]);
  std::printf(" )\n");
  const char* names[3] = {"SH 3", "SH 3 and depth", "colours"};
  for (int k = 0; k < 3; ++k)
    std::printf("%-16s forward %.1f, through blending %.1f, to the scene %.1f: %.1f ms, %.3f of the backend's\n",
                names[k], times[k][0], times[k][1], times[k][2], times[k][0] + times[k][1] + times[k][2],
                (times[k][0] + times[k][1] + times[k][2]) / engine);
}

}  // namespace
}  // namespace splat

int main(int argc, char** argv) {
  splat::compare(argc > 1 ? size_t(std::atoll(argv[1])) : 100000, argc > 2 ? std::atoi(argv[2]) : 1);
}
