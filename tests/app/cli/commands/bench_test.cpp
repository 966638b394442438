// --bench through the program, on scenes so small that the figures mean nothing, but must agree with each other.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

const std::map<std::string, std::string> kUnits{
    {"project", "splat"},    {"bin", "instance"},
    {"sort", "instance"},    {"blend_forward", "16-pixel block"},
    {"loss", "pixel"},       {"blend_backward", "16-pixel block"},
    {"combine", "instance"}, {"update", "splat"},
};

std::vector<std::string> tiny(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--bench", "--bench-scenes", "700@100x70", "--bench-repeats", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

nlohmann::json report_of(const std::vector<std::string>& arguments) {
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::vector<nlohmann::json> lines = ran.json_lines();
  EXPECT_EQ(lines.size(), 1u) << ran.out;
  return lines.empty() ? nlohmann::json() : lines[0];
}

TEST(Bench, TableForPeople) {
  const Ran ran = run(tiny({"--threads", "2", "--quiet"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const auto& [stage, unit] : kUnits) EXPECT_NE(ran.out.find("\n  " + stage + " "), std::string::npos) << stage;
  for (const char* part : {"backend cpu: ", "2 threads", "700 splats of SH degree 3, 100x70 px", "iterations/s",
                           "medians of 1 iteration,", "bytes of memory a splat", "16-pixel block", "7 000",
                           "For the table of docs/gpu.md", ", cpu | 700@100x70 | ", ", blend_backward "})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in\n" << ran.out;
}

TEST(Bench, ReportNamesTheMachine) {
  const nlohmann::json report = report_of(tiny({"--json"}));
  EXPECT_EQ(report["backend"], "cpu");
  for (const char* name : {"version", "device", "driver", "reason", "cpu", "simd"})
    EXPECT_FALSE(report[name].get<std::string>().empty()) << name;
  EXPECT_TRUE(report["device"].get<std::string>().ends_with(report["simd"].get<std::string>()));
  EXPECT_EQ(report["results"].size(), 1u);
  EXPECT_EQ(report["skipped"].size(), 0u);
}

TEST(Bench, FiguresOfOneIterationAgree) {
  const nlohmann::json result = report_of(tiny({"--json", "--threads", "1"}))["results"][0];
  EXPECT_EQ(result["splats"], 700);
  EXPECT_EQ(result["width"], 100);
  EXPECT_EQ(result["height"], 70);
  EXPECT_EQ(result["threads"], 1);
  EXPECT_EQ(result["repeats"], 1);
  const double ms = result["ms_per_iteration"], cpu_ms = result["cpu_ms_per_iteration"];
  EXPECT_NEAR(result["iterations_per_second"].get<double>() * ms, 1000, 1e-6);
  EXPECT_NEAR(result["bytes_per_splat"].get<double>() * 700, result["memory_bytes"].get<double>(), 1);
  EXPECT_EQ(result["best_ms_per_iteration"], ms);
  double stage_ms = 0, stage_cpu_ms = 0;
  for (const auto& [name, unit] : kUnits) {
    ASSERT_TRUE(result["stages"].contains(name)) << name;
    const nlohmann::json& stage = result["stages"][name];
    EXPECT_EQ(stage["unit"], unit) << name;
    const double cost_ms = stage["cpu_ms"], units = stage["units"];
    EXPECT_GT(cost_ms, 0) << name;
    EXPECT_NEAR(stage["ns_per_unit"].get<double>() * units, cost_ms * 1e6, cost_ms) << name;
    stage_ms += stage["ms"].get<double>();
    stage_cpu_ms += cost_ms;
  }
  EXPECT_EQ(result["stages"].size(), kUnits.size());
  constexpr double kClockMs = 0.01;  // the clocks are read one after the other
  EXPECT_LE(stage_ms, ms + kClockMs);
  EXPECT_LE(stage_cpu_ms, cpu_ms + kClockMs);
  EXPECT_GT(stage_cpu_ms, 0.5 * cpu_ms) << "most of an iteration belongs to a stage";
}

TEST(Bench, EveryRunDoesTheSameWork) {
  const nlohmann::json one = report_of(tiny({"--json", "--threads", "1"}))["results"][0]["stages"],
                       two = report_of(tiny({"--json", "--threads", "2"}))["results"][0]["stages"];
  for (const auto& [name, unit] : kUnits) {
    EXPECT_GT(one[name]["units"].get<uint64_t>(), 0u) << name;
    EXPECT_EQ(one[name]["units"], two[name]["units"]) << name;
  }
  EXPECT_EQ(one["project"]["units"], 700);
  EXPECT_EQ(one["loss"]["units"], 7000);
  EXPECT_EQ(one["blend_forward"]["units"], one["blend_backward"]["units"]);
}

TEST(Bench, SeveralScenesEachWithItsOwnMemory) {
  const nlohmann::json report = report_of(
      {"--bench", "--json", "--bench-scenes", "5000@64x64, 1@1x1,100@64x64", "--bench-repeats", "2", "--threads", "1"});
  const nlohmann::json& results = report["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["repeats"], 2);
  EXPECT_EQ(results[1]["splats"], 1);
  EXPECT_LT(results[2]["memory_bytes"].get<double>(), 0.3 * results[0]["memory_bytes"].get<double>());
}

TEST(Bench, NonsenseIsRefused) {
  for (const char* scenes :
       {"", "many", "100", "100@", "100@50", "100@50x", "100@x50", "0@64x64", "100@0x64", "-5@64x64", "100@64x64x64",
        "1e5@64x64", "100@64x70000", "99999999999@64x64", "100@64x64,@"})
    expect_refused(run({"--bench", "--bench-scenes", scenes}), 2, {"--bench-scenes"});
  expect_refused(run({"--bench", "--bench-repeats", "-1"}), 2, {"--bench-repeats", "'-1'"});
  expect_refused(run({"--bench", "--threads", "x"}), 2, {"--threads"});
  expect_refused(run({"--bench", "--seed", "3"}), 2, {"--seed does not apply to bench"});
  expect_refused(run({"--bench", "scene"}), 2, {"'scene'"});
  expect_refused(run({"--info", "x", "--bench-repeats", "3"}), 2, {"--bench-repeats does not apply to info"});
}

TEST(Bench, WithoutAUsableBackendIsExitCodeThree) { expect_refused(run({"--bench", "--backend", "hip"}), 3, {"hip"}); }

TEST(Bench, CtrlCEndsIt) {
  const splat::test::TempFolder folder;
  RunOptions options;
  options.signal = SIGINT;
  options.out_path = (folder.path() / "out").string();
  options.when = [&] {
    return std::filesystem::exists(options.out_path) && !std::filesystem::is_empty(options.out_path);
  };
  const Ran ran = run({"--bench", "--bench-scenes", "200@32x32", "--bench-repeats", "10000000"}, options);
  EXPECT_EQ(ran.code, 130);
  EXPECT_NE(ran.err.find("interrupted after 0 of 1 scenes"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace app::test
