#include "app/jobs/input/splat_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/host/bytes_on_disk.h"
#include "app/jobs/host/host.h"
#include "app/jobs/host/reading_memory.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/input/run_folder.h"
#include "io/checkpoint.h"
#include "io/io.h"
#include "io/meshes/mesh_read.h"
#include "io/scene_json.h"
#include "io/splats/ply/ply.h"
#include "splat/core/counted.h"
#include "splat/core/percentile.h"
#include "splat/train/init.h"
#include "splat/train/trainer.h"
#include "viewer/camera/geometry.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::PointCloud;
using splat::Result;

namespace {

constexpr float kOpaque = 4.6f;   // logit of 0.99
constexpr float kHalf = 0.6931f;  // ln 2

bool is_coloured(const PointCloud& points) {  // those without colours are read as grey
  constexpr uint8_t kGrey = 128;
  return std::any_of(points.rgb.begin(), points.rgb.end(), [](uint8_t value) { return value != kGrey; });
}

double extent_of(const PointCloud& points) {
  viewer::Bounds bounds;
  for (size_t i = 0; i < points.xyz.size(); i += 3)  // finite, as the reader has seen to
    bounds.add({points.xyz[i], points.xyz[i + 1], points.xyz[i + 2]});
  return std::max(bounds.radius(), 1e-6);
}

// A splat file, else a coloured point cloud.
Result<io::SplatFile> read_splats_or_points(const fs::path& path, int threads, io::ReadWatch* watch) {
  auto file = io::read_splat_file(path, watch);
  if (file || io::ply_holds_splats(path)) return file;
  const auto points = io::read_point_cloud_ply(path, watch);
  if (!points || !is_coloured(*points)) return file;
  splat::TrainConfig config;
  config.sh_degree = 0;
  io::SplatFile made;
  made.format = "PLY point cloud";
  made.gaussians = splat::gaussians_from_points(*points, config, extent_of(*points), threads);
  made.frame.origin = points->origin;
  std::vector<float>& scales = made.gaussians.log_scales;
  const float middle = splat::median(scales);  // points that stand alone would hide the others
  for (float& scale : scales) scale = std::min(scale, middle) - kHalf;
  std::fill(made.gaussians.logit_opacities.begin(), made.gaussians.logit_opacities.end(), kOpaque);
  const bool is_mesh = io::is_mesh_file(path);
  made.warnings.push_back("the file holds " + human_count(points->size()) +
                          (is_mesh
                               ? " coloured corners of a mesh, which the window shows, not splats: without their faces "
                               : " coloured points, not splats: ") +
                          "they are taken as round, opaque splats of half the distance to their neighbours, and none "
                          "larger than most");
  made.unread = io::unread_of_point_cloud_ply(path);
  if (points->left_out > 0)
    made.warnings.push_back(human_count(points->left_out) +
                            splat::noun(points->left_out, " point whose position is not finite is",
                                        " points whose position is not finite are") +
                            " left out");
  return made;
}

Result<io::SplatFile> read_checkpoint_model(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const io::CheckpointFile checkpoint, io::CheckpointFile::open(path));
  const splat::Archive& archive = checkpoint.archive();
  const auto in_file = [&](const Error& error) { return Error{fmt::format("'{}': {}", path.string(), error.message)}; };
  const auto config = splat::load_config(archive);
  if (!config) return in_file(config.error());
  auto model = splat::stored_model(checkpoint);
  if (!model) return in_file(model.error());
  io::SplatFile file;
  file.gaussians = std::move(*model);
  const auto iteration = archive.get<int32_t>("trainer/iteration");
  file.format = iteration ? fmt::format("checkpoint, iteration {}", *iteration) : "checkpoint";
  file.antialiased = config->antialias;
  file.low_pass = config->low_pass;
  file.stored_sh_degree = file.gaussians.sh_degree;
  return file;
}

}  // namespace

Result<SplatInput> read_splat_input(const fs::path& given, int threads, io::ReadWatch* watch) {
  std::error_code code;
  if (!fs::exists(given, code)) return Error{fmt::format("there is no '{}'", given.string())};
  const Recognised found = recognise(given);
  const auto no_splats = [&](const char* what) {
    return Error{
        fmt::format("'{}' {}: give a splat file, a checkpoint or the folder of a training run", given.string(), what)};
  };
  if (found.kind == PathKind::kDataset)
    if (const std::string what = foreign_json(given); !what.empty())
      return Error{fmt::format("'{}' {}", given.string(), what)};
  if (found.kind == PathKind::kDataset)
    return no_splats("holds no splats (a dataset is trained first: hipsplat train)");
  if (found.kind == PathKind::kCameras) return no_splats("holds cameras, no splats");
  SplatInput input;
  input.path = found.kind == PathKind::kCity ? merged_city(found.path) : found.path;
  if (!fs::exists(input.path, code))
    return no_splats("holds blocks that are not merged yet (hipsplat blocks merge does that)");
  SPLAT_ASSIGN_OR_RETURN(input.file, read_where_it_fits(input.path, [&] {
                           return found.kind == PathKind::kCheckpoint
                                      ? read_checkpoint_model(found.path)
                                      : read_splats_or_points(input.path, threads, watch);
                         }));
  if (input.file.bytes == 0) input.file.bytes = bytes_on_disk(input.path);
  const RunCameras run = run_cameras_of(input.path, input.file.gaussians);
  if (!run.warning.empty()) input.file.warnings.push_back(run.warning);
  if (input.file.frame.empty() && !run.folder.empty()) {
    SPLAT_ASSIGN_OR_RETURN(input.file.frame, io::read_scene_json(run.folder));
  }
  return input;
}

splat::RenderSettings as_trained(splat::RenderSettings asked, bool low_pass_given, const splat::ScreenFilter& trained) {
  asked.antialias |= trained.antialias;
  if (!low_pass_given) asked.low_pass = trained.low_pass;
  return asked;
}

}  // namespace app
