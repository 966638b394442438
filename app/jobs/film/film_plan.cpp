#include "app/jobs/film/film_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/jobs/film/known_views.h"
#include "app/jobs/input/known_up.h"
#include "splat/core/log.h"
#include "splat/math/framing.h"
#include "splat/math/quat.h"
#include "splat/model/focus_point.h"
#include "splat/path/picture_rate.h"
#include "splat/path/ready_made.h"

namespace app {

using splat::Orbit;
using splat::View;

namespace {

constexpr double kUsualSeconds = 10;
constexpr int kMostPictures = 10'000'000;

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

Outcome find_views(const PathChoice& choice, const SplatInput& input, std::vector<View>& views) {
  std::vector<io::NamedView> named;
  std::vector<std::filesystem::path> photos;
  if (choice.cameras.empty()) {
    RunCameras beside = run_cameras_of(input.path, input.file.gaussians);
    if (!beside.warning.empty()) splat::log::warning(beside.warning);
    named = std::move(beside.views);
  } else if (Outcome outcome = read_views(choice.cameras, choice.dataset, named, photos); !outcome) {
    return outcome;
  }
  for (const io::NamedView& view : named) views.push_back(view.view);
  return done();
}

double seconds_of(const PathChoice& choice) { return choice.seconds > 0 ? choice.seconds : kUsualSeconds; }

splat::CameraPath path_about(const PathChoice& choice, const Orbit& orbit, const View& first) {
  return choice.path == "orbit" ? splat::orbit_path(orbit, seconds_of(choice))
                                : splat::wiggle_path(first, orbit.centre, seconds_of(choice));
}

// Round a scene whose photos nobody knows, a little from above: as near as the box of a first look is in the picture
// all the way round.
Outcome orbit_about(const SplatInput& input, double shape, Orbit& orbit) {
  const auto box = splat::framed_extent(input.file.gaussians);
  if (!box) return bad_input(fmt::format("'{}' holds no splats that could be filmed", input.path.string()));
  if (const auto up = known_up(input.file, input.path)) orbit.up = up->direction;
  std::array<double, 3> side{0, 0, input.file.front_at_z ? 1. : -1.}, half{};
  if (std::abs(orbit.up[2]) > 0.7) side = {-1, 0, 0};
  for (size_t c = 0; c < 3; ++c) {
    orbit.centre[c] = (box->low[c] + box->high[c]) / 2, half[c] = (box->high[c] - box->low[c]) / 2;
    side[c] = 0.95 * side[c] + 0.3 * orbit.up[c];
    orbit.start[c] = orbit.centre[c] + side[c];
  }
  const double tan_y = std::tan(orbit.fov_y_deg / 2 * std::numbers::pi / 180);
  double far = 1e-6;
  for (const splat::PathKey& key : splat::orbit_path(orbit, 1).keys)
    far = std::max(
        far, framed_distance(framed_places({half[0], half[1], half[2]}, rotation_from_quat(key.pose.world_from_cam)),
                             tan_y * shape, tan_y));
  for (size_t c = 0; c < 3; ++c)
    orbit.start[c] = orbit.centre[c] + far / std::hypot(side[0], side[1], side[2]) * side[c];
  return done();
}

Outcome ready_made(const PathChoice& choice, const SplatInput& input, splat::CameraPath& path) {
  std::vector<View> views;
  if (Outcome outcome = find_views(choice, input, views); !outcome) return outcome;
  if (!views.empty()) {
    path = path_by_views(choice, views);
    return done();
  }
  if (choice.path == "photos")
    return bad_input(
        fmt::format("--path photos needs --cameras DATASET: no cameras lie beside '{}'", input.path.string()));
  Orbit orbit;
  if (Outcome outcome = orbit_about(input, choice.shape, orbit); !outcome) return outcome;
  const View first =
      splat::view_of({orbit.start, splat::looking_at(orbit.start, orbit.centre, orbit.up), orbit.fov_y_deg}, 16, 16);
  path = path_about(choice, orbit, first);
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

double nearest_focus(const splat::CameraPath& path, const std::array<double, 3>& focus) {
  constexpr double kPart = 0.01;  // of how far the path goes from it
  double far = 0;
  for (const splat::PathKey& key : path.keys) far = std::max(far, distance(key.pose.position, focus));
  return far > 0 ? kPart * far : 1;
}

// Encoders take even sides alone, and two eyes have halves.
Outcome plan_size(const RenderTask& task, const io::PathFile& file, FilmPlan& plan) {
  const bool all_around = task.film.projection == "360";
  const bool even = is_film_name(task.output) || task.film.projection == "stereo";
  const bool of_file = task.film.width == 0 && file.width >= 16 && file.height >= 16;
  plan.width = kUsualFilmWidth, plan.height = kUsualFilmHeight;
  if (all_around) plan.width = 3840, plan.height = 1920;
  if (task.film.width > 0) plan.width = task.film.width, plan.height = task.film.height;
  if (of_file && (!all_around || file.width == 2 * file.height)) {
    plan.width = file.width, plan.height = file.height;
    if (even) plan.height = plan.height / 2 * 2, plan.width = all_around ? 2 * plan.height : plan.width / 2 * 2;
    if (plan.width != file.width || plan.height != file.height)
      splat::log::info(fmt::format("the path is for pictures of {}x{}: the film has {}x{}, since its sides are even",
                                   file.width, file.height, plan.width, plan.height));
  }
  if (all_around && plan.width != 2 * plan.height)
    return bad_input(
        fmt::format("--projection 360 needs a picture twice as wide as high, not {}x{}", plan.width, plan.height));
  return done();
}

}  // namespace

bool is_ready_made(const std::string& path) { return path == "orbit" || path == "wiggle" || path == "photos"; }

splat::CameraPath path_by_views(const PathChoice& choice, const std::vector<View>& views) {
  if (choice.path == "photos") return splat::flight_path(views, seconds_of(choice));
  return path_about(choice, splat::orbit_of(views), views[0]);
}

Outcome choose_path(const PathChoice& choice, const SplatInput& input, io::PathFile& path) {
  const std::string& name = choice.path;
  if (is_ready_made(name)) return ready_made(choice, input, path.path);
  auto read = io::read_path_file(name);
  std::error_code code;
  if (!read && !std::filesystem::exists(name, code))
    return bad_input(read.error().message + "; paths without one are orbit, wiggle and photos");
  if (!read) return bad_input(read.error());
  path = std::move(*read);
  for (const std::string& note : path.notes) splat::log::info(note);
  return done();
}

FilmPlan enlarged(FilmPlan plan, double times) {
  const auto enlarge = [times](std::array<double, 3>& place) {
    for (double& x : place) x *= times;
  };
  for (splat::PathKey& key : plan.path.keys) enlarge(key.pose.position);
  if (plan.path.target) enlarge(*plan.path.target);
  enlarge(plan.focus);
  plan.depth_unit *= times;
  return plan;
}

Outcome plan_film(const RenderTask& task, const SplatInput& input, FilmPlan& plan) {
  io::PathFile file;
  PathChoice choice{task.film.path, task.film.seconds, task.cameras, task.dataset};
  choice.shape =
      task.film.width > 0 ? double(task.film.width) / task.film.height : double(kUsualFilmWidth) / kUsualFilmHeight;
  if (Outcome outcome = choose_path(choice, input, file); !outcome) return outcome;
  return plan_film(task, file, splat::robust_extent(input.file.gaussians).value_or(splat::Extent{}), plan);
}

Outcome plan_film(const RenderTask& task, const io::PathFile& file, const splat::Extent& extent, FilmPlan& plan) {
  const FilmSettings& film = task.film;
  if (Outcome outcome = plan_size(task, file, plan); !outcome) return outcome;
  plan.path = io::path_for(file, double(film.projection == "stereo" ? plan.width / 2 : plan.width) / plan.height);
  if (file.all_around && film.projection != "360")
    splat::log::warning("the path is for 360-degree pictures, which --projection 360 makes; these look ahead alone");
  plan.per_second = splat::picture_rate(film.per_second > 0   ? film.per_second
                                        : file.per_second > 0 ? file.per_second
                                                              : kUsualFilmRate);
  plan.seconds = film.seconds > 0 ? film.seconds : splat::PathCurve(plan.path).seconds();
  const double pictures = std::max(1.0, std::round(plan.seconds * plan.per_second));
  if (!(pictures <= kMostPictures))
    return bad_input(
        fmt::format("a film of {:.0f} s at {} pictures a second is too long", plan.seconds, plan.per_second));
  plan.pictures = int(pictures);
  plan.first = film.first, plan.end = film.end < 0 ? plan.pictures : std::min(film.end, plan.pictures);
  if (plan.first >= plan.end)
    return bad_input(fmt::format("--range begins at picture {}, and the film has {}", plan.first, plan.pictures));
  plan.focus = focus_of(plan.path, std::max(distance(extent.low, extent.high) / 2, 1e-6));
  plan.nearest_focus = nearest_focus(plan.path, plan.focus);
  plan.depth_unit = farthest(plan.path, extent) / 65535;
  return done();
}

}  // namespace app
