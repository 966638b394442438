#include <cmath>

#include "splat/raster/triangles/checks.h"
#include "splat/raster/triangles/coverage.h"
#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {
namespace {

// The triangles of one picture.
struct Part {
  const float* positions;
  size_t first, count;
};

Result<Part> part_of(const Scene& scene, size_t picture) {
  if (!scene.ranges) return Part{scene.positions + picture * scene.vertices * 4, 0, scene.triangles.count};
  const int64_t first = scene.ranges[2 * picture], count = scene.ranges[2 * picture + 1];
  if (!is_range(first, count, scene.triangles)) return range_error(picture, first, count, scene.triangles);
  return Part{scene.positions, size_t(first), size_t(count)};
}

}  // namespace

Status rasterize(const Scene& scene, float* rast, float* rast_db, ThreadPool* pool) {
  SPLAT_TRY(check_corners(scene.triangles, scene.vertices));
  SPLAT_TRY(check_names(scene.triangles));
  for (size_t b = 0; b < scene.pictures; ++b) SPLAT_TRY(part_of(scene, b));
  for (size_t b = 0; b < scene.pictures; ++b) {
    const Part part = *part_of(scene, b);
    const auto corners = [&](size_t triangle, Corners& c) {
      for (int i = 0; i < 3; ++i) {
        const float* p = part.positions + 4 * size_t(scene.triangles.corners[3 * (part.first + triangle) + size_t(i)]);
        c.corner[i] = math::clip_corner(p, {scene.width, scene.height});
      }
    };
    TriangleJob job{scene.width, scene.height, part.count, corners, -1, std::nextafter(1.0f, 2.0f)};
    job.first_number = int32_t(part.first) + 1;
    const size_t first_pixel = b * size_t(scene.width) * size_t(scene.height);
    SPLAT_TRY(draw_triangles(job, pool, [&](const DrawnTile& tile) {
      const size_t pixel = first_pixel + size_t(tile.y0) * size_t(scene.width) + size_t(tile.x0);
      tile.kernels.write(tile.triangles, tile.numbers, &tile.pixels,
                         {tile.width, tile.height, 4 * size_t(scene.width), rast + 4 * pixel,
                          rast_db ? rast_db + 4 * pixel : nullptr});
    }));
  }
  return {};
}

Status rasterize_faces(const FaceScene& scene, int32_t* face_numbers, float* shares, ThreadPool* pool) {
  SPLAT_TRY(check_corners(scene.faces, scene.vertices));
  const auto corners = [&](size_t face, Corners& c) {
    for (int i = 0; i < 3; ++i) {
      const float* p = scene.positions + 4 * size_t(scene.faces.corners[3 * face + size_t(i)]);
      c.corner[i] = math::face_corner(p, {scene.width, scene.height}, &c.weight[i]);
    }
  };
  TriangleJob job{
      scene.width,         scene.height, scene.faces.count, corners, std::nextafter(-1 / math::kFaceDepthSteps, 0.0f),
      math::kMostFaceSteps};
  job.steps = math::kFaceDepthSteps;
  job.weighted = true;
  job.nearest = scene.depth_prior;
  job.nearest_scale = math::kFaceDepthScale, job.nearest_offset = 0.5f + scene.occlusion_truncation;
  return draw_triangles(job, pool, [&](const DrawnTile& tile) {
    for (int y = 0; y < tile.height; ++y) {
      const size_t first = size_t(tile.y0 + y) * size_t(scene.width) + size_t(tile.x0);
      for (int x = 0, at = y * kTileSide; x < tile.width; ++x, ++at) {
        face_numbers[first + size_t(x)] = int32_t(tile.number(at));
        for (size_t i = 0; i < 3; ++i) shares[3 * (first + size_t(x)) + i] = tile.pixels.share[i][at];
      }
    }
  });
}

}  // namespace splat::triangles
