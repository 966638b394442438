#include "devices/registry.h"

#include <algorithm>

#include "devices/device_test.h"
#include "devices/plugins.h"
#include "devices/self_test.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/cpu/cpu_rasteriser.h"
#include "splat/backend/reference/reference_rasteriser.h"

namespace splat {
namespace {

std::string gigabytes(uint64_t bytes) {
  const uint64_t tenths = (bytes + 50'000'000) / 100'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

std::string device_line(const GpuDevice& device) {
  return device.name + ", " + device.architecture + ", " + gigabytes(device.total_bytes) +
         (device.integrated ? ", integrated" : "") + (device.compiled ? "" : ", not compiled for");
}

BackendStatus status_of(const GpuPlugin& plugin) {
  BackendStatus status{plugin.name, plugin.problem.empty(), plugin.problem, {}};
  if (status.usable) status.reason = "compiled for " + plugin.targets;
  for (const GpuDevice& device : plugin.devices) status.devices.push_back(device_line(device));
  return status;
}

Result<BackendChoice> make_cpu(int device, int threads, const std::string& reason) {
  if (device > 0) return Error{"the cpu backend has only device 0, not " + std::to_string(device)};
  SPLAT_ASSIGN_OR_RETURN(std::unique_ptr<CpuBackend> backend, make_cpu_backend({threads, cpu::SimdLevel::kAuto}));
  return BackendChoice{std::move(backend), reason};
}

// A device of a plugin that could be used.
struct Candidate {
  const GpuPlugin* plugin;
  int index;
  const GpuDevice& device() const { return plugin->devices[size_t(index)]; }
};

// Best first.
std::vector<Candidate> candidates_of(const std::vector<GpuPlugin>& plugins) {
  std::vector<Candidate> all;
  for (const GpuPlugin& plugin : plugins)
    for (size_t i = 0; i < plugin.devices.size(); ++i)
      if (plugin.devices[i].compiled) all.push_back({&plugin, int(i)});
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.device().integrated != b.device().integrated) return b.device().integrated;
    return a.device().total_bytes > b.device().total_bytes;
  });
  return all;
}

Result<std::unique_ptr<Backend>> make_gpu(const Candidate& candidate, bool deterministic) {
  const std::string fault = test_device_apart(candidate.plugin->name, candidate.index, deterministic);
  if (!fault.empty()) return Error{candidate.device().name + " " + fault};
  const gpu::PluginSettings settings{candidate.index, deterministic ? 1 : 0};
  gpu::PluginText error = {};
  std::unique_ptr<Backend> backend(candidate.plugin->table->create(&settings, &error));
  if (!backend) return Error{error.text};
  if (const SelfTest test = test_backend(*backend); !test.passed)
    return Error{candidate.device().name + " does not draw as it should: " + test.sentence};
  backend->upload({});
  return backend;
}

std::string reason_of(const Candidate& candidate, size_t devices) {
  const std::string memory = gigabytes(candidate.device().total_bytes);
  if (devices == 1) return "the only GPU that works here (" + memory + ")";
  return "of " + std::to_string(devices) + " GPUs the one with the most memory (" + memory + ")";
}

Result<BackendChoice> make_auto(int device, int threads, bool deterministic) {
  const std::vector<GpuPlugin> plugins = load_plugins();
  std::vector<Candidate> candidates = candidates_of(plugins);
  const size_t usable = candidates.size();
  if (device >= 0) std::erase_if(candidates, [device](const Candidate& c) { return c.index != device; });
  if (device > 0 && candidates.empty())
    return Error{"no working GPU has the number " + std::to_string(device) + " (see hipsplat doctor)"};
  std::string problems;
  for (const Candidate& candidate : candidates) {
    auto backend = make_gpu(candidate, deterministic);
    if (backend) return BackendChoice{std::move(*backend), reason_of(candidate, usable) + problems, candidate.index};
    problems += "; " + backend.error().message;
  }
  if (candidates.empty())
    for (const GpuPlugin& plugin : plugins) problems += "; " + plugin.name + ": " + plugin.problem;
  return make_cpu(-1, threads, "no GPU is usable" + problems);
}

