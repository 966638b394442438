#include "mesh/cube_table.h"

#include <optional>

#include "splat/core/check.h"

namespace mesh {
namespace {

using Loop = std::vector<uint8_t>;  // edges that the surface crosses, in turn

constexpr int kFaces = 6;

// The corners of a face, counter-clockwise as seen from outside.
std::array<int, 4> corners_of(int face) {
  const int axis = face / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = (face % 2) << axis;
  if (face % 2) return {base, base | u, base | u | v, base | v};
  return {base | v, base | u | v, base | u, base};
}

uint8_t edge_between(int a, int b) {
  for (size_t e = 0; e < kCubeEdges.size(); ++e) {
    const int from = kCubeEdges[e].from, to = from | 1 << kCubeEdges[e].axis;
    if ((from == a && to == b) || (from == b && to == a)) return uint8_t(e);
  }
  SPLAT_CHECK(false);
  return 0;
}

bool on_one_face(uint8_t a, uint8_t b) {
  const auto has = [](int face, uint8_t edge) {
    const int side = (face % 2) << face / 2, bit = 1 << face / 2;
    const int from = kCubeEdges[edge].from;
    return kCubeEdges[edge].axis != face / 2 && (from & bit) == side;
  };
  for (int face = 0; face < kFaces; ++face)
    if (has(face, a) && has(face, b)) return true;
  return false;
}

// On each face, a segment around every run of corners inside, from where going around enters it to where it leaves:
// what leaves on one face enters on the other that has the edge, so that segments join to loops.
std::vector<Loop> loops_of(int inside) {
  std::array<int, 12> next;
  next.fill(-1);
  for (int face = 0; face < kFaces; ++face) {
    const std::array<int, 4> c = corners_of(face);
    const auto is_in = [&](size_t i) { return inside >> c[i % 4] & 1; };
    for (size_t i = 0; i < 4; ++i) {
      if (is_in(i) || !is_in(i + 1)) continue;
      size_t last = i + 1;
      while (is_in(last + 1)) ++last;
      next[edge_between(c[i], c[(i + 1) % 4])] = edge_between(c[last % 4], c[(last + 1) % 4]);
    }
  }
  std::vector<Loop> loops;
  for (size_t start = 0; start < next.size(); ++start) {
    Loop loop;
    for (int e = int(start); next[size_t(e)] >= 0;) {
      loop.push_back(uint8_t(e));
      const int to = next[size_t(e)];
      next[size_t(e)] = -1;
      e = to;
    }
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

// Triangulates the polygon, without a diagonal on a face.
std::optional<std::vector<CubeTriangle>> triangles_of(const Loop& loop) {
  if (loop.size() < 3) return std::vector<CubeTriangle>{};
  const size_t last = loop.size() - 1;
  for (size_t k = 1; k < last; ++k) {
    if ((k > 1 && on_one_face(loop[0], loop[k])) || (k + 1 < last && on_one_face(loop[k], loop[last]))) continue;
    auto before = triangles_of(Loop(loop.begin(), loop.begin() + ptrdiff_t(k) + 1));
    const auto after = triangles_of(Loop(loop.begin() + ptrdiff_t(k), loop.end()));
    if (!before || !after) continue;
    before->insert(before->end(), after->begin(), after->end());
    before->push_back({loop[0], loop[k], loop[last]});
    return before;
  }
  return std::nullopt;
}

}  // namespace

const std::array<std::vector<CubeTriangle>, 256>& cube_table() {
  static const auto table = [] {
    std::array<std::vector<CubeTriangle>, 256> made;
    for (size_t inside = 0; inside < made.size(); ++inside)
      for (const Loop& loop : loops_of(int(inside))) {
        const auto triangles = triangles_of(loop);
        SPLAT_CHECK(triangles.has_value());  // there is one for every case
        made[inside].insert(made[inside].end(), triangles->begin(), triangles->end());
      }
    return made;
  }();
  return table;
}

}  // namespace mesh
