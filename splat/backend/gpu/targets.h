// Does code compiled for a list of architectures run on a device? No GPU is needed to answer.
#pragma once

#include <string_view>

namespace splat::gpu {

// targets: names with spaces between. AMD's code runs on exactly its architecture
// (rocPRIM's kernels depend on the name, even where the instructions are the same). NVIDIA's sm_XY runs on devices of
// the same X with at least this Y, compute_XY (PTX, compiled by the driver) on every device from XY on.
bool has_code_for(std::string_view targets, std::string_view architecture);

// Does the device add floats in memory with one instruction? Elsewhere atomicAdd() becomes a loop: AMD before gfx908,
// and RDNA 1 and 2 (LLVM's AMDGPU usage guide, "FP32 atomic add").
bool has_float_atomics(std::string_view architecture);

// Is an AMD GPU part of a processor, with the host's memory for its own? ROCm's runtimes before 6.2 do not say so.
bool is_processors_own(std::string_view architecture);

}  // namespace splat::gpu
