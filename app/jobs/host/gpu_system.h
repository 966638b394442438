// GPUs as the system shows them, without any GPU runtime: graphics cards, the device files of AMD's driver and who may
// open them, environment variables that change what the runtimes show.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/jobs/host/check.h"
#include "devices/amd_topology.h"

namespace app {

// Where to look; tests pass other places.
struct GpuSystem {
  std::filesystem::path cards = "/sys/class/drm";
  std::filesystem::path topology = splat::amd_nodes();
  std::filesystem::path kfd = "/dev/kfd", dri = "/dev/dri", nvidia = "/dev/nvidiactl";
};

struct VisibleGpus {
  bool amd = false, nvidia = false;        // a graphics card or its driver is there
  std::vector<std::string> architectures;  // of AMD's compute driver: "gfx1100"
};

VisibleGpus visible_gpus(const GpuSystem& system = {});
// /dev/kfd and the render nodes: there, and open to this user. Nothing where no AMD GPU is.
Checks driver_checks(const GpuSystem& system = {});
// To append to an error about AMD's GPUs: "; " and what is wrong with their driver and its cure; empty: nothing is.
std::string driver_advice(const GpuSystem& system = {});
Check variables_check();

}  // namespace app
