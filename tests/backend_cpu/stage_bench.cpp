// Times the stages of a training iteration on a seeded synthetic scene:
//   stage_bench [splats [width [height [threads [repeats [sh_degree]]]]]]      default 100000 500 375 1 12 3
// Prints each stage's best CPU time of all threads, in ms, and the best wall time of the iteration.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/core/random.h"

namespace splat {
namespace {

// Surfaces with noise and a third of floaters behind them; sizes log-normal around 1.6 px at 100k splats on 500x375.
Gaussians make_model(size_t n, const View& view) {
  Gaussians model;
  model.sh_degree = kMaxShDegree;
  model.resize(n);
  random::Sequence random(1, random::kTest);
  const float w = float(view.camera.width), h = float(view.camera.height), f = view.camera.fx;
  const float size_px = 1.6f * std::sqrt(100000.0f / float(n)) * std::sqrt(w * h / (500.0f * 375.0f));
  for (size_t i = 0; i < n; ++i) {
    const float u = random.uniform() * 1.1f - 0.05f, v = random.uniform() * 1.1f - 0.05f;
    const float surface = 3 + 2 * std::sin(6 * u) * std::cos(5 * v);
    const float z =
        std::max(0.5f, surface + (random.uniform() < 0.7f ? 0.05f * random.normal() : 4 * random.uniform()));
    model.means[3 * i] = (u * w - view.camera.cx) / f * z;
    model.means[3 * i + 1] = (v * h - view.camera.cy) / f * z;
    model.means[3 * i + 2] = z;
    const float size = size_px * std::exp(0.6f * random.normal()) * z / f, stretch = std::exp(0.5f * random.normal());
    model.log_scales[3 * i] = std::log(size * stretch);
    model.log_scales[3 * i + 1] = std::log(size / stretch);
    model.log_scales[3 * i + 2] = std::log(size * 0.3f);
    for (int k = 0; k < 4; ++k) model.quats[4 * i + k] = random.normal();
    model.logit_opacities[i] = 1.6f * random.normal() - 0.3f;
    for (int k = 0; k < 48; ++k) model.sh[48 * i + k] = (k < 3 ? 0.8f : 0.1f) * random.normal();
  }
  return model;
}

TrainingImage make_target(int width, int height) {
  TrainingImage target;
  target.width = width;
  target.height = height;
  random::Sequence random(2, random::kTest);
  target.rgb.resize(size_t(3) * width * height);
  for (uint8_t& value : target.rgb) value = uint8_t(random.below(256));
  return target;
}

struct Row {
  const char* name;
  StageTime CpuTimings::*stage;
  double best_ms = 1e30;
};

int run(size_t n, int width, int height, int threads, int repeats, int sh_degree) {
  View view;
  view.camera = {width, height, 0.8f * width, 0.8f * width, 0.5f * width, 0.5f * height};
  auto made = make_cpu_backend({threads, cpu::SimdLevel::kAuto});
  if (!made) return std::fprintf(stderr, "%s\n", made.error().message.c_str()), 1;
  CpuBackend& backend = **made;
  backend.upload(make_model(n, view));
  const TrainingImage target = make_target(width, height);
  RenderSettings settings;
  settings.sh_degree = sh_degree;
  AdamSettings adam;  // rates so small that every repeat does the same work
  adam.mean_rate = adam.sh0_rate = adam.sh_rest_rate = adam.opacity_rate = adam.log_scale_rate = adam.quat_rate = 1e-9f;

  Row rows[] = {{"project", &CpuTimings::project}, {"bin", &CpuTimings::bin},
                {"sort", &CpuTimings::sort},       {"blend_forward", &CpuTimings::blend_forward},
                {"loss", &CpuTimings::loss},       {"blend_backward", &CpuTimings::blend_backward},
                {"combine", &CpuTimings::combine}, {"update", &CpuTimings::update}};
  double best_wall = 1e30, best_sum = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    backend.forward(view, settings);
    backend.loss(target, {});
    backend.backward();
    adam.iteration = i + 1;
    backend.update(adam);
    const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best_wall = std::min(best_wall, wall);
    double sum = 0;
    for (Row& row : rows) {
      const double ms = (backend.timings().*row.stage).cpu_ms;
      row.best_ms = std::min(row.best_ms, ms);
      sum += ms;
    }
    best_sum = std::min(best_sum, sum);
  }
  const CpuTimings& t = backend.timings();
  std::printf("%s\n%zu splats, %dx%d, degree %d: %zu visible, %zu instances, %.0f bytes a splat\n",
              backend.info().device.c_str(), n, width, height, sh_degree, t.visible, t.instances,
              double(backend.memory_bytes()) / double(n));
  double sum_of_best = 0;
  for (const Row& row : rows) {
    std::printf("  %-15s %8.2f\n", row.name, row.best_ms);
    sum_of_best += row.best_ms;
  }
  std::printf("  sum of best %.2f ms, best iteration %.2f ms CPU, %.2f ms wall\n", sum_of_best, best_sum, best_wall);
  return 0;
}

}  // namespace
}  // namespace splat

int main(int argc, char** argv) {
  const auto argument = [&](int i, int fallback) { return i < argc ? std::atoi(argv[i]) : fallback; };
  return splat::run(size_t(argument(1, 100000)), argument(2, 500), argument(3, 375), argument(4, 1), argument(5, 12),
                    argument(6, 3));
}
