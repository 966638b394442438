// The parts of --bench: names of scenes, what fits into memory, the table.
#include <gtest/gtest.h>

#include <sstream>

#include "app/cli/commands/bench_report.h"
#include "app/settings/bench_scenes.h"
#include "app/settings/options.h"

namespace app {
namespace {

using splat::bench::SceneSize;

TEST(BenchScenes, NamesReadBack) {
  const auto scenes = parse_bench_scenes("8600@250x186, 1@1x65535");
  ASSERT_TRUE(scenes);
  ASSERT_EQ(scenes->size(), 2u);
  EXPECT_EQ((*scenes)[0], (SceneSize{8600, 250, 186}));
  EXPECT_EQ((*scenes)[1], (SceneSize{1, 1, 65535}));
  EXPECT_EQ(scene_name((*scenes)[0]), "8600@250x186");
}

TEST(BenchScenes, ThoseWithoutTheMemoryAreLeftOut) {
  const SceneSize million{1'000'000, 1600, 1060};
  EXPECT_FALSE(why_too_large(million, {8'000'000'000, 3'000'000'000}));
  const auto reason = why_too_large(million, {8'000'000'000, 900'000'000});
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("1000000@1600x1060"), std::string::npos) << *reason;
  EXPECT_NE(reason->find("900 MB"), std::string::npos) << *reason;
  EXPECT_TRUE(why_too_large({1, 65535, 65535}, {64'000'000'000, 64'000'000'000})) << "pixels count as well";
}

TEST(BenchReport, TableIsAligned) {
  splat::bench::IterationResult result;
  result.size = {1'000'000, 1600, 1060};
  result.repeats = 8;
  result.ms = 1234.5, result.cpu_ms = 2345.6;
  result.memory_bytes = 950'000'000;
  result.stages = {{"project", "splat", 1'000'000, 20, 40, 39},
                   {"blend_backward", "16-pixel block", 9'400'000, 400, 790, 780}};
  std::istringstream table(bench_table(result, 2));
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "1 000 000 splats of SH degree 3, 1600x1060 px, 2 threads");
  EXPECT_EQ(lines[2].size(), lines[1].size());
  EXPECT_EQ(lines[3].size(), lines[1].size());
  EXPECT_NE(lines[3].find("84.04"), std::string::npos) << lines[3];     // 790 ms / 9.4 M
  EXPECT_NE(lines[4].find("1515.600"), std::string::npos) << lines[4];  // 2345.6 - 40 - 790
  EXPECT_NE(lines[5].find("0.8 iterations/s"), std::string::npos) << lines[5];
  EXPECT_EQ(lines[6], "  medians of 8 iterations, 950 bytes of memory a splat");
}

TEST(BenchReport, ABusyMachineIsToldOf) {
  splat::bench::IterationResult result;
  result.size = {1000, 64, 64};
  result.repeats = 1;
  result.ms = 20, result.cpu_ms = 19;
  EXPECT_EQ(bench_table(result, 1).find("other programs"), std::string::npos);
  result.ms = 40;
  EXPECT_NE(bench_table(result, 1).find("other programs"), std::string::npos);
}

TEST(BenchReport, WhatRunsOnADeviceCostsWallTime) {
  EXPECT_DOUBLE_EQ((splat::bench::StageResult{"update", "splat", 1000, 2, 0, 0}).ns_per_unit(), 2000);
  EXPECT_DOUBLE_EQ((splat::bench::StageResult{"update", "splat", 1000, 2, 3, 3}).ns_per_unit(), 3000);
  EXPECT_DOUBLE_EQ((splat::bench::StageResult{"combine", "instance", 0, 2, 3, 3}).ns_per_unit(), 0);
}

TEST(BenchOptions, DefaultsAreTheThreePublishedSizes) {
  Options options;
  ASSERT_TRUE(parse_options({"--bench"}, options).ok());
  EXPECT_EQ(options.verb, kBench);
  ASSERT_EQ(options.bench.scenes.size(), 3u);
  EXPECT_EQ(scene_name(options.bench.scenes[0]), "8600@250x186");
  EXPECT_EQ(scene_name(options.bench.scenes[1]), "100000@500x375");
  EXPECT_EQ(scene_name(options.bench.scenes[2]), "1000000@1600x1060");
  EXPECT_FALSE(settings_json(options).contains("bench_scenes")) << "no setting of a training run";
}

}  // namespace
}  // namespace app
