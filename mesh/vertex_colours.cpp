#include "mesh/vertex_colours.h"

#include <algorithm>
#include <cmath>

#include "mesh/picture_place.h"

namespace mesh {
namespace {

constexpr size_t kChunk = 4096;
constexpr float kGrey = 0.5f;

struct Sample {
  float weight = 0;
  Vec3 colour{};
};

Sample sample_of(const DepthMap& map, const splat::ImageF& picture, const Vec3& position, const Vec3& normal,
                 float tolerance) {
  const auto seen = map.view.cam_from_world * std::array<double, 3>{position[0], position[1], position[2]};
  if (!(seen[2] > 0)) return {};
  const auto& camera = map.view.camera;
  const auto [x, y] = pixel_of(map.view, position);
  if (!(x >= 0.5f && y >= 0.5f && x < float(camera.width) - 0.5f && y < float(camera.height) - 0.5f)) return {};
  const float depth = depth_at(map, x, y, 1);
  if (!(depth > 0) || std::abs(depth - float(seen[2])) > tolerance) return {};
  const auto centre = map.view.cam_from_world.origin_in_source();
  float cosine = 0, distance = 0;
  for (size_t k = 0; k < 3; ++k) {
    const float to = float(centre[k]) - position[k];
    cosine += normal[k] * to, distance += to * to;
  }
  cosine /= std::sqrt(distance);
  if (!(cosine > 0)) return {};
  Sample sample;
  sample.weight = std::pow(cosine / float(seen[2]), 4.0f);
  sample.colour = colour_at(picture, x, y);
  return sample;
}

// What has no colour takes the mean of its neighbours that have one, ring by ring.
void spread(TriangleMesh& mesh, std::vector<bool>& known) {
  while (true) {
    std::vector<Sample> sums(mesh.positions.size());
    bool any = false;
    for (const Face& face : mesh.faces)
      for (size_t k = 0; k < 3; ++k)
        for (size_t to : {face[(k + 1) % 3], face[(k + 2) % 3]}) {
          if (!known[face[k]] || known[to]) continue;
          sums[to].weight += 1, any = true;
          for (size_t c = 0; c < 3; ++c) sums[to].colour[c] += mesh.colours[face[k]][c];
        }
    if (!any) return;
    for (size_t v = 0; v < sums.size(); ++v) {
      if (!(sums[v].weight > 0)) continue;
      for (size_t c = 0; c < 3; ++c) mesh.colours[v][c] = sums[v].colour[c] / sums[v].weight;
      known[v] = true;
    }
  }
}

}  // namespace

void colour_vertices(TriangleMesh& mesh, const std::vector<DepthMap>& maps, float tolerance,
                     const std::function<splat::ImageF(size_t)>& picture, splat::ThreadPool& pool) {
  std::vector<Sample> sums(mesh.positions.size());
  for (size_t i = 0; i < maps.size(); ++i) {
    const splat::ImageF image = picture(i);
    pool.for_chunks(sums.size(), kChunk, [&](size_t begin, size_t end, int) {
      for (size_t v = begin; v < end; ++v) {
        const Sample sample = sample_of(maps[i], image, mesh.positions[v], mesh.normals[v], tolerance);
        sums[v].weight += sample.weight;
        for (size_t c = 0; c < 3; ++c) sums[v].colour[c] += sample.weight * sample.colour[c];
      }
    });
  }
  mesh.colours.assign(sums.size(), {kGrey, kGrey, kGrey});
  std::vector<bool> known(sums.size());
  for (size_t v = 0; v < sums.size(); ++v) {
    known[v] = sums[v].weight > 0;
    for (size_t c = 0; known[v] && c < 3; ++c)
      mesh.colours[v][c] = std::clamp(sums[v].colour[c] / sums[v].weight, 0.0f, 1.0f);
  }
  spread(mesh, known);
}

}  // namespace mesh
