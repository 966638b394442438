// What hipsplat bench prints about one scene: a table for people, an object for scripts, a row to send, or why
// it is left out.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/jobs/host/host.h"
#include "splat/bench/time_stages.h"

namespace app {

std::string bench_table(const splat::bench::IterationResult& result, int threads);

// splats width height sh_degree threads repeats ms_per_iteration cpu_ms_per_iteration iterations_per_second
// best_ms_per_iteration best_cpu_ms_per_iteration memory_bytes bytes_per_splat
// stages{NAME: ms cpu_ms best_cpu_ms units unit ns_per_unit}
nlohmann::json bench_json(const splat::bench::IterationResult& result, int threads);

// A row a scene for the table of docs/gpu.md ("Figures of owners"), of what hipsplat bench --json says, with its
// header.
std::string bench_rows(const nlohmann::json& report);

// A sentence with the figures when timing this scene would not fit into this memory.
std::optional<std::string> why_too_large(const splat::bench::SceneSize& size, const HostMemory& memory);

}  // namespace app