Result<BackendChoice> make_named(const std::string& name, int device, bool deterministic) {
  const std::vector<GpuPlugin> plugins{load_plugin(name)};
  const GpuPlugin& plugin = plugins.front();
  const std::string refusal = "the backend '" + name + "' is not usable here: ";
  if (device >= 0 && plugin.table && !plugin.devices.empty()) {
    if (size_t(device) >= plugin.devices.size())
      return Error{refusal + "there is no device " + std::to_string(device) + ", only " +
                   std::to_string(plugin.devices.size()) + " (counted from 0)"};
    if (const GpuDevice& asked = plugin.devices[size_t(device)]; !asked.compiled)
      return Error{refusal + asked.name + ": " + why_not_compiled(plugin, asked) + "; " +
                   how_to_compile_for(plugin, asked)};
  }
  if (!plugin.problem.empty()) return Error{refusal + plugin.problem + "; " + plugin.cure};
  const std::vector<Candidate> candidates = candidates_of(plugins);
  const Candidate chosen = device >= 0 ? Candidate{&plugin, device} : candidates.front();
  auto backend = make_gpu(chosen, deterministic);
  if (!backend) return Error{refusal + backend.error().message};
  const std::string asked = "the " + name + " backend was asked for";
  const std::string reason =
      device >= 0 ? asked + ", device " + std::to_string(device) : asked + "; " + reason_of(chosen, candidates.size());
  return BackendChoice{std::move(*backend), reason, chosen.index};
}

// What an entry of the plugin's table makes.
template <class T>
Result<std::unique_ptr<T>> make_by_plugin(const std::string& backend, int device,
                                          T* (*gpu::Plugin::*create)(const gpu::PluginSettings*, gpu::PluginText*)) {
  const GpuPlugin plugin = load_plugin(backend);
  if (!plugin.table) return Error{plugin.problem + "; " + plugin.cure};
  const gpu::PluginSettings settings{device, 0};
  gpu::PluginText error = {};
  std::unique_ptr<T> made((plugin.table->*create)(&settings, &error));
  if (!made) return Error{error.text};
  return made;
}

}  // namespace

std::vector<BackendStatus> list_backends(int threads) {
  std::vector<BackendStatus> all;
  for (const GpuPlugin& plugin : load_plugins()) all.push_back(status_of(plugin));
  const Result<std::unique_ptr<CpuBackend>> cpu = make_cpu_backend({threads, cpu::SimdLevel::kAuto});
  if (cpu)
    all.push_back({"cpu", true, "always there", {cpu.value()->info().device}});
  else
    all.push_back({"cpu", false, cpu.error().message, {}});
  return all;
}

Result<BackendChoice> make_backend(const std::string& name, int device, int threads, bool deterministic) {
  if (name == "cpu") return make_cpu(device, threads, "the cpu was asked for");
  if (name == "auto") return make_auto(device, threads, deterministic);
  if (name == "hip" || name == "cuda") return make_named(name, device, deterministic);
  return Error{"there is no backend '" + name + "'; the backends are auto, cpu, hip and cuda"};
}

Result<RasteriserChoice> make_rasteriser(const std::string& name, int device, int threads) {
  if (name == "reference")
    return RasteriserChoice{make_reference_rasteriser<float>(), name, 0, "the reference was asked for"};
  SPLAT_ASSIGN_OR_RETURN(BackendChoice chosen, make_backend(name, device, threads));
  RasteriserChoice out{nullptr, chosen.backend->info().name, chosen.device, chosen.reason};
  chosen.backend.reset();
  if (out.backend == "cpu") {
    SPLAT_ASSIGN_OR_RETURN(out.rasteriser, make_cpu_rasteriser({threads, cpu::SimdLevel::kAuto}));
    return out;
  }
  SPLAT_ASSIGN_OR_RETURN(out.rasteriser, make_by_plugin(out.backend, out.device, &gpu::Plugin::create_rasteriser));
  return out;
}

Result<std::unique_ptr<triangles::Rasteriser>> make_triangle_rasteriser(const std::string& backend, int device) {
  return make_by_plugin(backend, device, &gpu::Plugin::create_triangle_rasteriser);
}

}  // namespace splat
