#include "app/run/splat_input.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/console/host.h"
#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "splat/train/init.h"
#include "viewer/camera/geometry.h"

namespace app {

namespace fs = std::filesystem;
using splat::PointCloud;
using splat::Result;

namespace {

constexpr float kOpaque = 4.6f;   // logit of 0.99
constexpr float kHalf = 0.6931f;  // ln 2

bool is_coloured(const PointCloud& points) {  // those without colours are read as grey
  constexpr uint8_t kGrey = 128;
  return std::any_of(points.rgb.begin(), points.rgb.end(), [](uint8_t value) { return value != kGrey; });
}

float median(std::vector<float> values) {
  const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double extent_of(const PointCloud& points) {
  viewer::Bounds bounds;
  for (size_t i = 0; i < points.xyz.size(); i += 3)  // finite, as the reader has seen to
    bounds.add({points.xyz[i], points.xyz[i + 1], points.xyz[i + 2]});
  return std::max(bounds.radius(), 1e-6);
}

}  // namespace

Result<io::SplatFile> read_splats_or_points(const fs::path& path, int threads) {
  auto file = io::read_splat_file(path);
  if (file) return file;
  const auto points = io::read_point_cloud_ply(path);
  if (!points || !is_coloured(*points)) return file;
  splat::TrainConfig config;
  config.sh_degree = 0;
  io::SplatFile made;
  made.format = "PLY point cloud";
  made.gaussians = splat::gaussians_from_points(*points, config, extent_of(*points), threads);
  std::vector<float>& scales = made.gaussians.log_scales;
  const float middle = median(scales);  // points that stand alone would hide the others
  for (float& scale : scales) scale = std::min(scale, middle) - kHalf;
  std::fill(made.gaussians.logit_opacities.begin(), made.gaussians.logit_opacities.end(), kOpaque);
  made.warnings.push_back("the file holds " + human_count(points->size()) +
                          " coloured points, not splats: they are taken as round, opaque splats of half the distance "
                          "to their neighbours, and none larger than most");
  return made;
}

}  // namespace app
