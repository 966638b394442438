#include "io/dataset/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "io/dataset/image_store.h"
#include "io/dataset/lens_groups.h"
#include "io/dataset/panorama.h"
#include "io/dataset/training_image.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"
#include "splat/model/camera_models.h"

namespace io {

using splat::Dataset, splat::DatasetView, splat::Lens, splat::PinholeCamera;

namespace {

std::string panorama_plan(const Preflight::Camera& camera) {
  return fmt::format("{} {}x{}, panorama, split into {} views of {}x{}", camera.model, camera.width, camera.height,
                     panorama_faces().size(), camera.training.width, camera.training.height);
}

// Each size beside the focal length it belongs to.
std::string plan_of(const Preflight::Camera& camera, const Lens& lens) {
  const PinholeCamera& pinhole = camera.training;
  const std::string from = fmt::format("{} {}x{}, fx {:.1f}, ", camera.model, camera.width, camera.height, lens.fx);
  const std::string to = fmt::format("{}x{}, fx {:.1f}", pinhole.width, pinhole.height, pinhole.fx);
  if (lens.has_distortion()) return from + "undistorted to a pinhole " + to;
  if (pinhole.width == camera.width && pinhole.height == camera.height) return from + "used as it is";
  return from + "resized to " + to;
}

// One view of each photo.
std::vector<const DatasetView*> first_views(const Dataset& dataset) {
  std::vector<const DatasetView*> views;
  std::set<std::string_view> photos;
  for (const DatasetView& view : dataset.views)
    if (photos.insert(view.photo_name()).second) views.push_back(&view);
  return views;
}

std::vector<Preflight::Camera> cameras_of(const Dataset& dataset) {
  std::vector<Preflight::Camera> cameras;
  std::map<std::tuple<int, Lens, int, int>, size_t> index;  // model, lens, training size
  for (const DatasetView* photo : first_views(dataset)) {
    const DatasetView& view = *photo;
    const bool panorama = view.panorama_face >= 0;
    Lens lens;
    if (!panorama) lens = splat::lens_of(view.source);
    lens.width = view.source.width;
    lens.height = view.source.height;
    const auto key = std::make_tuple(int(view.source.model), lens, view.camera.width, view.camera.height);
    const auto [entry, added] = index.emplace(key, cameras.size());
    if (added) {
      Preflight::Camera camera;
      camera.model = camera_model_info(view.source.model).name;
      camera.width = view.source.width;
      camera.height = view.source.height;
      camera.training = view.camera;
      camera.plan = panorama ? panorama_plan(camera) : plan_of(camera, lens);
      cameras.push_back(std::move(camera));
    }
    ++cameras[entry->second].images;
  }
  return cameras;
}

std::string megabytes(size_t bytes) { return fmt::format("{:.0f} MB", double(bytes) / 1e6); }

void add_warnings(const Dataset& dataset, Preflight& preflight) {
  preflight.warnings = dataset.warnings;
  if (!preflight.missing.empty())
    preflight.warnings.push_back(fmt::format("{} of the reconstruction {} not on disk and left out",
                                             splat::counted(preflight.missing.size(), "photo"),
                                             preflight.missing.size() == 1 ? "is" : "are"));
  if (preflight.points == 0) preflight.warnings.push_back("no 3D points: training starts from random splats");
  if (preflight.machine_bytes && preflight.total_bytes > preflight.machine_bytes)
    preflight.warnings.push_back(fmt::format("training may need {}, this machine has {}",
                                             megabytes(preflight.total_bytes), megabytes(preflight.machine_bytes)));
}

}  // namespace

Preflight make_preflight(const Dataset& dataset, const PreflightOptions& options) {
  Preflight preflight;
  preflight.path = dataset.root.string();
  preflight.format = dataset.format;
  preflight.cameras = cameras_of(dataset);
  preflight.views = dataset.views.size();
  const std::vector<const DatasetView*> photos = first_views(dataset);
  preflight.used = photos.size();
  preflight.registered = preflight.used + dataset.missing_images.size();
  preflight.missing = dataset.missing_images;
  preflight.extra = dataset.extra_images;
  preflight.notes = dataset.notes;
  preflight.points = dataset.points.size();
  for (const DatasetView* photo : photos) {
    preflight.masked += !photo->mask_path.empty();
    preflight.with_alpha += photo->file_has_alpha;
    preflight.with_depth += !photo->depth_path.empty();
    if (photo->left_out)
      preflight.left_out.push_back(photo->photo_name());
    else if (photo->held_out)
      preflight.held_out.push_back(photo->photo_name());
  }
  preflight.training = preflight.used - preflight.held_out.size() - preflight.left_out.size();
  preflight.image_bytes = image_bytes(dataset);
  preflight.splat_bytes_start =
      options.bytes_per_splat * (preflight.points > 0 ? preflight.points : options.random_splats);
  preflight.splat_bytes_max = options.bytes_per_splat * options.max_splats;
  preflight.total_bytes = preflight.image_bytes + options.base_bytes +
                          std::max({preflight.splat_bytes_start, preflight.splat_bytes_max, options.matching_bytes});
  preflight.machine_bytes = options.machine_bytes;
  add_warnings(dataset, preflight);
  return preflight;
}

void look_at_masks(const Dataset& dataset, int threads, Preflight& preflight) {
  std::vector<const DatasetView*> masked;
  for (const DatasetView* photo : first_views(dataset))
    if (!photo->mask_path.empty()) masked.push_back(photo);
  if (masked.empty()) return;
  const size_t count = std::min(masked.size(), kMasksLookedAt);
  std::vector<std::optional<splat::Result<double>>> shares(count);
  splat::ThreadPool pool(threads);
  const auto mask_of = [&](size_t i) { return masked[i * masked.size() / count]->mask_path; };
  pool.for_each(count, [&](size_t i, int) { shares[i] = excluded_share(mask_of(i)); });
  double sum = 0;
  size_t read = 0;
  std::vector<std::string> useless;
  for (size_t i = 0; i < count; ++i) {
    if (!shares[i]->ok()) {
      preflight.warnings.push_back(shares[i]->error().message);
      continue;
    }
    sum += shares[i]->value();
    ++read;
    if (shares[i]->value() == 0) useless.push_back(mask_of(i).filename().string());
  }
  if (read > 0) preflight.mask_share = sum / double(read);
  if (!useless.empty())
    preflight.warnings.push_back(fmt::format("{} of the masks{} exclude nothing: {}", useless.size(),
                                             count < masked.size() ? fmt::format(" ({} looked at)", count) : "",
                                             first_names(useless)));
}

std::vector<std::string> preflight_lines(const Preflight& p) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("dataset   {} ({})", p.path, p.format));
  lines.push_back(fmt::format("photos    {} registered, {} used, {} missing, {} on disk without a pose", p.registered,
                              p.used, p.missing.size(), p.extra.size()));
  if (!p.missing.empty()) lines.push_back("          missing: " + first_names(p.missing));
  if (!p.extra.empty()) lines.push_back("          without a pose: " + first_names(p.extra));
  if (p.masked || p.with_alpha)
    lines.push_back(fmt::format("masks     {} with a mask file, {} with an alpha channel",
                                splat::counted(p.masked, "photo"), p.with_alpha));
  if (p.mask_share)
    lines.push_back(fmt::format("          the masks exclude {:.1f} % of the photos", 100 * *p.mask_share));
  if (p.with_depth)
    lines.push_back(fmt::format("depths    {} with a depth map", splat::counted(p.with_depth, "photo")));
  constexpr size_t kShownCameras = 10;
  for (size_t i = 0; i < std::min(kShownCameras, p.cameras.size()); ++i)
    lines.push_back(fmt::format("camera    {} ({})", p.cameras[i].plan, splat::counted(p.cameras[i].images, "photo")));
  if (p.cameras.size() > kShownCameras)
    lines.push_back(fmt::format("          and {} more cameras", p.cameras.size() - kShownCameras));
  lines.push_back(fmt::format("points    {}", p.points));
  std::string split =
      fmt::format("split     {} to train on, {} held out", splat::counted(p.training, "photo"), p.held_out.size());
  if (!p.left_out.empty()) split += fmt::format(", {} left out", p.left_out.size());
  if (p.views != p.used) split += fmt::format("; {} views in all", p.views);
  lines.push_back(split);
  if (!p.held_out.empty()) lines.push_back("          held out: " + first_names(p.held_out));
  if (!p.left_out.empty()) lines.push_back("          left out: " + first_names(p.left_out));
  std::string memory = fmt::format("memory    photos {}", megabytes(p.image_bytes));
  if (p.splat_bytes_start) memory += fmt::format(", splats {} at the start", megabytes(p.splat_bytes_start));
  if (p.splat_bytes_max) memory += fmt::format(", {} at most", megabytes(p.splat_bytes_max));
  lines.push_back(memory + fmt::format("; {} in all", megabytes(p.total_bytes)));
  for (const std::string& note : p.notes) lines.push_back("note      " + note);
  for (const std::string& warning : p.warnings) lines.push_back("warning   " + warning);
  return lines;
}

