// What a film is of: its path, from a file or ready-made, its pictures and their size.
#pragma once

#include <array>

#include "app/console/outcome.h"
#include "app/input/splat_input.h"
#include "app/options/tasks.h"
#include "io/paths/path_file.h"
#include "splat/path/camera_path.h"

namespace app {

struct FilmPlan {
  splat::CameraPath path;
  double per_second = 30, seconds = 0;
  int width = 0, height = 0;  // px
  int pictures = 0;           // of the whole film
  int first = 0, end = 0;     // those to draw: first .. end - 1
  std::array<double, 3>
      focus{};            // what lenses are sharp at and eyes meet at, world: the path's target where it has one
  double depth_unit = 0;  // world units a step of the depth maps, which so reach past the whole scene
};

// The path of task.film, with what its file says besides. Ready-made paths go by the cameras of --cameras, else by
// those found beside the splats.
Outcome choose_path(const RenderTask& task, const SplatInput& input, io::PathFile& path);

Outcome plan_film(const RenderTask& task, const SplatInput& input, FilmPlan& plan);

}  // namespace app
