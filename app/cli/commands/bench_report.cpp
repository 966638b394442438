#include "app/cli/commands/bench_report.h"

#include <fmt/format.h>

#include "app/jobs/memory_plan.h"
#include "app/settings/bench_scenes.h"

namespace app {

using splat::bench::IterationResult;
using splat::bench::StageResult;

namespace {

double per_second(const IterationResult& result) { return result.ms > 0 ? 1e3 / result.ms : 0; }
double bytes_per_splat(const IterationResult& result) {
  return double(result.memory_bytes) / double(result.size.splats);
}

// Even the thread that never waits for others got less than the whole of its core.
bool machine_was_busy(const IterationResult& result) { return result.cpu_ms > 0 && result.ms > 1.2 * result.cpu_ms; }

}  // namespace

std::string bench_table(const IterationResult& result, int threads) {
  std::string text =
      fmt::format("{} splats of SH degree {}, {}x{} px, {} thread{}\n", human_count(result.size.splats),
                  splat::kMaxShDegree, result.size.width, result.size.height, threads, threads == 1 ? "" : "s");
  text += fmt::format("  {:<15}{:>10}{:>10}{:>10}  {:<16}{:>12}\n", "stage", "ms", "CPU ms", "ns", "per", "count");
  double ms = 0, cpu_ms = 0;
  for (const StageResult& stage : result.stages) {
    text += fmt::format("  {:<15}{:>10.3f}{:>10.3f}{:>10.2f}  {:<16}{:>12}\n", stage.name, stage.ms, stage.cpu_ms,
                        stage.ns_per_unit(), stage.unit, human_count(stage.units));
    ms += stage.ms;
    cpu_ms += stage.cpu_ms;
  }
  text += fmt::format("  {:<15}{:>10.3f}{:>10.3f}\n", "rest", result.ms - ms, result.cpu_ms - cpu_ms);
  text += fmt::format("  {:<15}{:>10.3f}{:>10.3f}  {:.1f} iterations/s\n", "iteration", result.ms, result.cpu_ms,
                      per_second(result));
  text += fmt::format("  medians of {} iteration{}, {:.0f} bytes of memory a splat\n", result.repeats,
                      result.repeats == 1 ? "" : "s", bytes_per_splat(result));
  if (machine_was_busy(result))
    text += "  other programs used much of the processor: only the CPU times are reliable\n";
  return text;
}

nlohmann::json bench_json(const IterationResult& result, int threads) {
  nlohmann::json stages = nlohmann::json::object();
  for (const StageResult& stage : result.stages)
    stages[stage.name] = {{"ms", stage.ms},       {"cpu_ms", stage.cpu_ms}, {"best_cpu_ms", stage.best_cpu_ms},
                          {"units", stage.units}, {"unit", stage.unit},     {"ns_per_unit", stage.ns_per_unit()}};
  return {{"splats", result.size.splats},
          {"width", result.size.width},
          {"height", result.size.height},
          {"sh_degree", splat::kMaxShDegree},
          {"threads", threads},
          {"repeats", result.repeats},
          {"ms_per_iteration", result.ms},
          {"cpu_ms_per_iteration", result.cpu_ms},
          {"best_ms_per_iteration", result.best_ms},
          {"best_cpu_ms_per_iteration", result.best_cpu_ms},
          {"iterations_per_second", per_second(result)},
          {"memory_bytes", result.memory_bytes},
          {"bytes_per_splat", bytes_per_splat(result)},
          {"stages", stages}};
}

std::string bench_rows(const nlohmann::json& report) {
  std::string rows =
      "| device | driver | hipsplat | scene | it/s | M splats/s | ms a stage |\n|---|---|---|---|---|---|---|\n";
  for (const nlohmann::json& result : report["results"]) {
    const double it = result["iterations_per_second"], splats = result["splats"];
    std::string stages;
    for (const auto& [name, stage] : result["stages"].items())
      stages += fmt::format("{}{} {:.2f}", stages.empty() ? "" : ", ", name, stage["ms"].get<double>());
    rows += fmt::format("| {} | {} | {}, {} | {}@{}x{} | {:.1f} | {:.1f} | {} |\n", report["device"].get<std::string>(),
                        report["driver"].get<std::string>(), report["version"].get<std::string>(),
                        report["backend"].get<std::string>(), result["splats"].get<uint64_t>(),
                        result["width"].get<int>(), result["height"].get<int>(), it, it * splats / 1e6, stages);
  }
  return rows;
}

std::optional<std::string> why_too_large(const splat::bench::SceneSize& size, const HostMemory& memory) {
  constexpr double kUsableFraction = 0.9;  // of the available memory; the rest is left to the system
  const uint64_t pixels = uint64_t(size.width) * uint64_t(size.height);
  const uint64_t needed = kBaseBytes + pixels * kBytesPerPixel + size.splats * kBytesPerSplat;
  if (double(needed) <= double(memory.available_bytes) * kUsableFraction) return std::nullopt;
  return fmt::format("the scene {} is left out: it would need about {} of memory, and {} are available",
                     scene_name(size), human_bytes(needed), human_bytes(memory.available_bytes));
}

}  // namespace app
