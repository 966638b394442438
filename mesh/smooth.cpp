#include "mesh/smooth.h"

#include <algorithm>

#include "mesh/vec3.h"

namespace mesh {
namespace {

constexpr float kThere = 0.5f, kBack = -0.53f;  // shares of the way to the mean; |back| > there keeps the volume
constexpr size_t kVertices = 8192;              // of a chunk

// The neighbours of each vertex along edges, each twice; once along open edges.
struct Rings {
  std::vector<uint32_t> first;  // [V + 1]
  std::vector<uint32_t> others;
};

Rings rings_of(const TriangleMesh& mesh) {
  Rings rings;
  rings.first.assign(mesh.positions.size() + 1, 0);
  for (const Face& face : mesh.faces)
    for (uint32_t v : face) rings.first[v + 1] += 2;
  for (size_t v = 0; v < mesh.positions.size(); ++v) rings.first[v + 1] += rings.first[v];
  rings.others.resize(rings.first.back());
  std::vector<uint32_t> next(rings.first.begin(), rings.first.end() - 1);
  for (const Face& face : mesh.faces)
    for (size_t k = 0; k < 3; ++k)
      for (size_t other : {(k + 1) % 3, (k + 2) % 3}) rings.others[next[face[k]]++] = face[other];
  return rings;
}

// Whether a vertex has a neighbour once only: an open edge.
std::vector<bool> open_vertices(const Rings& rings) {
  std::vector<bool> open(rings.first.size() - 1, false);
  std::vector<uint32_t> ring;
  for (size_t v = 0; v < open.size(); ++v) {
    ring.assign(rings.others.begin() + rings.first[v], rings.others.begin() + rings.first[v + 1]);
    std::sort(ring.begin(), ring.end());
    for (size_t i = 0; i < ring.size() && !open[v];) {
      const bool twice = i + 1 < ring.size() && ring[i] == ring[i + 1];
      open[v] = !twice;
      i += 2;
    }
  }
  return open;
}

}  // namespace

void smooth(TriangleMesh& mesh, int rounds, splat::ThreadPool& pool) {
  const Rings rings = rings_of(mesh);
  const std::vector<bool> open = open_vertices(rings);
  std::vector<Vec3> next(mesh.positions.size());
  for (int step = 0; step < 2 * rounds; ++step) {
    const float share = step % 2 == 0 ? kThere : kBack;
    pool.for_chunks(next.size(), kVertices, [&](size_t begin, size_t end, int) {
      for (size_t v = begin; v < end; ++v) {
        next[v] = mesh.positions[v];
        const uint32_t count = rings.first[v + 1] - rings.first[v];
        if (open[v] || count == 0) continue;
        Vec3 sum{};
        for (uint32_t i = rings.first[v]; i < rings.first[v + 1]; ++i) sum = sum + mesh.positions[rings.others[i]];
        next[v] = next[v] + share * ((1 / float(count)) * sum - next[v]);
      }
    });
    mesh.positions.swap(next);
  }
  std::vector<Vec3> normals(mesh.positions.size(), Vec3{});
  for (const Face& face : mesh.faces) {
    const Vec3 area = area_of(mesh, face);
    for (uint32_t v : face) normals[v] = normals[v] + area;
  }
  for (size_t v = 0; v < normals.size(); ++v)
    if (dot(normals[v], normals[v]) > 0) mesh.normals[v] = direction_of(normals[v]);
}

}  // namespace mesh
