#include "mesh/manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "mesh/mesh_repair.h"
#include "mesh/vec3.h"

namespace mesh {
namespace {

constexpr uint32_t kAlone = ~0u;

// Corner k of face f is 3 f + k; so is the half edge that begins there.
uint32_t next_corner(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
uint32_t last_corner(uint32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }

class Cutter {
 public:
  Cutter(TriangleMesh& mesh, float apart) : mesh_(mesh), apart_(apart) {}

  size_t cut() {
    const size_t before = mesh_.positions.size();
    drop_doubled_faces();
    pair_half_edges();
    divide_vertices();
    divide_edges();
    const size_t added = mesh_.positions.size() - before;
    lift_flat_faces();
    drop_unused_vertices(mesh_);
    return added;
  }

 private:
  uint32_t vertex(uint32_t corner) const { return mesh_.faces[corner / 3][corner % 3]; }
  size_t corners() const { return 3 * mesh_.faces.size(); }

  void drop_doubled_faces() {
    struct Entry {
      Face sorted;
      uint32_t face;
      bool turned;  // against the sorted order
    };
    std::vector<Entry> entries;
    for (uint32_t f = 0; f < mesh_.faces.size(); ++f) {
      Face sorted = mesh_.faces[f];
      std::sort(sorted.begin(), sorted.end());
      if (sorted[0] == sorted[1] || sorted[1] == sorted[2]) continue;
      const Face& face = mesh_.faces[f];
      const auto first = size_t(std::find(face.begin(), face.end(), sorted[0]) - face.begin());
      entries.push_back({sorted, f, face[(first + 1) % 3] != sorted[1]});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.sorted, a.turned, a.face) < std::tie(b.sorted, b.turned, b.face);
    });
    std::vector<bool> kept(mesh_.faces.size(), false);
    for (size_t i = 0, end = 0; i < entries.size(); i = end) {
      int sum = 0;
      for (end = i; end < entries.size() && entries[end].sorted == entries[i].sorted; ++end)
        sum += entries[end].turned ? -1 : 1;
      if (sum != 0) kept[entries[sum > 0 ? i : end - 1].face] = true;
    }
    size_t count = 0;
    for (size_t f = 0; f < kept.size(); ++f)
      if (kept[f]) mesh_.faces[count++] = mesh_.faces[f];
    mesh_.faces.resize(count);
  }

  // The angle at which a half edge's face stands around the line from vertex a to vertex b.
  double angle(uint32_t corner, uint32_t a, uint32_t b) const {
    const Vec3 along = direction_of(mesh_.positions[b] - mesh_.positions[a]);
    const Vec3 to = mesh_.positions[vertex(last_corner(corner))] - mesh_.positions[a];
    Vec3 side{0, 0, 0};  // the axis farthest from the edge
    side[size_t(
        std::min_element(along.begin(), along.end(), [](float x, float y) { return std::abs(x) < std::abs(y); }) -
        along.begin())] = 1;
    const Vec3 x = direction_of(cross(along, side)), y = cross(along, x);
    return std::atan2(double(dot(to, y)), double(dot(to, x)));
  }

  void join(uint32_t a, uint32_t b) { partner_[a] = b, partner_[b] = a; }

  void pair_half_edges() {
    partner_.assign(corners(), kAlone);
    std::vector<uint32_t> halves(corners());
    std::iota(halves.begin(), halves.end(), 0u);
    const auto ends = [&](uint32_t half) {
      const uint32_t a = vertex(half), b = vertex(next_corner(half));
      return std::pair(std::min(a, b), std::max(a, b));
    };
    std::sort(halves.begin(), halves.end(),
              [&](uint32_t p, uint32_t q) { return std::pair(ends(p), p) < std::pair(ends(q), q); });
    for (size_t i = 0, end = 0; i < halves.size(); i = end) {
      for (end = i; end < halves.size() && ends(halves[end]) == ends(halves[i]);) ++end;
      if (end - i == 2 && vertex(halves[i]) != vertex(halves[i + 1]))
        join(halves[i], halves[i + 1]);
      else if (end - i > 2)
        pair_around({halves.begin() + ptrdiff_t(i), halves.begin() + ptrdiff_t(end)}, ends(halves[i]));
    }
  }

  // Around the line from a to b, a face along it has the inside at smaller angles and one against it at larger ones:
  // each of the latter opens a bracket that the next of the former closes.
  void pair_around(const std::vector<uint32_t>& halves, std::pair<uint32_t, uint32_t> ends) {
    std::vector<std::pair<double, uint32_t>> at;
    for (uint32_t half : halves) at.emplace_back(angle(half, ends.first, ends.second), half);
    std::sort(at.begin(), at.end());
    std::vector<uint32_t> open;
    for (int round = 0; round < 2; ++round)  // brackets may close beyond the end
      for (const auto& [place, half] : at) {
        if (partner_[half] != kAlone) continue;
        const bool along = vertex(half) == ends.first;
        if (!along && round == 0)
          open.push_back(half);
        else if (along && !open.empty())
          join(half, open.back()), open.pop_back();
      }
  }

  uint32_t copy(uint32_t v) {
    mesh_.positions.push_back(Vec3(mesh_.positions[v]));
    mesh_.normals.push_back(Vec3(mesh_.normals[v]));
    if (!mesh_.colours.empty()) mesh_.colours.push_back(Vec3(mesh_.colours[v]));
    return uint32_t(mesh_.positions.size() - 1);
  }

