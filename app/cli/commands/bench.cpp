#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands/bench_report.h"
#include "app/cli/commands/commands.h"
#include "app/cli/doctor/gpu_checks.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/jobs/session.h"
#include "app/settings/bench_scenes.h"
#include "splat/backend/cpu/simd_level.h"
#include "splat/bench/time_stages.h"
#include "splat/core/log.h"
#include "splat/core/parallel.h"

namespace app {
namespace {

void print_now(const std::string& text) {
  print_text(text);
  std::fflush(stdout);
}

class BenchRun {
 public:
  explicit BenchRun(const BenchTask& task)
      : task_(task), threads_(task.device.threads > 0 ? task.device.threads : splat::available_cores()) {}

  Outcome run() {
    if (Outcome outcome = open_backend(task_.device, chosen_); !outcome) return outcome;
    info_ = chosen_.backend->info();
    if (!task_.console.json)
      print_now(fmt::format("hipsplat {}, backend {}: {}\n", HIPSPLAT_VERSION, info_.name, info_.device));
    Outcome outcome = done();
    for (size_t i = 0; outcome && i < task_.bench.scenes.size(); ++i) outcome = time_scene(task_.bench.scenes[i]);
    if (task_.console.json)
      print_json(report());
    else if (!results_.empty())
      print_now("\nFor the table of docs/gpu.md, as it is:\n\n" + bench_rows(report()));
    if (outcome && results_.empty())
      return failed("no scene fits into memory: choose smaller ones with --bench-scenes");
    return outcome;
  }

 private:
  Outcome time_scene(const splat::bench::SceneSize& size) {
    if (const std::optional<std::string> reason = why_too_large(size, host_memory())) {
      skipped_.push_back({{"scene", scene_name(size)}, {"reason", *reason}});
      splat::log::warning(*reason);
      return done();
    }
    if (Outcome outcome = fresh_backend(); !outcome) return outcome;
    Outcome stopped{ExitCode::kInterrupted,
                    fmt::format("interrupted after {} of {} scenes", results_.size(), task_.bench.scenes.size())};
    StatusLine line(choose_display(task_.console.json, task_.console.quiet));
    line.show("making the scene " + scene_name(size));
    splat::bench::Scene scene = splat::bench::make_scene(size);
    if (interrupted()) return stopped;
    splat::bench::TimingOptions timing{task_.bench.repeats, interrupted, {}};
    timing.progress = [&](int repeat) { line.show(fmt::format("timing {}, iteration {}", scene_name(size), repeat)); };
    const auto result = splat::bench::time_stages(*chosen_.backend, std::move(scene), timing);
    line.clear();
    if (!result) return stopped;
    results_.push_back(bench_json(*result, threads_));
    if (!task_.console.json) print_now("\n" + bench_table(*result, threads_));
    return done();
  }

  // Buffers only grow: each scene gets a backend of its own, so that the memory it holds is this scene's.
  Outcome fresh_backend() {
    if (chosen_.backend->size() == 0) return done();
    chosen_.backend.reset();
    auto made = splat::make_backend(info_.name, task_.device.index, task_.device.threads, task_.device.deterministic);
    if (!made) return {ExitCode::kNoBackend, made.error().message};
    chosen_.backend = std::move(made->backend);
    return done();
  }

  nlohmann::json report() const {
    return {
        {"version", HIPSPLAT_VERSION},    {"backend", info_.name}, {"device", info_.device}, {"reason", chosen_.reason},
        {"cpu", splat::cpu::cpu_model()}, {"simd", simd_level()},  {"results", results_},    {"skipped", skipped_},
        {"driver", driver_of(info_.name)}};
  }

  const BenchTask& task_;
  const int threads_;
  splat::BackendChoice chosen_;
  splat::BackendInfo info_;
  nlohmann::json results_ = nlohmann::json::array(), skipped_ = nlohmann::json::array();
};

}  // namespace

Outcome run_bench(const BenchTask& task) {
  install_interrupt_handlers();
  return BenchRun(task).run();
}

}  // namespace app
