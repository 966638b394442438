// What the window's threads take, at 1280x720:
//   window_benchmarks --benchmark_filter=sort
// sort: by depth, all splats in sight; pick: the surface under a pixel; picture: one by the CPU backend, by divisor of
// the sides; thin: to this many; thinned_picture: of the splats left after that; upload: to the CPU backend;
// describe: what opening makes of a model before its first picture. "CPU" is of all threads.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "devices/registry.h"
#include "splat/bench/bench_scene.h"
#include "splat/model/thinned.h"
#include "studio/documents/opened_model.h"
#include "viewer/camera/pick.h"
#include "viewer/draw/depth_order.h"
#include "viewer/live/draw_picture.h"

namespace studio {
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
  for (auto _ : state) benchmark::DoNotOptimize(pick_point(scene.model, {}, scene.view, 640, 360, pool));
}

void picture(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  auto made = splat::make_backend("cpu", -1, 0);
  if (!made) return state.SkipWithError(made.error().message.c_str());
  made->backend->upload(scene.model);
  for (auto _ : state) draw_picture(*made->backend, {scene.view, {}}, int(state.range(1)));
}

void thin(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  splat::ThreadPool pool;
  for (auto _ : state) benchmark::DoNotOptimize(splat::thinned(scene.model, size_t(state.range(1)), pool));
}

void thinned_picture(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  splat::ThreadPool pool;
  auto made = splat::make_backend("cpu", -1, 0);
  if (!made) return state.SkipWithError(made.error().message.c_str());
  made->backend->upload(splat::thinned(scene.model, size_t(state.range(1)), pool).model);
  for (auto _ : state) draw_picture(*made->backend, {scene.view, {}}, int(state.range(2)));
}

void upload(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  for (auto _ : state) {
    auto made = splat::make_backend("cpu", -1, 0);
    if (!made) return state.SkipWithError(made.error().message.c_str());
    made->backend->upload(scene.model);
  }
}

void describe(benchmark::State& state) {
  const Scene scene = scene_of(state.range(0));
  splat::ThreadPool pool;
  OpenedSplats opened;
  for (auto _ : state) describe_model(scene.model, pool, opened);
}

BENCHMARK(sort)->Arg(100'000)->Arg(1'000'000)->Arg(5'000'000)->UseRealTime()->MeasureProcessCPUTime()->Unit(
    benchmark::kMillisecond);
BENCHMARK(pick)->Arg(100'000)->Arg(1'000'000)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK(picture)
    ->Args({100'000, 1})
    ->Args({100'000, 2})
    ->Args({100'000, 4})
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 4})
    ->Args({3'000'000, 1})
    ->Args({3'000'000, 4})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(thin)
    ->Args({3'000'000, 375'000})
    ->Args({10'000'000, 312'500})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(thinned_picture)
    ->Args({3'000'000, 187'500, 4})
    ->Args({3'000'000, 375'000, 4})
    ->Args({3'000'000, 375'000, 2})
    ->Args({3'000'000, 750'000, 4})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(upload)->Arg(3'000'000)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK(describe)->Arg(3'000'000)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace studio

BENCHMARK_MAIN();
