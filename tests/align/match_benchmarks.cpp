// Pairs of photos matched a second on one thread, by SIMD level and number of features; with --database=FILE all pairs
// of the photos in a COLMAP database.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "align/colmap/database.h"
#include "align/match/matcher.h"
#include "splat/core/random.h"

namespace {

using Descriptors = std::vector<uint8_t>;

void report(benchmark::State& state, double pairs, double products) {
  state.counters["pairs"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  state.counters["products"] = benchmark::Counter(products, benchmark::Counter::kIsRate);
}

void match_pair(benchmark::State& state, const align::MatchLevel& level) {
  splat::random::Sequence random(1, splat::random::kBench);
  Descriptors a(size_t(state.range(0)) * align::kDescriptorBytes), b(a.size());
  for (uint8_t& value : a) value = uint8_t(random.below(90));
  for (uint8_t& value : b) value = uint8_t(random.below(90));
  align::PairMatcher matcher(level);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.match(a, b).size());
  const double products = double(state.range(0)) * double(state.range(0)) * double(align::kDescriptorBytes);
  report(state, double(state.iterations()), double(state.iterations()) * products);
}

splat::Result<std::vector<Descriptors>> read_all(const char* path) {
  SPLAT_ASSIGN_OR_RETURN(align::ColmapDatabase database, align::ColmapDatabase::open(path));
  SPLAT_ASSIGN_OR_RETURN(const auto images, database.images());
  std::vector<Descriptors> all;
  for (const align::DatabaseImage& image : images) {
    SPLAT_ASSIGN_OR_RETURN(Descriptors descriptors, database.descriptors(image.id));
    all.push_back(std::move(descriptors));
  }
  return all;
}

void match_all(benchmark::State& state, const align::MatchLevel& level, const std::vector<Descriptors>& photos) {
  align::PairMatcher matcher(level);
  double pairs = 0, products = 0;
  for (auto _ : state)
    for (size_t i = 0; i < photos.size(); ++i)
      for (size_t j = i + 1; j < photos.size(); ++j) {
        benchmark::DoNotOptimize(matcher.match(photos[i], photos[j]).size());
        ++pairs;
        products += double(photos[i].size()) * double(photos[j].size()) / double(align::kDescriptorBytes);
      }
  report(state, pairs, products);
}

}  // namespace

int main(int count, char** words) {
  for (const align::MatchLevel& level : align::usable_match_levels())
    benchmark::RegisterBenchmark(level.name, [level](benchmark::State& state) { match_pair(state, level); })
        ->Arg(2048)
        ->Arg(4096)
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&count, words);
  constexpr std::string_view kDatabase = "--database=";
  for (int i = 1; i < count; ++i) {
    if (!std::string_view(words[i]).starts_with(kDatabase)) continue;
    const auto photos = read_all(words[i] + kDatabase.size());
    if (!photos) return std::fprintf(stderr, "%s\n", photos.error().message.c_str()), 2;
    for (const align::MatchLevel& level : align::usable_match_levels())
      benchmark::RegisterBenchmark((std::string("database/") + level.name).c_str(),
                                   [level, all = *photos](benchmark::State& state) { match_all(state, level, all); });
  }
  benchmark::RunSpecifiedBenchmarks();
}