nlohmann::json preflight_json(const Preflight& p) {
  nlohmann::json cameras = nlohmann::json::array();
  for (const Preflight::Camera& camera : p.cameras) {
    const PinholeCamera& t = camera.training;
    cameras.push_back(
        {{"model", camera.model},
         {"width", camera.width},
         {"height", camera.height},
         {"images", camera.images},
         {"plan", camera.plan},
         {"training",
          {{"width", t.width}, {"height", t.height}, {"fx", t.fx}, {"fy", t.fy}, {"cx", t.cx}, {"cy", t.cy}}}});
  }
  nlohmann::json bytes{{"images", p.image_bytes}, {"splats_start", p.splat_bytes_start}, {"total", p.total_bytes}};
  if (p.splat_bytes_max) bytes["splats_max"] = p.splat_bytes_max;
  if (p.machine_bytes) bytes["machine"] = p.machine_bytes;
  return {{"path", p.path},
          {"format", p.format},
          {"images",
           {{"registered", p.registered},
            {"used", p.used},
            {"views", p.views},
            {"training", p.training},
            {"masked", p.masked},
            {"mask_share", p.mask_share ? nlohmann::json(*p.mask_share) : nlohmann::json()},
            {"with_depth", p.with_depth},
            {"with_alpha", p.with_alpha},
            {"missing", p.missing},
            {"extra", p.extra}}},
          {"cameras", cameras},
          {"points", p.points},
          {"held_out", p.held_out},
          {"left_out", p.left_out},
          {"bytes", bytes},
          {"notes", p.notes},
          {"warnings", p.warnings}};
}

}  // namespace io
