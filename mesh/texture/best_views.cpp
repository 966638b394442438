#include "mesh/texture/best_views.h"

#include <algorithm>
#include <cmath>

#include "mesh/texture/mesh_view.h"
#include "mesh/vec3.h"
#include "splat/core/check.h"

namespace mesh {
namespace {

constexpr size_t kVertexChunk = 4096, kBatch = 8;        // views at a time
constexpr int kMargin = 2;                               // px around a vertex in which nothing else may stand before it
constexpr float kEdge = 0.03f;                           // of the depth
constexpr float kFlattestCosine = 0.15f;                 // flatter views blur
constexpr float kBesideHidden = 1e-3f, kSplats = 1e-6f;  // what such views count

float score_of(const TriangleMesh& mesh, const splat::View& view, const std::vector<float>& depth, size_t v,
               float tolerance) {
  const Vec3& p = mesh.positions[v];
  const auto s = view.cam_from_world * std::array<double, 3>{p[0], p[1], p[2]};
  if (!(s[2] > 0)) return 0;
  const auto& camera = view.camera;
  const int x = int(std::floor(camera.fx * s[0] / s[2] + camera.cx)),
            y = int(std::floor(camera.fy * s[1] / s[2] + camera.cy));
  if (x < kMargin || y < kMargin || x >= camera.width - kMargin || y >= camera.height - kMargin) return 0;
  const float z = float(s[2]);
  const float here = depth[size_t(y) * size_t(camera.width) + size_t(x)];
  if (here > 0 && z > here + tolerance + 0.01f * z) return 0;
  for (int v0 = y - kMargin; v0 <= y + kMargin; ++v0)
    for (int u = x - kMargin; u <= x + kMargin; ++u) {
      const float other = depth[size_t(v0) * size_t(camera.width) + size_t(u)];
      if (other > 0 && z - other > tolerance + kEdge * z) return 0;
    }
  const auto centre = view.cam_from_world.origin_in_source();
  const Vec3 to = direction_of(Vec3{float(centre[0]), float(centre[1]), float(centre[2])} - p);
  const float cosine = dot(mesh.normals[v], to);
  return cosine < kFlattestCosine ? 0 : cosine * camera.fx * camera.fy / (z * z);
}

// With what else the view shows in front of the mesh, or beside it.
void add_others(const DepthMap& map, float tolerance, std::vector<float>& depth) {
  for (size_t p = 0; p < depth.size(); ++p)
    if (const float other = map.depth[p]; other > 0 && (depth[p] == 0 || other < (1 - kEdge) * depth[p] - tolerance))
      depth[p] = other;
}

// Faces' corners beside a hidden one: what they take from this view must have gone by there.
void fade_beside_hidden(const TriangleMesh& mesh, std::vector<float>& scores) {
  std::vector<bool> beside(scores.size(), false);
  for (const Face& face : mesh.faces)
    if (!(scores[face[0]] > 0 && scores[face[1]] > 0 && scores[face[2]] > 0))
      for (uint32_t v : face) beside[v] = true;
  for (size_t v = 0; v < scores.size(); ++v)
    if (beside[v]) scores[v] *= kBesideHidden;
}

struct Ranking {
  std::array<float, kBestViews + 1> score{};  // descending
  std::array<uint16_t, kBestViews + 1> view{};

  void add(float value, size_t index) {
    if (!(value > score.back())) return;
    size_t at = kBestViews;
    for (; at > 0 && value > score[at - 1]; --at) score[at] = score[at - 1], view[at] = view[at - 1];
    score[at] = value, view[at] = uint16_t(index);
  }

  VertexViews best() const {
    VertexViews out;
    float sum = 0;
    for (size_t k = 0; k < kBestViews; ++k) {
      const float above = score[k] - score[kBestViews];
      out.view[k] = view[k];
      sum += out.weight[k] = above * above * above * above;  // so that the best decides: mixing blurs
    }
    if (sum > 0) {
      for (float& w : out.weight) w /= sum;
    } else if (score[0] > 0) {
      out.weight[0] = 1;  // all five the same
    }
    return out;
  }
};

}  // namespace

std::vector<VertexViews> find_best_views(const TriangleMesh& mesh, const std::vector<TextureView>& views,
                                         float tolerance, splat::ThreadPool& pool) {
  SPLAT_CHECK_LE(views.size(), size_t(65535));
  std::vector<Ranking> rankings(mesh.positions.size());
  std::vector<std::vector<float>> scores(kBatch);
  for (size_t first = 0; first < views.size(); first += kBatch) {
    const size_t count = std::min(kBatch, views.size() - first);
    pool.for_each(count, [&](size_t i, int) {
      const TextureView& from = views[first + i];
      std::vector<float> depth = mesh_depth(mesh, from.view);
      if (from.depth) add_others(*from.depth, tolerance, depth);
      scores[i].resize(mesh.positions.size());
      for (size_t v = 0; v < scores[i].size(); ++v)
        scores[i][v] = score_of(mesh, from.view, depth, v, tolerance) * (from.photo ? 1 : kSplats);
      fade_beside_hidden(mesh, scores[i]);
    });
    pool.for_chunks(rankings.size(), kVertexChunk, [&](size_t begin, size_t end, int) {
      for (size_t v = begin; v < end; ++v)
        for (size_t i = 0; i < count; ++i) rankings[v].add(scores[i][v], first + i);
    });
  }
  std::vector<VertexViews> best(rankings.size());
  for (size_t v = 0; v < best.size(); ++v) best[v] = rankings[v].best();
  return best;
}

}  // namespace mesh
