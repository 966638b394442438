// Pairs of photos matched a second on one thread, by SIMD level and number of features.
#include <benchmark/benchmark.h>

#include "align/match/matcher.h"
#include "splat/core/random.h"

namespace {

void match_pair(benchmark::State& state, const align::MatchLevel& level) {
  splat::random::Sequence random(1, splat::random::kBench);
  std::vector<uint8_t> a(size_t(state.range(0)) * align::kDescriptorBytes), b(a.size());
  for (uint8_t& value : a) value = uint8_t(random.below(90));
  for (uint8_t& value : b) value = uint8_t(random.below(90));
  align::PairMatcher matcher(level);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.match(a, b).size());
  const double products = double(state.range(0)) * double(state.range(0)) * double(align::kDescriptorBytes);
  state.counters["pairs"] = benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["products"] = benchmark::Counter(double(state.iterations()) * products, benchmark::Counter::kIsRate);
}

}  // namespace

int main(int count, char** words) {
  for (const align::MatchLevel& level : align::usable_match_levels())
    benchmark::RegisterBenchmark(level.name, [level](benchmark::State& state) { match_pair(state, level); })
        ->Arg(2048)
        ->Arg(4096)
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
