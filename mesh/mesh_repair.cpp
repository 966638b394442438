#include "mesh/mesh_repair.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mesh {
namespace {

using Edge = std::pair<uint32_t, uint32_t>;

double length_between(const Vec3& a, const Vec3& b) {
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) sum += double(a[k] - b[k]) * double(a[k] - b[k]);
  return std::sqrt(sum);
}

std::array<double, 3> twice_area(const TriangleMesh& mesh, const Face& face) {
  const Vec3 &a = mesh.positions[face[0]], &b = mesh.positions[face[1]], &c = mesh.positions[face[2]];
  std::array<double, 3> p, q;
  for (size_t k = 0; k < 3; ++k) p[k] = double(b[k]) - a[k], q[k] = double(c[k]) - a[k];
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

// The directed edges of faces, sorted.
std::vector<Edge> directed_edges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.faces.size());
  for (const Face& face : mesh.faces)
    for (size_t k = 0; k < 3; ++k) edges.emplace_back(face[k], face[(k + 1) % 3]);
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Loops of vertices along open edges, each in the direction of its faces.
std::vector<std::vector<uint32_t>> holes_of(const TriangleMesh& mesh) {
  const std::vector<Edge> open = open_edges(mesh);
  constexpr uint32_t kNowhere = ~0u;
  std::vector<bool> taken(open.size(), false);
  std::vector<uint32_t> place(mesh.positions.size(), kNowhere);  // of a vertex in the path
  std::vector<std::vector<uint32_t>> holes;
  for (size_t start = 0; start < open.size(); ++start) {
    if (taken[start]) continue;
    std::vector<uint32_t> path;
    for (size_t at = start;;) {
      taken[at] = true;
      place[open[at].first] = uint32_t(path.size());
      path.push_back(open[at].first);
      // Back at a vertex of the path: what lies between is a hole of its own.
      if (const uint32_t again = place[open[at].second]; again != kNowhere) {
        holes.emplace_back(path.begin() + again, path.end());
        for (uint32_t v : holes.back()) place[v] = kNowhere;
        path.resize(again);
        if (path.empty()) break;
      }
      const uint32_t from = open[at].second;
      auto next = std::lower_bound(open.begin(), open.end(), Edge(from, 0));
      while (next != open.end() && next->first == from && taken[size_t(next - open.begin())]) ++next;
      if (next == open.end() || next->first != from) break;  // not a manifold
      at = size_t(next - open.begin());
    }
    for (uint32_t v : path) place[v] = kNowhere;
  }
  return holes;
}

void close_hole(TriangleMesh& mesh, const std::vector<uint32_t>& hole, const Vec3& middle) {
  if (hole.size() == 3) {
    mesh.faces.push_back({hole[0], hole[2], hole[1]});
    return;
  }
  Vec3 normal{}, colour{};
  for (uint32_t v : hole)
    for (size_t k = 0; k < 3; ++k) {
      normal[k] += mesh.normals[v][k];
      if (!mesh.colours.empty()) colour[k] += mesh.colours[v][k] / float(hole.size());
    }
  const float size = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (float& n : normal) n = size > 0 ? n / size : 0.57735f;
  const auto centre = uint32_t(mesh.positions.size());
  mesh.positions.push_back(middle);
  mesh.normals.push_back(normal);
  if (!mesh.colours.empty()) mesh.colours.push_back(colour);
  for (size_t i = 0; i < hole.size(); ++i) mesh.faces.push_back({hole[(i + 1) % hole.size()], hole[i], centre});
}

Vec3 middle_of(const TriangleMesh& mesh, const std::vector<uint32_t>& hole) {
  Vec3 middle{};
  for (uint32_t v : hole)
    for (size_t k = 0; k < 3; ++k) middle[k] += mesh.positions[v][k] / float(hole.size());
  return middle;
}

}  // namespace

std::vector<Edge> open_edges(const TriangleMesh& mesh) {
  const std::vector<Edge> edges = directed_edges(mesh);
  std::vector<Edge> open;
  for (const Edge& edge : edges)
    if (!std::binary_search(edges.begin(), edges.end(), Edge(edge.second, edge.first))) open.push_back(edge);
  return open;
}

