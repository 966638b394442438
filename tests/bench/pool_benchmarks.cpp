// Our pool of threads beside oneTBB, on the loops of one small iteration: why there is a pool of our own. Built where
// oneTBB is installed (libtbb-dev).
#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstdint>

#include "splat/core/parallel.h"

namespace splat::test {
namespace {

// Tasks of each loop, in order, and steps of work in each: project, bin, fill, sort, blend, loss, backward, combine,
// update of 8600 splats at 250x186 px, where loops are shortest. Tiles differ from each other as they do in scenes.
struct Loop {
  size_t tasks;
  uint32_t steps;
  bool uneven;
};
constexpr Loop kIteration[] = {{9, 20000, false},  {6, 45000, false},  {6, 25000, false},
                               {192, 1900, true},  {192, 16000, true}, {6, 190000, false},
                               {192, 24000, true}, {9, 19000, false},  {9, 84000, false}};

void work(const Loop& loop, size_t task) {
  uint32_t steps = loop.uneven ? loop.steps / 2 + uint32_t(task * 2654435761u >> 16) % loop.steps : loop.steps;
  uint32_t x = uint32_t(task) + 1;
  for (steps /= 4; steps > 0; --steps) {  // a dependent multiplication takes 3 to 4 cycles
    x = x * 1664525u + 1013904223u;
    benchmark::DoNotOptimize(x);
  }
}

void with_pool(benchmark::State& state) {
  ThreadPool pool(int(state.range(0)));
  for (auto _ : state)
    for (const Loop& loop : kIteration) pool.for_each(loop.tasks, [&](size_t task, int) { work(loop, task); });
}

void with_tbb(benchmark::State& state) {
  using namespace oneapi::tbb;
  const global_control threads(global_control::max_allowed_parallelism, size_t(state.range(0)));
  for (auto _ : state)
    for (const Loop& loop : kIteration)
      parallel_for(blocked_range<size_t>(0, loop.tasks, 1), [&](const blocked_range<size_t>& range) {
        for (size_t task = range.begin(); task < range.end(); ++task) work(loop, task);
      });
}

}  // namespace
}  // namespace splat::test

int main(int argc, char** argv) {
  const int cores = splat::available_cores();
  for (auto* benchmark : {benchmark::RegisterBenchmark("iteration_of_loops/pool", splat::test::with_pool),
                          benchmark::RegisterBenchmark("iteration_of_loops/oneTBB", splat::test::with_tbb)}) {
    benchmark->UseRealTime()->MeasureProcessCPUTime()->ArgName("threads")->Unit(benchmark::kMicrosecond)->Arg(1);
    if (cores > 1) benchmark->Arg(cores);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
