// AMD's GPUs as the Linux kernel's compute driver lists them (Documentation of amdkfd, /sys/class/kfd): known before
// any runtime is loaded, and where none is installed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace splat {

struct AmdGpu {
  int node = 0;                 // its folder's number
  std::string architecture;     // "gfx1100"
  uint64_t memory_bytes = 0;    // of its own; of a processor's GPU what the firmware set aside
  uint64_t unique_id = 0;       // of the chip; 0: it has none
  bool processors_own = false;  // part of a processor, with the host's memory
};

// /sys/class/kfd/kfd/topology/nodes, or the folder that HIPSPLAT_AMD_NODES names.
std::filesystem::path amd_nodes();
// In the runtime's order. Nodes that this user may not look at are left out, as the runtime does.
std::vector<AmdGpu> amd_gpus(const std::filesystem::path& nodes = amd_nodes());
// The GPUs that a plugin with code for `targets` does not support.
std::vector<AmdGpu> without_code(const std::vector<AmdGpu>& gpus, std::string_view targets);

// AMD's runtimes before ROCm 6.2 can use no GPU at all while they see one that a program has no code for. Unless the
// user has chosen by a variable, this hides such GPUs (ROCR_VISIBLE_DEVICES) where others have code, and returns them.
// Before the runtime's first call; not while other threads read the environment.
std::vector<AmdGpu> hide_amd_gpus_without_code(std::string_view targets);

}  // namespace splat
