// Which scenes of --bench fit into memory.
#pragma once

#include <optional>
#include <string>

#include "app/console/host.h"
#include "splat/bench/bench_scene.h"

namespace app {

// A sentence with the figures when timing this scene would not fit into this memory.
std::optional<std::string> why_too_large(const splat::bench::SceneSize& size, const HostMemory& memory);

}  // namespace app
