// What the window's threads take, at 1280x720:
//   window_benchmarks --benchmark_filter=sort
// sort: by depth, all splats in sight; pick: the surface under a pixel; picture: one by the CPU backend, by divisor of
// the sides.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "splat/backend/registry.h"
#include "splat/bench/bench_scene.h"
#include "viewer/camera/pick.h"
#include "viewer/draw/depth_order.h"
#include "viewer/live/draw_picture.h"

namespace viewer {
namespace {

using splat::bench::Scene;

Scene scene_of(int64_t splats) {
  splat::bench::SceneSize size;
  size.splats = size_t(splats);
  size.width = 1280, size.height = 720;
  return splat::bench::make_scene(size);
}

void sort(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  splat::ThreadPool pool;
  const std::vector<float> rows = centres_and_radii(scene.model, pool);
  DepthScratch scratch;
  std::vector<uint32_t> order;
  for (auto _ : state) sort_by_depth(rows, scene.view, pool, scratch, order);
  state.counters["in_sight"] = double(order.size());
}

void pick(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  splat::ThreadPool pool;
  for (auto _ : state) benchmark::DoNotOptimize(pick_point(scene.model, false, scene.view, 640, 360, pool));
}

void picture(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  auto made = splat::make_backend("cpu", -1, 0);
  if (!made) return state.SkipWithError(made.error().message.c_str());
  made->backend->upload(scene.model);
  for (auto _ : state) draw_picture(*made->backend, {scene.view, {}}, int(state.range(1)));
}

BENCHMARK(sort)->Arg(100'000)->Arg(1'000'000)->Arg(5'000'000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(pick)->Arg(100'000)->Arg(1'000'000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(picture)
    ->Args({100'000, 1})
    ->Args({100'000, 2})
    ->Args({100'000, 4})
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 4})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace viewer

BENCHMARK_MAIN();
