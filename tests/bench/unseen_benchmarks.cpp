// What splats outside the view cost: unseen_benchmarks [SPLATS,SPLATS,... [THREADS]]. Hills of an area that grows with
// the number of splats, seen by the same camera above their middle, in the order that training keeps; ms of the
// processor an iteration, medians of 7, and how many nanoseconds each splat more costs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"

namespace {

using splat::Gaussians;

constexpr double kPerArea = 5000;  // splats
constexpr int kRepeats = 7;

Gaussians hills(size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const float side = float(std::sqrt(double(count) / kPerArea));
  std::uniform_real_distribution<float> across(-side / 2, side / 2), turn(-1, 1);
  Gaussians model;
  model.sh_degree = splat::kMaxShDegree;
  model.resize(count);
  for (size_t i = 0; i < count; ++i) {
    float* mean = &model.means[3 * i];
    mean[0] = across(random), mean[1] = across(random);
    mean[2] = 0.3f * std::sin(mean[0]) * std::cos(mean[1]) + 0.01f * normal(random);
    for (size_t k = 0; k < 3; ++k) model.log_scales[3 * i + k] = -4.6f + 0.4f * normal(random);
    for (size_t k = 0; k < 4; ++k) model.quats[4 * i + k] = turn(random);
    model.logit_opacities[i] = normal(random);
  }
  return gather_rows(model, splat::morton_order(model.means));
}

// One and a half units above the hills, looking down by 45 degrees.
splat::View above() {
  splat::View view;
  view.camera = {800, 600, 900, 900, 400, 300};
  const double c = std::sqrt(0.5);
  view.cam_from_world.rotation = {1, 0, 0, 0, -c, -c, 0, c, -c};
  view.cam_from_world.translation = {0, 1.5 * c, 1.5 * c};
  return view;
}

double processor_ms() { return double(std::clock()) * (1e3 / CLOCKS_PER_SEC); }

struct Cost {
  double iteration = 0, project = 0, update = 0;  // ms
  size_t seen = 0;
};
Cost measure(size_t count, int threads) {
  auto made = splat::make_cpu_backend({.threads = threads});
  if (!made) std::abort();
  splat::CpuBackend& backend = *made.value();
  backend.upload(hills(count));
  splat::TrainingImage photo;
  photo.width = 800, photo.height = 600;
  photo.rgb.assign(size_t(3) * 800 * 600, 128);
  splat::AdamSettings steps;
  steps.mean_rate = steps.sh0_rate = steps.sh_rest_rate = steps.opacity_rate = 0;
  steps.log_scale_rate = steps.quat_rate = 0;
  std::vector<Cost> costs;
  for (int i = -2; i < kRepeats; ++i, ++steps.iteration) {
    const double start = processor_ms();
    backend.forward(above(), {});
    backend.loss(photo, {});
    backend.backward();
    backend.update(steps);
    const splat::CpuTimings& t = backend.timings();
    if (i >= 0) costs.push_back({processor_ms() - start, t.project.cpu_ms, t.update.cpu_ms, t.visible});
  }
  std::sort(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) { return a.iteration < b.iteration; });
  return costs[kRepeats / 2];
}

}  // namespace

int main(int count, char** words) {
  const int threads = count > 2 ? std::atoi(words[2]) : 1;
  std::printf("%9s %8s %10s %8s %8s %16s\n", "splats", "seen", "iteration", "project", "update", "ns a splat more");
  size_t before = 0;
  double ms_before = 0;
  for (const char* at = count > 1 ? words[1] : "100000,1000000,3000000,12000000"; at && *at;) {
    char* end = nullptr;
    const size_t splats = size_t(std::strtoull(at, &end, 10));
    if (splats == 0) return std::fprintf(stderr, "unseen_benchmarks [SPLATS,SPLATS,... [THREADS]]\n"), 2;
    const Cost cost = measure(splats, threads);
    std::printf("%9zu %8zu %7.1f ms %5.1f ms %5.1f ms", splats, cost.seen, cost.iteration, cost.project, cost.update);
    if (before > 0) std::printf(" %13.2f ns", (cost.iteration - ms_before) * 1e6 / double(splats - before));
    std::printf("\n");
    std::fflush(stdout);
    before = splats, ms_before = cost.iteration;
    at = *end == ',' ? end + 1 : nullptr;
  }
  return 0;
}
