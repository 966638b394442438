#include "app/film/film_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/film/known_views.h"
#include "app/input/known_up.h"
#include "splat/core/log.h"
#include "splat/model/focus_point.h"
#include "splat/model/robust_extent.h"
#include "splat/path/ready_made.h"

namespace app {

using splat::Orbit;
using splat::View;

namespace {

constexpr double kUsualSeconds = 10, kUsualRate = 30;
constexpr int kUsualWidth = 1920, kUsualHeight = 1080;
constexpr int kMostPictures = 10'000'000;

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

Outcome find_views(const RenderTask& task, const SplatInput& input, std::vector<View>& views) {
  std::vector<io::NamedView> named;
  std::vector<std::filesystem::path> photos;
  if (task.cameras.empty()) {
    RunCameras beside = run_cameras_of(input.path, input.file.gaussians);
    if (!beside.warning.empty()) splat::log::warning(beside.warning);
    named = std::move(beside.views);
  } else if (Outcome outcome = read_views(task.cameras, task.dataset, named, photos); !outcome) {
    return outcome;
  }
  for (const io::NamedView& view : named) views.push_back(view.view);
  return done();
}

// Round a scene whose photos nobody knows: all of it in the picture, a little from above.
Outcome orbit_about(const SplatInput& input, Orbit& orbit) {
  const auto extent = splat::robust_extent(input.file.gaussians);
  if (!extent) return bad_input(fmt::format("'{}' holds no splats that could be filmed", input.path.string()));
  if (const auto up = known_up(input.file, input.path)) orbit.up = up->direction;
  const double radius = std::max(distance(extent->low, extent->high) / 2, 1e-6);
  const double far = radius / std::sin(orbit.fov_y_deg / 2 * std::numbers::pi / 180);
  std::array<double, 3> side{0, 0, -1};
  if (std::abs(orbit.up[2]) > 0.7) side = {-1, 0, 0};
  for (size_t c = 0; c < 3; ++c) {
    orbit.centre[c] = (extent->low[c] + extent->high[c]) / 2;
    orbit.start[c] = orbit.centre[c] + far * (0.95 * side[c] + 0.3 * orbit.up[c]);
  }
  return done();
}

Outcome ready_made(const RenderTask& task, const SplatInput& input, splat::CameraPath& path) {
  std::vector<View> views;
  if (Outcome outcome = find_views(task, input, views); !outcome) return outcome;
  const double seconds = task.film.seconds > 0 ? task.film.seconds : kUsualSeconds;
  if (task.film.path == "photos") {
    if (views.empty())
      return bad_input(
          fmt::format("--path photos needs --cameras DATASET: no cameras lie beside '{}'", input.path.string()));
    path = splat::flight_path(views, seconds);
    return done();
  }
  Orbit orbit;
  if (!views.empty())
    orbit = splat::orbit_of(views);
  else if (Outcome outcome = orbit_about(input, orbit); !outcome)
    return outcome;
  if (task.film.path == "orbit") {
    path = splat::orbit_path(orbit, seconds);
    return done();
  }
  if (views.empty())
    views.push_back(
        splat::view_of({orbit.start, splat::looking_at(orbit.start, orbit.centre, orbit.up), orbit.fov_y_deg}, 16, 16));
  path = splat::wiggle_path(views[0], orbit.centre, seconds);
  return done();
}

// Where the path names nothing: what lies before its poses.
std::array<double, 3> focus_of(const splat::CameraPath& path, double usual) {
  if (path.target) return *path.target;
  std::vector<splat::Rigid3> poses;
  for (const splat::PathKey& key : path.keys) poses.push_back(splat::view_of(key.pose, 16, 16).cam_from_world);
  return splat::focus_point(poses, usual);
}

// Twice as far as any position of the path is from the scene's corners, so that all of it fits.
double farthest(const splat::CameraPath& path, const splat::Extent& extent) {
  double far = 1e-6;
  for (const splat::PathKey& key : path.keys)
    for (int corner = 0; corner < 8; ++corner) {
      std::array<double, 3> at{};
      for (size_t c = 0; c < 3; ++c) at[c] = (corner >> c) & 1 ? extent.high[c] : extent.low[c];
      far = std::max(far, 2 * distance(at, key.pose.position));
    }
  return far;
}

}  // namespace

Outcome choose_path(const RenderTask& task, const SplatInput& input, io::PathFile& path) {
  const std::string& name = task.film.path;
  if (name == "orbit" || name == "wiggle" || name == "photos") return ready_made(task, input, path.path);
  auto read = io::read_path_file(name);
  if (!read) return bad_input(read.error());
  path = std::move(*read);
  for (const std::string& note : path.notes) splat::log::info(note);
  return done();
}

Outcome plan_film(const RenderTask& task, const SplatInput& input, FilmPlan& plan) {
  const FilmChoices& film = task.film;
  io::PathFile file;
  if (Outcome outcome = choose_path(task, input, file); !outcome) return outcome;
  plan.path = file.path;
  plan.per_second = film.per_second > 0 ? film.per_second : file.per_second > 0 ? file.per_second : kUsualRate;
  plan.seconds = film.seconds > 0 ? film.seconds : splat::PathCurve(plan.path).seconds();
  const double pictures = std::max(1.0, std::round(plan.seconds * plan.per_second));
  if (!(pictures <= kMostPictures))
    return bad_input(
        fmt::format("a film of {:.0f} s at {} pictures a second is too long", plan.seconds, plan.per_second));
  plan.pictures = int(pictures);
  plan.first = film.first, plan.end = film.end < 0 ? plan.pictures : std::min(film.end, plan.pictures);
  if (plan.first >= plan.end)
    return bad_input(fmt::format("--range begins at picture {}, and the film has {}", plan.first, plan.pictures));
  const bool of_file = task.width == 0 && file.width >= 16 && file.height >= 16;
  plan.width = task.width > 0 ? task.width : of_file ? file.width / 2 * 2 : kUsualWidth;
  plan.height = task.width > 0 ? task.height : of_file ? file.height / 2 * 2 : kUsualHeight;
  if (film.projection == "360" && task.width == 0) plan.width = 3840, plan.height = 1920;
  if (film.projection == "360" && plan.width != 2 * plan.height)
    return bad_input(
        fmt::format("--projection 360 needs a picture twice as wide as high, not {}x{}", plan.width, plan.height));
  const auto extent = splat::robust_extent(input.file.gaussians).value_or(splat::Extent{});
  plan.focus = focus_of(plan.path, std::max(distance(extent.low, extent.high) / 2, 1e-6));
  plan.depth_unit = farthest(plan.path, extent) / 65535;
  return done();
}

}  // namespace app
