// The GPU plugins and their devices, as --doctor sees them.
#pragma once

#include "app/doctor/check.h"
#include "app/doctor/gpu_system.h"
#include "splat/backend/plugins.h"

namespace app {

// Is the plugin there, does its runtime load, does a device work? A missing one is only worth a look where `hardware`
// of that maker is.
Check plugin_check(const splat::GpuPlugin& plugin, bool hardware);
// One a device: architecture against those compiled in, wave size, free memory.
Checks device_checks(const splat::GpuPlugin& plugin);
// Nothing unless an integrated and a discrete GPU are there together.
Checks integrated_check(const std::vector<splat::GpuPlugin>& plugins);
// One a device that the plugin holds code for: a test picture, compared with the CPU's.
Checks render_checks(const splat::GpuPlugin& plugin);

}  // namespace app
