// The scenes of hipsplat bench: "8600@250x186,100000@500x375" -> sizes.
#pragma once

#include <string>
#include <vector>

#include "splat/bench/bench_scene.h"
#include "splat/core/result.h"

namespace app {

// An error that names the part it does not understand.
splat::Result<std::vector<splat::bench::SceneSize>> parse_bench_scenes(const std::string& text);

std::string scene_name(const splat::bench::SceneSize& size);  // "8600@250x186"

}  // namespace app
