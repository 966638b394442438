// What a film is of: its path, from a file or ready-made, its pictures and their size.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "app/jobs/input/splat_input.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"
#include "io/paths/path_file.h"
#include "splat/model/robust_extent.h"
#include "splat/path/camera_path.h"

namespace app {

struct FilmPlan {
  splat::CameraPath path;
  double per_second = 30, seconds = 0;
  int width = 0, height = 0;  // px
  int pictures = 0;           // of the whole film
  int first = 0, end = 0;     // those to draw: first .. end - 1
  std::array<double, 3>
      focus{};               // what lenses are sharp at and eyes meet at, world: the path's target where it has one
  double nearest_focus = 1;  // never nearer than that, world units
  double depth_unit = 0;     // world units a step of the depth maps, which so reach past the whole scene
};

// Along which path, of a film or a web page.
struct PathChoice {
  std::string path;               // FilmSettings::path
  double seconds = 0;             // of a ready-made one; 0: the usual
  std::filesystem::path cameras;  // by which a ready-made one goes; empty: those found beside the splats
  io::DatasetOptions dataset;     // where these are a dataset's
  double shape = 1;               // of the picture that a ready-made one is for, width by height; of pages a square
};

// With what its file says besides.
Outcome choose_path(const PathChoice& choice, const SplatInput& input, io::PathFile& path);

bool is_ready_made(const std::string& path);  // orbit, wiggle, photos
// Such a one by these views, one at least.
splat::CameraPath path_by_views(const PathChoice& choice, const std::vector<splat::View>& views);

// The film of the same scene enlarged by the factor `times`.
FilmPlan enlarged(FilmPlan plan, double times);

Outcome plan_film(const RenderTask& task, const SplatInput& input, FilmPlan& plan);
// Along this path, whose file may say more; of a scene as large as this.
Outcome plan_film(const RenderTask& task, const io::PathFile& file, const splat::Extent& extent, FilmPlan& plan);

}  // namespace app
