#include "app/jobs/scene/trained_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/jobs/host/small_file.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/training/inria_layout.h"
#include "splat/model/stray_views.h"
#include "viewer/camera/geometry.h"

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr uintmax_t kMostBytes = 16 << 20;  // of a settings or metrics file; a larger one is none
constexpr double kSamePlace = 1e-3;         // of the cameras' extent: two centres are the same
constexpr double kSameRefined = 0.05;       // likewise, where training may have moved the cameras
constexpr double kMostAgree = 0.9;          // of the cameras, when a dataset is the one trained on

// INRIA's names have no extension.
std::string key_of(const std::string& name) { return fs::path(name).replace_extension().generic_string(); }

viewer::Vec3 centre_of(const viewer::PhotoCamera& camera) {
  return viewer::vec3(camera.view.cam_from_world.origin_in_source());
}

double extent_of(const std::vector<viewer::PhotoCamera>& cameras) {
  viewer::Bounds bounds;
  const auto pose_of = [](const viewer::PhotoCamera& camera) { return camera.view.cam_from_world; };
  for (const viewer::PhotoCamera& camera : splat::without_outside<viewer::PhotoCamera>(cameras, pose_of))
    bounds.add(centre_of(camera));
  return bounds.radius();
}

// Whether the dataset has the cameras that cameras.json says it was trained with.
bool same_cameras(const std::vector<viewer::PhotoCamera>& now, const std::vector<viewer::PhotoCamera>& trained,
                  double same_place) {
  std::map<std::string, viewer::Vec3> places;
  for (const viewer::PhotoCamera& camera : now) places[key_of(camera.name)] = centre_of(camera);
  const double near = same_place * extent_of(trained) + 1e-9;
  size_t agreeing = 0;
  for (const viewer::PhotoCamera& camera : trained)
    if (const auto place = places.find(key_of(camera.name)); place != places.end())
      agreeing += viewer::length(place->second - centre_of(camera)) <= near;
  return double(agreeing) >= kMostAgree * double(std::min(now.size(), trained.size()));
}

// The poses of the same names.
void take_poses(const std::vector<viewer::PhotoCamera>& from, std::vector<viewer::PhotoCamera>& to) {
  std::map<std::string, const splat::Rigid3*> poses;
  for (const viewer::PhotoCamera& camera : from) poses[key_of(camera.name)] = &camera.view.cam_from_world;
  for (viewer::PhotoCamera& camera : to)
    if (const auto pose = poses.find(key_of(camera.name)); pose != poses.end())
      camera.view.cam_from_world = *pose->second;
}

// Without the dataset: the photos that metrics.json has measured are those that were held out.
void mark_held_out(const fs::path& run, std::vector<viewer::PhotoCamera>& cameras) {
  const auto text = read_small_file(run / "metrics.json", kMostBytes);
  const auto metrics = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!metrics.is_object() || !metrics.contains("views") || !metrics["views"].is_array()) return;
  std::set<std::string> names;
  for (const auto& view : metrics["views"])
    if (view.is_object() && view.contains("name") && view["name"].is_string())
      names.insert(view["name"].get<std::string>());
  for (viewer::PhotoCamera& camera : cameras) camera.held_out = names.contains(camera.name);
}

// How the run was made: cfg_args, and config.json above it; nullopt: nothing says where the photos were.
std::optional<Options> settings_of(const fs::path& run, int threads) {
  const auto text = read_small_file(run / "cfg_args", kMostBytes);
  const auto args = text ? parse_cfg_args(*text) : std::nullopt;
  if (!args) return std::nullopt;
  Options options;
  options.input = args->source;
  if (args->images != "images") options.dataset.images_folder = args->images;
  options.dataset.resolution = args->resolution;
  options.dataset.eval = args->eval;
  if (args->white_background) options.train.background = splat::BackgroundMode::kWhite;
  const auto config = read_small_file(run / "config.json", kMostBytes);
  const auto json = config ? nlohmann::json::parse(*config, nullptr, false) : nlohmann::json();
  if (json.is_object()) {
    Options ours = options;
    if (apply_settings(json, "config.json", ours)) options = std::move(ours);
  }
  options.dataset.threads = threads;
  return options;
}

void find_photos(const Options& options, TrainedScene& scene) {
  auto dataset = io::load_dataset(options.input, options.dataset);
  if (!dataset) {
    scene.warnings.push_back(fmt::format("the photos of this run cannot be shown: {}", dataset.error().message));
    return;
  }
  auto cameras = photo_cameras(*dataset);
  const bool refined = options.train.poses != splat::PoseMode::kOff;
  if (!same_cameras(cameras, scene.cameras, refined ? kSameRefined : kSamePlace)) {
    scene.warnings.push_back(
        fmt::format("the photos of this run cannot be shown: '{}' holds other cameras than it was trained with",
                    options.input.string()));
    return;
  }
  if (refined) take_poses(scene.cameras, cameras);
  scene.cameras = std::move(cameras);
  scene.photos = std::move(*dataset);
}

}  // namespace

std::vector<viewer::PhotoCamera> photo_cameras(const splat::Dataset& dataset) {
  std::vector<viewer::PhotoCamera> cameras;
  for (const splat::DatasetView& view : dataset.views)
    cameras.push_back({view.name, view.view(), view.held_out, view.left_out});
  return cameras;
}

TrainedScene trained_scene_of(const fs::path& file, const splat::Gaussians& model, int threads) {
  TrainedScene scene;
  const RunCameras cameras = run_cameras_of(file, model);
  const fs::path& run = cameras.folder;
  if (run.empty()) return scene;
  for (const io::NamedView& view : cameras.views) scene.cameras.push_back({view.name, view.view, false, false});
  mark_held_out(run, scene.cameras);
  scene.settings = settings_of(run, threads);
  if (scene.settings) {
    scene.background = splat::evaluation_background(scene.settings->train);
    find_photos(*scene.settings, scene);
  }
  return scene;
}

}  // namespace app
