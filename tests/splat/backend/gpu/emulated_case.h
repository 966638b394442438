// A backend for the parity suite: the GPU backend in the emulator.
#pragma once

#include <string>

#include "splat/backend/gpu/gpu_backend.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/hip_emulator/hip_emulator.h"

namespace splat::test {

inline BackendCase emulated(const std::string& name, unsigned wave_size, const GpuOptions& options) {
  return {name, [=]() -> std::unique_ptr<Backend> {
            hip_emulator::device().wave_size = wave_size;
            return make_gpu_backend(options);
          }};
}

}  // namespace splat::test
