// Micro-benchmarks, for work on one kernel:
//   micro_benchmarks --benchmark_filter=blend --benchmark_repetitions=5
// Every SIMD level this processor has. Stages are timed through the backend's own clocks, on one thread: what an
// iteration does besides is not counted, but takes its time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/bench/bench_scene.h"
#include "splat/core/aligned_buffer.h"
#include "splat/core/parallel.h"
#include "tests/splat/core/simd_probe.h"

namespace splat::test {
namespace {

using cpu::SimdLevel;

const SimdProbe& probe_of(SimdLevel level) {
#if defined(__x86_64__)
  return level == SimdLevel::kSse4 ? sse4::kProbe : level == SimdLevel::kAvx2 ? avx2::kProbe : avx512::kProbe;
#else
  (void)level;
  return neon::kProbe;
#endif
}

// ---- vectors: arrays that stay in the first-level cache

constexpr size_t kValues = 2048;

AlignedBuffer<float> ramp(float from, float to) {
  AlignedBuffer<float> values;
  values.resize(kValues);
  for (size_t i = 0; i < kValues; ++i) values[i] = from + (to - from) * float(i) / float(kValues);
  return values;
}

void exponential(benchmark::State& state, const SimdProbe& probe) {
  const AlignedBuffer<float> x = ramp(-12, 0);
  AlignedBuffer<float> y = ramp(0, 0);
  for (auto _ : state) {
    probe.exp(x.data(), y.data(), kValues);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}

// Sums of eight vectors at a time; each is a call, as in the three below.
void sums_of_eight(benchmark::State& state, const SimdProbe& probe) {
  const AlignedBuffer<float> x = ramp(-1, 1);
  float out[8];
  const size_t group = 8 * size_t(probe.lanes);
  for (auto _ : state)
    for (size_t i = 0; i + group <= kValues; i += group) {
      probe.sums(x.data() + i, out);
      benchmark::DoNotOptimize(out);
    }
  state.SetItemsProcessed(state.iterations() * int64_t(kValues / group));
}

void load_transposed(benchmark::State& state, const SimdProbe& probe) {
  constexpr size_t kStride = 16;  // of a record
  const AlignedBuffer<float> x = ramp(-1, 1);
  alignas(64) float out[4 * 16];
  const size_t group = kStride * size_t(probe.lanes);
  for (auto _ : state)
    for (size_t i = 0; i + group <= kValues; i += group) {
      probe.load_transposed(x.data() + i, kStride, out);
      benchmark::DoNotOptimize(out);
    }
  state.SetItemsProcessed(state.iterations() * int64_t(kValues / group));
}

void store_transposed(benchmark::State& state, const SimdProbe& probe) {
  constexpr size_t kStride = 16;
  AlignedBuffer<float> y = ramp(-1, 1);
  alignas(64) float x[4 * 16] = {};
  const size_t group = kStride * size_t(probe.lanes);
  for (auto _ : state)
    for (size_t i = 0; i + group <= kValues; i += group) {
      probe.store_transposed(x, y.data() + i, kStride);
      benchmark::ClobberMemory();
    }
  state.SetItemsProcessed(state.iterations() * int64_t(kValues / group));
}

void transpose_bits(benchmark::State& state, const SimdProbe& probe) {
  uint8_t rows[64];
  std::iota(std::begin(rows), std::end(rows), uint8_t(7));
  uint64_t columns[8];
  for (auto _ : state) {
    benchmark::DoNotOptimize(rows);
    probe.transpose_bits(rows, columns);
    benchmark::DoNotOptimize(columns);
  }
  state.SetItemsProcessed(state.iterations());
}

// ---- stages

// Times one stage of iterations on a scene; items are the stage's units of work.
void stage(benchmark::State& state, SimdLevel level, const std::string& name, const bench::SceneSize& size) {
  auto backend = make_cpu_backend({1, level});
  if (!backend) return state.SkipWithError(backend.error().message.c_str());
  const bench::Scene scene = bench::make_scene(size);
  (*backend)->upload(scene.model);
  AdamSettings adam;
  adam.mean_rate = adam.sh0_rate = adam.sh_rest_rate = adam.opacity_rate = adam.log_scale_rate = adam.quat_rate = 0;
  uint64_t units = 0;
  for (auto _ : state) {
    (*backend)->forward(scene.view, {});
    (*backend)->loss(scene.target, {});
    (*backend)->backward();
    (*backend)->update(adam);
    ++adam.iteration;
    const std::vector<StageTime> times = (*backend)->stage_times();
    const auto found = std::find_if(times.begin(), times.end(), [&](const StageTime& t) { return t.name == name; });
    if (found == times.end()) return state.SkipWithError(("there is no stage " + name).c_str());
    state.SetIterationTime(found->wall_ms * 1e-3);
    units += found->units;
  }
  state.SetItemsProcessed(int64_t(units));
}

struct StageCase {
  const char* label;
  const char* stage;
  bench::SceneSize size;
};
const StageCase kStages[] = {
    {"project/4096_splats", "project", {4096, 128, 96}},
    {"tile_sort/1000_splats", "sort", {1000, 16, 16}},
    {"tile_sort/10000_splats", "sort", {10000, 16, 16}},
    {"blend_forward/one_tile", "blend_forward", {1000, 16, 16}},
    {"blend_backward/one_tile", "blend_backward", {1000, 16, 16}},
    {"loss/strip_of_512x64", "loss", {64, 512, 64}},
    {"update/4096_splats", "update", {4096, 128, 96}},
};

// ---- threads

// From the call to the return of a loop that does nothing: what a stage too small for several threads pays.
void empty_loop(benchmark::State& state) {
  ThreadPool pool(int(state.range(0)));
  for (auto _ : state)
    pool.for_each(size_t(pool.threads()), [](size_t index, int) { benchmark::DoNotOptimize(index); });
}

// The same until every thread has come: what it takes to have them all at work.
void gather_threads(benchmark::State& state) {
  ThreadPool pool(int(state.range(0)));
  std::atomic<int> missing;
  for (auto _ : state) {
    missing = pool.threads();
    pool.for_each(size_t(pool.threads()), [&](size_t, int) {
      --missing;
      while (missing.load(std::memory_order_relaxed) > 0) std::atomic_signal_fence(std::memory_order_seq_cst);
    });
  }
}

void register_all() {
  using Vectors = void (*)(benchmark::State&, const SimdProbe&);
  const std::pair<const char*, Vectors> vectors[] = {{"exp", exponential},
                                                     {"sums_of_eight", sums_of_eight},
                                                     {"load_transposed", load_transposed},
                                                     {"store_transposed", store_transposed},
                                                     {"transpose_bits", transpose_bits}};
  for (const SimdLevel level : cpu::usable_simd_levels()) {
    const std::string suffix = std::string("/") + cpu::simd_level_option(level);
    for (const auto& [name, function] : vectors)
      benchmark::RegisterBenchmark((name + suffix).c_str(), function, probe_of(level));
    for (const StageCase& c : kStages)
      benchmark::RegisterBenchmark((c.label + suffix).c_str(), stage, level, std::string(c.stage), c.size)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
  }
  const int cores = available_cores();
  for (auto* loop : {benchmark::RegisterBenchmark("empty_loop", empty_loop),
                     benchmark::RegisterBenchmark("gather_threads", gather_threads)}) {
    loop->UseRealTime()->ArgName("threads");
    for (int threads = 1; threads < cores; threads *= 2) loop->Arg(threads);
    loop->Arg(cores);
  }
}

}  // namespace
}  // namespace splat::test

int main(int argc, char** argv) {
  splat::test::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
