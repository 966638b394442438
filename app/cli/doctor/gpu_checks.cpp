#include "app/cli/doctor/gpu_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <fstream>

#include "app/jobs/host/host.h"
#include "devices/plugin_files.h"
#include "devices/registry.h"
#include "devices/self_test.h"

namespace app {
namespace {

constexpr double kFreeShare = 0.5;  // of a GPU's memory; less means that something else holds it

std::string device_name(const splat::GpuPlugin& plugin, size_t index) {
  return fmt::format("{} {}", plugin.name, index);
}

// HIP_VERSION 50221153 is 5.2.
std::string version_text(int version) { return fmt::format("HIP {}.{}", version / 10000000, version / 100000 % 100); }

std::string cuda_text(int version) { return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10); }

std::string one_gpu(const splat::GpuPlugin& plugin, const splat::AmdGpu& gpu) {
  std::string text = gpu.architecture;
  if (gpu.memory_bytes) text += fmt::format(" with {}", human_bytes(gpu.memory_bytes));
  if (gpu.processors_own) text += " (the processor's own)";
  for (const splat::AmdGpu& hidden : plugin.hidden)
    if (hidden.node == gpu.node) text += ", hidden: the plugin has no code for it";
  return text;
}

// Equal ones once, with their number; those of one chip are its partitions.
std::string all_gpus(const splat::GpuPlugin& plugin, const std::vector<splat::AmdGpu>& gpus) {
  std::vector<std::string> parts;
  for (size_t i = 0, count = 0; i < gpus.size(); i += count) {
    const auto same = [&](const splat::AmdGpu& other) {
      return other.unique_id == gpus[i].unique_id && one_gpu(plugin, other) == one_gpu(plugin, gpus[i]);
    };
    for (count = 1; i + count < gpus.size() && same(gpus[i + count]);) ++count;
    const std::string text = one_gpu(plugin, gpus[i]);
    if (count == 1)
      parts.push_back(text);
    else
      parts.push_back(gpus[i].unique_id ? fmt::format("{} partitions of one chip, each {}", count, text)
                                        : fmt::format("{} of {}", count, text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

Checks amd_checks(const splat::GpuPlugin& plugin, const std::vector<splat::AmdGpu>& gpus,
                  const splat::Distribution& distribution) {
  Checks checks;
  if (!gpus.empty()) {
    Check check{"amd gpus", true, all_gpus(plugin, gpus), ""};
    const std::vector<splat::AmdGpu> rest = splat::without_code(gpus, plugin.targets);
    if (plugin.table && rest.size() == gpus.size()) {
      check.ok = false;
      check.detail += fmt::format("; the plugin has code for {}", plugin.targets);
      splat::GpuDevice device;
      device.architecture = rest.front().architecture;
      check.cure = splat::how_to_compile_for(plugin, device);
    }
    checks.push_back(check);
  }
  if (plugin.name == "hip" && plugin.installed != 0) {
    const bool older = plugin.installed / 100000 < plugin.built_for / 100000;
    const std::string file = plugin.tried.empty() ? "" : splat::opened_runtime(plugin.tried.back().runtime).string();
    checks.push_back({"hip runtime", !older,
                      fmt::format("{}{}; the plugin was built for {}", version_text(plugin.installed),
                                  file.empty() ? "" : " in '" + file + "'", version_text(plugin.built_for)),
                      "build hipsplat again on this machine, or update the runtime: " +
                          distribution.install_hip_runtime({plugin.installed / 10000000})});
  }
  return checks;
}

Checks tried_checks(const splat::GpuPlugin& plugin) {
  if (plugin.tried.size() < 2 && (plugin.tried.empty() || plugin.tried.front().refusal.empty())) return {};
  std::vector<std::string> parts;
  for (const splat::PluginTry& one : plugin.tried)
    parts.push_back(fmt::format("'{}' {}", one.file.string(), one.refusal.empty() ? "is taken" : one.refusal));
  return {{plugin.name + " files", true, fmt::format("{}", fmt::join(parts, "; ")), ""}};
}

Check plugin_check(const splat::GpuPlugin& plugin, bool hardware) {
  Check check{plugin.name + " plugin", plugin.problem.empty(), plugin.problem, plugin.cure};
  if (plugin.name == "hip" && plugin.table && plugin.devices.empty())
    check.cure = "see the checks 'amd driver', 'render node' and 'variables'";
  if (check.ok) {
    check.detail = fmt::format("'{}', compiled for {}", plugin.file.string(), plugin.targets);
  } else if (!hardware && plugin.devices.empty()) {
    check.ok = true;
    check.detail = fmt::format("no {} GPU is visible; {}", plugin.maker, plugin.problem);
  }
  return check;
}

Checks device_checks(const splat::GpuPlugin& plugin) {
  Checks checks;
  for (size_t i = 0; i < plugin.devices.size(); ++i) {
    const splat::GpuDevice& device = plugin.devices[i];
    Check check{device_name(plugin, i), true,
                fmt::format("{}, {}, waves of {}, {} free of {}{}", device.name, device.architecture, device.wave_size,
                            human_bytes(device.free_bytes), human_bytes(device.total_bytes),
                            device.integrated ? ", integrated" : ""),
                ""};
    if (!device.compiled) {
      check.ok = false;
      check.detail += "; " + splat::why_not_compiled(plugin, device);
      check.cure = splat::how_to_compile_for(plugin, device);
    } else if (double(device.free_bytes) < kFreeShare * double(device.total_bytes)) {
      check.ok = false;
      check.cure = "close the programs that hold its memory, or train with -r 2 and --max-splats";
    }
    checks.push_back(check);
  }
  return checks;
}

Checks integrated_check(const std::vector<splat::GpuPlugin>& plugins) {
  std::string integrated, discrete;
  for (const splat::GpuPlugin& plugin : plugins)
    for (size_t i = 0; i < plugin.devices.size(); ++i)
      (plugin.devices[i].integrated ? integrated : discrete) = device_name(plugin, i);
  if (integrated.empty() || discrete.empty()) return {};
  return {{"two kinds", true,
           fmt::format("an integrated GPU ({}) beside a discrete one ({}): the discrete one is taken unless --device "
                       "says otherwise",
                       integrated, discrete),
           ""}};
}

Checks render_checks(const splat::GpuPlugin& plugin) {
  Checks checks;
  for (size_t i = 0; i < plugin.devices.size(); ++i) {
    if (!plugin.devices[i].compiled) continue;
    Check check{"render " + device_name(plugin, i), false, "",
                "update the GPU's driver; if that does not help, please "
                "report this with the output of hipsplat doctor --json"};
    // Choosing a device draws the test picture; the figure is taken once more to be shown.
    auto made = splat::make_backend(plugin.name, int(i), 1);
    if (made) {
      const splat::SelfTest test = splat::test_backend(*made->backend);
      check.ok = test.passed;
      check.detail = test.sentence;
    } else {
      check.detail = made.error().message;
    }
    checks.push_back(check);
  }
  return checks;
}

std::string driver_of(const std::string& backend, const std::filesystem::path& modules) {
  utsname system{};
  uname(&system);
  std::string kernel = fmt::format("{} {}", system.sysname, system.release);
  if (backend != "hip" && backend != "cuda") return kernel;
  const std::string module = backend == "hip" ? "amdgpu" : "nvidia";
  std::ifstream file(modules / module / "version");
  std::string version;  // AMD's own driver and NVIDIA's have one, that of the kernel has not
  file >> version;
  const splat::GpuPlugin plugin = splat::load_plugin(backend);
  const auto text = backend == "hip" ? version_text : cuda_text;
  return fmt::format("{}{}, {} (built for {}), {}", module, version.empty() ? "" : " " + version,
                     text(plugin.installed), text(plugin.built_for), kernel);
}

}  // namespace app
