#include <fmt/format.h>

#include <cmath>

#include "app/cli/commands/commands.h"
#include "app/cli/doctor/align_checks.h"
#include "app/cli/doctor/gpu_checks.h"
#include "app/cli/doctor/processor_caches.h"
#include "app/cli/doctor/window_check.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/jobs/host/host.h"
#include "app/jobs/host/memory_limits.h"
#include "devices/registry.h"
#include "splat/backend/cpu/simd_level.h"
#include "splat/core/parallel.h"

namespace app {
namespace {

constexpr uint64_t kComfortableBytes = 2'000'000'000;

// One opaque grey splat in front of a camera must give its colour at the centre and the background at the corner.
Check check_render(int threads) {
  Check check{"render", false, "", "please report this with the output of hipsplat doctor --json"};
  auto made = splat::make_backend("cpu", -1, threads);
  if (!made) {
    check.detail = made.error().message;
    return check;
  }
  splat::Gaussians one;
  one.resize(1);
  one.means = {0, 0, 2};
  one.log_scales = {-2, -2, -2};
  one.quats = {1, 0, 0, 0};
  one.logit_opacities = {20};
  splat::View view;
  view.camera = {64, 64, 64, 64, 32, 32};
  splat::RenderSettings settings;
  settings.background = {1, 1, 1};
  made->backend->upload(one);
  made->backend->forward(view, settings);
  splat::ImageF image;
  made->backend->read_image(image);
  const double centre = image.rgb[32 * 64 + 32], corner = image.rgb[0];
  constexpr double kGrey = 0.5, kTolerance = 0.02;  // SH zero is grey; alpha is at most 0.99
  check.ok = std::abs(centre - kGrey) < kTolerance && corner == 1.0;
  check.detail = fmt::format("a test splat renders {:.3f} at its centre (expected {:.2f})", centre, kGrey);
  return check;
}

Check check_memory(const HostMemory& memory) {
  return {"memory", memory.available_bytes >= kComfortableBytes,
          fmt::format("{} available of {} (the least is left by: {})", human_bytes(memory.available_bytes),
                      human_bytes(memory.total_bytes), memory.limited_by),
          "close other programs, or train with -r 4 and --max-splats"};
}

Checks memory_limit_checks() {
  Checks checks;
  for (const MemoryLimit& limit : memory_limits())
    checks.push_back({"memory limit", true,
                      fmt::format("{}: {} available of {}", limit.name, human_bytes(limit.available_bytes),
                                  human_bytes(limit.total_bytes)),
                      ""});
  return checks;
}

// In the order in which one would look: the machine, the drivers, the plugins, their devices, what they draw.
Checks run_checks(int threads, const std::vector<splat::GpuPlugin>& plugins) {
  const VisibleGpus gpus = visible_gpus();
  Checks checks{{"processor", true, splat::cpu::cpu_model(), ""},
                {"simd", true, simd_level(), ""},
                {"threads", true,
                 fmt::format("{} of this machine's processor threads may be used", splat::available_cores()), ""},
                check_memory(host_memory())};
  const auto add = [&checks](const Checks& more) { checks.insert(checks.end(), more.begin(), more.end()); };
  add(cache_checks(cache_groups("/sys/devices", splat::allowed_processors())));
  add(memory_limit_checks());
  add({check_render(threads)});
  add(driver_checks());
  for (const splat::GpuPlugin& plugin : plugins) {
    add({plugin_check(plugin, plugin.name == "hip" ? gpus.amd : gpus.nvidia)});
    add(tried_checks(plugin));
    if (plugin.name == "hip") add(amd_checks(plugin, splat::amd_gpus(), splat::Distribution::of()));
    add(device_checks(plugin));
    add(render_checks(plugin));
  }
  add(integrated_check(plugins));
  add({variables_check(), window_check()});
  add(align_checks());
  return checks;
}

nlohmann::json doctor_json(const std::vector<splat::BackendStatus>& backends, const Checks& checks) {
  nlohmann::json backend_list = nlohmann::json::array(), check_list = nlohmann::json::array();
  for (const splat::BackendStatus& status : backends)
    backend_list.push_back(
        {{"name", status.name}, {"usable", status.usable}, {"reason", status.reason}, {"devices", status.devices}});
  for (const Check& check : checks)
    check_list.push_back(
        {{"name", check.name}, {"ok", check.ok}, {"detail", check.detail}, {"cure", check.ok ? "" : check.cure}});
  const HostMemory memory = host_memory();
  return {{"version", HIPSPLAT_VERSION},
          {"cpu", splat::cpu::cpu_model()},
          {"simd", simd_level()},
          {"threads", splat::available_cores()},
          {"memory_total_bytes", memory.total_bytes},
          {"memory_available_bytes", memory.available_bytes},
          {"memory_limited_by", memory.limited_by},
          {"backends", backend_list},
          {"checks", check_list}};
}

}  // namespace

Outcome run_doctor(int threads, const ConsoleOptions& console) {
  const std::vector<splat::BackendStatus> backends = splat::list_backends(threads);
  const Checks checks = run_checks(threads, splat::load_plugins());
  if (console.json) {
    print_json(doctor_json(backends, checks));
    return done();
  }
  print("hipsplat {}\n\nBackends\n", HIPSPLAT_VERSION);
  for (const splat::BackendStatus& status : backends) {
    print("  {:<9} {:<11} {}\n", status.name, status.usable ? "works" : "not usable", status.reason);
    for (size_t i = 0; i < status.devices.size(); ++i) print("  {:<9} device {}    {}\n", "", i, status.devices[i]);
  }
  print("\nThis machine\n");
  for (const Check& check : checks) {
    print("  {:<13} {:<11} {}\n", check.name, check.ok ? "ok" : "look here", check.detail);
    if (!check.ok) print("  {:<13} {:<11} {}\n", "", "", "-> " + check.cure);
  }
  return done();
}

}  // namespace app