std::vector<uint32_t> parts_of(const TriangleMesh& mesh) {
  std::vector<uint32_t> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Face& face : mesh.faces)
    for (size_t k = 1; k < 3; ++k) {
      const uint32_t a = root(face[0]), b = root(face[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (uint32_t v = 0; v < parent.size(); ++v) parent[v] = root(v);
  return parent;
}

void drop_unused_vertices(TriangleMesh& mesh) {
  std::vector<uint32_t> place(mesh.positions.size(), 0);
  for (const Face& face : mesh.faces)
    for (uint32_t v : face) place[v] = 1;
  uint32_t kept = 0;
  for (size_t v = 0; v < place.size(); ++v) {
    if (!place[v]) continue;
    mesh.positions[kept] = mesh.positions[v];
    mesh.normals[kept] = mesh.normals[v];
    if (!mesh.colours.empty()) mesh.colours[kept] = mesh.colours[v];
    place[v] = kept++;
  }
  mesh.positions.resize(kept);
  mesh.normals.resize(kept);
  if (!mesh.colours.empty()) mesh.colours.resize(kept);
  for (Face& face : mesh.faces)
    for (uint32_t& v : face) v = place[v];
}

size_t drop_small_parts(TriangleMesh& mesh, double share) {
  const std::vector<uint32_t> part = parts_of(mesh);
  std::vector<size_t> faces(part.size(), 0);
  for (const Face& face : mesh.faces) ++faces[part[face[0]]];
  const size_t largest = faces.empty() ? 0 : *std::max_element(faces.begin(), faces.end());
  size_t dropped = 0;
  for (size_t count : faces) dropped += count > 0 && double(count) < share * double(largest);
  std::erase_if(mesh.faces, [&](const Face& face) { return double(faces[part[face[0]]]) < share * double(largest); });
  drop_unused_vertices(mesh);
  return dropped;
}

size_t close_holes(TriangleMesh& mesh, double share, MayClose may_close) {
  const auto holes = holes_of(mesh);
  std::vector<double> lengths;
  for (const auto& hole : holes) {
    double length = 0;
    for (size_t i = 0; i < hole.size(); ++i)
      length += length_between(mesh.positions[hole[i]], mesh.positions[hole[(i + 1) % hole.size()]]);
    lengths.push_back(length);
  }
  const double longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  size_t closed = 0;
  for (size_t i = 0; i < holes.size(); ++i) {
    if (holes[i].size() < 3 || lengths[i] > share * longest) continue;
    const Vec3 middle = middle_of(mesh, holes[i]);
    if (!may_close(holes[i], middle)) continue;
    close_hole(mesh, holes[i], middle);
    ++closed;
  }
  return closed;
}

MeshDefects find_defects(const TriangleMesh& mesh) {
  MeshDefects defects;
  for (const Face& face : mesh.faces) {
    const auto area = twice_area(mesh, face);
    const bool repeats = face[0] == face[1] || face[1] == face[2] || face[0] == face[2];
    defects.degenerate_faces += repeats || !(area[0] * area[0] + area[1] * area[1] + area[2] * area[2] > 0);
    const Vec3& a = mesh.positions[face[0]];
    defects.volume += (a[0] * area[0] + a[1] * area[1] + a[2] * area[2]) / 6;
  }
  const std::vector<Edge> edges = directed_edges(mesh);
  for (size_t i = 0; i < edges.size();) {
    size_t same = i;
    while (same < edges.size() && edges[same] == edges[i]) ++same;
    const Edge opposite(edges[i].second, edges[i].first);
    const auto range = std::equal_range(edges.begin(), edges.end(), opposite);
    const auto others = size_t(range.second - range.first), here = same - i;
    defects.inconsistent_edges += here > 1;
    if (edges[i].first < edges[i].second || others == 0) {
      defects.open_edges += here + others == 1;
      defects.non_manifold_edges += here + others > 2;
    }
    i = same;
  }
  return defects;
}

}  // namespace mesh
