// What density control asks of every splat and every camera: density_benchmarks [around|above SPLATS CAMERAS
// [THREADS]]. Cameras around an object, or in rows above a landscape as a drone takes them; splats in the order that
// training keeps. Medians of 5, ms of the wall. A step of `budget` is the first three; the end of a run the last.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "splat/core/fnv1a.h"
#include "splat/densify/moved_out_rows.h"
#include "splat/densify/near_rows.h"
#include "splat/densify/path_rows.h"
#include "splat/densify/veil_rows.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"

namespace {

using splat::Gaussians;
using splat::View;

constexpr double kPi = 3.14159265358979;

// Looks along `yaw` about the y axis, then down by `pitch`.
View view_at(double x, double y, double z, double yaw, double pitch) {
  View view;
  view.camera = {1600, 1066, 1200, 1200, 800, 533};
  const double c = std::cos(yaw), s = std::sin(yaw), d = std::cos(pitch), e = std::sin(pitch);
  const std::array<double, 9> r{c, 0, -s, s * e, d, c * e, s * d, -e, c * d};
  std::copy(r.begin(), r.end(), view.cam_from_world.rotation.begin());
  for (size_t i = 0; i < 3; ++i)
    view.cam_from_world.translation[i] = -(r[3 * i] * x + r[3 * i + 1] * y + r[3 * i + 2] * z);
  return view;
}

std::vector<View> cameras(bool around, size_t count) {
  std::vector<View> views;
  const size_t a_row = size_t(std::sqrt(double(count)));
  for (size_t i = 0; i < count; ++i) {
    const double turn = 2 * kPi * double(i) * 3 / double(count), height = -1 - double(i % 3);
    if (around)
      views.push_back(view_at(-4 * std::sin(turn), height, -4 * std::cos(turn), turn, std::atan2(-height, -4.0) + kPi));
    else
      views.push_back(view_at(double(i % a_row), -3, std::floor(double(i) / double(a_row)), 0, -kPi / 2));
  }
  return views;
}

// Around: a ball and the ground under it, and a background; above: hills.
Gaussians splats(bool around, size_t count, size_t cameras) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1, 1);
  const float side = float(std::sqrt(double(cameras)));
  Gaussians model;
  model.sh_degree = 0;
  model.resize(count);
  for (size_t i = 0; i < count; ++i) {
    float* mean = &model.means[3 * i];
    if (i % 50 == 0) {  // floaters among the cameras
      const float height = -3 * std::abs(uniform(random)), away = 4 * (1 + 0.2f * uniform(random));
      const float turn = float(kPi) * uniform(random);
      mean[0] = around ? away * std::sin(turn) : side * std::abs(uniform(random));
      mean[2] = around ? away * std::cos(turn) : side * std::abs(uniform(random));
      mean[1] = height;
      continue;
    }
    if (!around) {
      mean[0] = side / 2 * (1 + 1.1f * uniform(random)), mean[2] = side / 2 * (1 + 1.1f * uniform(random));
      mean[1] = 0.3f * std::sin(mean[0]) * std::cos(mean[2]) + 0.02f * normal(random);
      continue;
    }
    const float length = i % 10 < 5 ? 1.0f : i % 10 < 8 ? 3.0f : 30.0f;
    std::array<float, 3> d{normal(random), normal(random), normal(random)};
    const float scale = length / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (1 + 0.1f * uniform(random));
    for (size_t axis = 0; axis < 3; ++axis) mean[axis] = d[axis] * scale;
    if (length == 3.0f) mean[1] = 1 + 0.01f * normal(random);
  }
  return splat::gather_rows(model, splat::morton_order(model.means));
}

template <class Work>
void measure(const char* what, const Work& work) {
  std::vector<double> ms;
  uint64_t digest = 0;
  for (int i = 0; i < 5; ++i) {
    const auto before = std::chrono::steady_clock::now();
    const auto found = work();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count());
    using Value = typename decltype(found)::value_type;
    digest = splat::fnv1a({reinterpret_cast<const char*>(found.data()), found.size() * sizeof(Value)});
  }
  std::sort(ms.begin(), ms.end());
  std::printf("%-28s %10.1f ms   %016llx\n", what, ms[2], static_cast<unsigned long long>(digest));
}

void run(bool around, size_t count, size_t views_count, int threads) {
  splat::ThreadPool pool(threads);
  const std::vector<View> views = cameras(around, views_count);
  const Gaussians model = splats(around, count, views_count);
  std::printf("%zu splats, %zu cameras %s, %d threads\n", count, views_count, around ? "around" : "above",
              pool.threads());
  splat::Ellipsoids moved = model;
  measure("moved out", [&] {
    moved = model;
    return splat::move_rows_out(moved, views, 3, &pool);
  });
  measure("on a path", [&] { return splat::rows_in_paths(model, views, 3, &pool); });
  measure("growth by distance", [&] { return splat::growth_by_distance(model, views, 0.1, &pool); });
  measure("veils", [&] {
    std::vector<uint32_t> rows;
    for (const splat::Sighting& s : splat::near_sightings(model, views, 8, &pool)) rows.push_back(s.row);
    return rows;
  });
}

}  // namespace

int main(int count, char** words) {
  if (count >= 4) {
    run(std::string_view(words[1]) == "around", std::strtoull(words[2], nullptr, 10),
        std::strtoull(words[3], nullptr, 10), count > 4 ? std::atoi(words[4]) : 0);
    return 0;
  }
  run(true, 1000000, 300, 0);
  run(false, 200000, 8000, 0);
}