  // One vertex for each fan of faces: corners that are the same place of two faces joined along an edge.
  void divide_vertices() {
    std::vector<uint32_t> parent(corners());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](uint32_t c) {
      while (parent[c] != c) c = parent[c] = parent[parent[c]];
      return c;
    };
    const auto unite = [&](uint32_t a, uint32_t b) {
      a = root(a), b = root(b);
      parent[std::max(a, b)] = std::min(a, b);
    };
    for (uint32_t c = 0; c < corners(); ++c)
      if (partner_[c] != kAlone) unite(c, next_corner(partner_[c])), unite(next_corner(c), partner_[c]);
    std::vector<uint32_t> owner(mesh_.positions.size(), kAlone);  // the fan that keeps the vertex
    std::vector<uint32_t> of_fan(corners(), kAlone);              // the vertex of each other
    std::vector<std::array<float, 4>> towards;                    // of the vertices added: sum of their faces' others
    const size_t before = mesh_.positions.size();
    std::vector<uint32_t> vertices(corners());
    for (uint32_t c = 0; c < corners(); ++c) {
      const uint32_t fan = root(c), v = vertex(c);
      vertices[c] = v;
      if (owner[v] == kAlone) owner[v] = fan;
      if (owner[v] == fan) continue;
      if (of_fan[fan] == kAlone) of_fan[fan] = copy(v), towards.push_back({});
      vertices[c] = of_fan[fan];
      for (uint32_t other : {next_corner(c), last_corner(c)}) {
        const Vec3& p = mesh_.positions[vertex(other)];
        auto& sum = towards[vertices[c] - before];
        for (size_t k = 0; k < 3; ++k) sum[k] += p[k];
        ++sum[3];
      }
    }
    for (uint32_t c = 0; c < corners(); ++c) mesh_.faces[c / 3][c % 3] = vertices[c];
    for (size_t i = 0; i < towards.size(); ++i) {
      const Vec3 middle = (1 / towards[i][3]) * Vec3{towards[i][0], towards[i][1], towards[i][2]};
      move_towards(uint32_t(before + i), middle);
    }
  }

  void move_towards(uint32_t v, const Vec3& middle) {
    Vec3& p = mesh_.positions[v];
    p = p + apart_ * direction_of(middle - p);
  }

  // Two fans may meet in both ends of an edge: then each pair of faces but the first gets a vertex in the middle of it.
  void divide_edges() {
    struct Pair {
      uint32_t a, b, half;
    };
    std::vector<Pair> pairs;
    for (uint32_t c = 0; c < corners(); ++c) {
      if (partner_[c] != kAlone && partner_[c] < c) continue;
      const uint32_t a = vertex(c), b = vertex(next_corner(c));
      pairs.push_back({std::min(a, b), std::max(a, b), c});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair& p, const Pair& q) { return std::tie(p.a, p.b, p.half) < std::tie(q.a, q.b, q.half); });
    std::vector<uint32_t> middles(corners(), kAlone);  // of half edges
    for (size_t i = 1; i < pairs.size(); ++i) {
      if (pairs[i].a != pairs[i - 1].a || pairs[i].b != pairs[i - 1].b) continue;
      const uint32_t half = pairs[i].half, middle = copy(pairs[i].a);
      mesh_.positions[middle] = 0.5f * (mesh_.positions[pairs[i].a] + mesh_.positions[pairs[i].b]);
      move_towards(middle, mesh_.positions[vertex(last_corner(half))]);
      middles[half] = middle;
      if (partner_[half] != kAlone) middles[partner_[half]] = middle;
    }
    for (uint32_t f = 0, faces = uint32_t(mesh_.faces.size()); f < faces; ++f) divide_face(f, middles);
  }

  // At the middles of its edges, of which one to three may be there.
  void divide_face(uint32_t f, const std::vector<uint32_t>& middles) {
    std::vector<uint32_t> outline;
    for (uint32_t k = 0; k < 3; ++k) {
      outline.push_back(mesh_.faces[f][k]);
      if (middles[3 * f + k] != kAlone) outline.push_back(middles[3 * f + k]);
    }
    if (outline.size() == 3) return;
    // A fan from a middle: no face of it has a corner, a middle and a corner of one edge.
    size_t first = 0;
    while (middles[3 * f + first] == kAlone) ++first;
    std::rotate(outline.begin(), std::find(outline.begin(), outline.end(), middles[3 * f + first]), outline.end());
    mesh_.faces[f] = {outline[0], outline[1], outline[2]};
    for (size_t i = 3; i < outline.size(); ++i) mesh_.faces.push_back({outline[0], outline[i - 1], outline[i]});
  }

  // Faces without area get one: the corner opposite the longest side moves along its normal.
  void lift_flat_faces() {
    for (const Face& face : mesh_.faces) {
      const Vec3 area = area_of(mesh_, face);
      if (dot(area, area) > 0) continue;
      size_t lifted = 0;
      float longest = -1;
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 side = mesh_.positions[face[(k + 2) % 3]] - mesh_.positions[face[(k + 1) % 3]];
        if (dot(side, side) > longest) longest = dot(side, side), lifted = k;
      }
      Vec3& p = mesh_.positions[face[lifted]];
      p = p + apart_ * mesh_.normals[face[lifted]];
    }
  }

  TriangleMesh& mesh_;
  float apart_;
  std::vector<uint32_t> partner_;  // of each half edge; kAlone: none
};

}  // namespace

size_t make_manifold(TriangleMesh& mesh, float apart) { return Cutter(mesh, apart).cut(); }

}  // namespace mesh
