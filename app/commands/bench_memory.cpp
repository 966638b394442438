#include "app/commands/bench_memory.h"

#include <fmt/format.h>

#include "app/options/bench_scenes.h"
#include "app/run/memory_plan.h"

namespace app {

std::optional<std::string> why_too_large(const splat::bench::SceneSize& size, const HostMemory& memory) {
  constexpr double kUsableFraction = 0.9;  // of the available memory; the rest is left to the system
  const uint64_t pixels = uint64_t(size.width) * uint64_t(size.height);
  const uint64_t needed = kBaseBytes + pixels * kBytesPerPixel + size.splats * kBytesPerSplat;
  if (double(needed) <= double(memory.available_bytes) * kUsableFraction) return std::nullopt;
  return fmt::format("the scene {} is left out: it would need about {} of memory, and {} are available",
                     scene_name(size), human_bytes(needed), human_bytes(memory.available_bytes));
}

}  // namespace app
