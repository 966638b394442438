// A backend whose every call makes its device the current one, and at its end the one that the caller had.
#pragma once

#include <functional>
#include <memory>

#include "splat/backend/gpu/gpu_backend.h"

namespace splat::gpu {

std::unique_ptr<GpuBackend> on_device(int device, const std::function<std::unique_ptr<GpuBackend>()>& make);

}  // namespace splat::gpu
