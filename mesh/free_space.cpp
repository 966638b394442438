#include "mesh/free_space.h"

#include <algorithm>

#include "mesh/picture_place.h"
#include "mesh/vec3.h"

namespace mesh {
namespace {

constexpr int kViews = 2;
constexpr size_t kSpokes = 24;                         // of a fan
constexpr float kPlaces[] = {0.2f, 0.4f, 0.6f, 0.8f};  // on each, from the middle to the rim; area grows with them

bool looks_past(const DepthMap& map, const Vec3& point, float margin) {
  const auto seen = map.view.cam_from_world * std::array<double, 3>{point[0], point[1], point[2]};
  if (!(seen[2] > 0)) return false;
  const auto [x, y] = pixel_of(map.view, point);
  if (!(x >= 0 && y >= 0 && x < float(map.view.camera.width) && y < float(map.view.camera.height))) return false;
  const float depth = map.at(int(x), int(y));
  return depth == kNothing || depth > float(seen[2]) + margin;
}

}  // namespace

bool is_seen_free(const std::vector<DepthMap>& maps, const Vec3& point, float margin) {
  int views = 0;
  for (const DepthMap& map : maps)
    if (looks_past(map, point, margin) && ++views == kViews) return true;
  return false;
}

double seen_free(const std::vector<DepthMap>& maps, const TriangleMesh& mesh, const std::vector<uint32_t>& rim,
                 const Vec3& middle, float margin) {
  double free = 0, all = 0;
  const size_t spokes = std::min(kSpokes, rim.size());
  for (size_t i = 0; i < spokes; ++i) {
    const Vec3 out = mesh.positions[rim[i * rim.size() / spokes]] - middle;
    for (float place : kPlaces) {
      const double area = double(place) * double(dot(out, out));
      all += area;
      if (is_seen_free(maps, middle + place * out, margin)) free += area;
    }
  }
  return all > 0 ? free / all : 0;
}

}  // namespace mesh
