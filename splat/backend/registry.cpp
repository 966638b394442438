#include "splat/backend/registry.h"

#include "splat/backend/cpu/cpu_backend.h"

namespace splat {
namespace {

// The GPU backends are plugins beside the executable; until one is built there is nothing to load.
BackendStatus missing_plugin(const std::string& name, const std::string& maker) {
  return {name, false, "the plugin for " + maker + " GPUs (libhipsplat-" + name + ".so) has not been built yet", {}};
}

Result<BackendChoice> make_cpu(int device, int threads, const std::string& reason) {
  if (device > 0) return Error{"the cpu backend has only device 0, not " + std::to_string(device)};
  SPLAT_ASSIGN_OR_RETURN(std::unique_ptr<CpuBackend> backend, make_cpu_backend({threads, cpu::SimdLevel::kAuto}));
  return BackendChoice{std::move(backend), reason};
}

}  // namespace

std::vector<BackendStatus> list_backends(int threads) {
  std::vector<BackendStatus> all{missing_plugin("hip", "AMD"), missing_plugin("cuda", "NVIDIA")};
  const Result<std::unique_ptr<CpuBackend>> cpu = make_cpu_backend({threads, cpu::SimdLevel::kAuto});
  if (cpu)
    all.push_back({"cpu", true, "always there", {cpu.value()->info().device}});
  else
    all.push_back({"cpu", false, cpu.error().message, {}});
  return all;
}

Result<BackendChoice> make_backend(const std::string& name, int device, int threads) {
  if (name == "cpu") return make_cpu(device, threads, "the cpu was asked for");
  if (name == "auto") {
    if (device > 0) return Error{"there is no GPU backend yet, so no device " + std::to_string(device)};
    return make_cpu(-1, threads,
                    "no GPU backend is usable: the plugins for AMD and NVIDIA GPUs have not been built yet");
  }
  for (const BackendStatus& status : list_backends(1))
    if (status.name == name) return Error{"the backend '" + name + "' is not usable here: " + status.reason};
  return Error{"there is no backend '" + name + "'; the backends are auto, cpu, hip and cuda"};
}

}  // namespace splat
