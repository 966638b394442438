// The GPU plugins and their devices, as hipsplat doctor sees them.
#pragma once

#include "app/jobs/host/check.h"
#include "app/jobs/host/gpu_system.h"
#include "devices/distribution.h"
#include "devices/plugins.h"

namespace app {

// Whether the plugin exists, its runtime loads and a device works. A missing plugin is a problem only where `hardware`
// of that maker is.
Check plugin_check(const splat::GpuPlugin& plugin, bool hardware);
// Which of several files of a plugin is taken, and why those before it are not; nothing where there is no choice.
Checks tried_checks(const splat::GpuPlugin& plugin);
// One a device: architecture against those compiled in, wave size, free memory.
Checks device_checks(const splat::GpuPlugin& plugin);
// AMD's GPUs as the kernel lists them, with and without code, hidden, partitions; and the runtime's version against the
// one that the plugin was built for. Nothing where there is none.
Checks amd_checks(const splat::GpuPlugin& plugin, const std::vector<splat::AmdGpu>& gpus,
                  const splat::Distribution& distribution);
// Empty unless there are both an integrated and a discrete GPU.
Checks integrated_check(const std::vector<splat::GpuPlugin>& plugins);
// One a device that the plugin holds code for: a test picture, compared with the CPU's.
Checks render_checks(const splat::GpuPlugin& plugin);

// What a backend stands on: "amdgpu, HIP 6.2 (built for HIP 5.2), Linux 6.8.0", "Linux 6.8.0" for the CPU.
std::string driver_of(const std::string& backend, const std::filesystem::path& modules = "/sys/module");

}  // namespace app
