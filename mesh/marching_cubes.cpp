#include "mesh/marching_cubes.h"

#include <algorithm>
#include <cmath>

#include "mesh/cube_table.h"

namespace mesh {
namespace {

constexpr int kSide = SparseTsdf::kSide;
constexpr float kNearEnd = 0.02f;  // of an edge: a vertex keeps this far from its ends, or faces would have no area

// The field around one block: values of voxels from -1 to kSide + 1, across to the neighbours.
class Surroundings {
 public:
  Surroundings(const SparseTsdf& tsdf, size_t index) : tsdf_(&tsdf) {
    const auto& key = tsdf.keys()[index];
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) neighbours_[place(x, y, z)] = tsdf.find({key[0] + x, key[1] + y, key[2] + z});
  }

  int64_t neighbour(int x, int y, int z) const { return neighbours_[place(x, y, z)]; }

  // False where the voxel was never seen.
  bool value(int x, int y, int z, float& distance) const {
    const int64_t block = neighbour(block_of(x), block_of(y), block_of(z));
    if (block < 0) return false;
    const size_t at = size_t((x & (kSide - 1)) + kSide * ((y & (kSide - 1)) + kSide * (z & (kSide - 1))));
    if (!(tsdf_->block(size_t(block)).weight[at] > 0)) return false;
    distance = tsdf_->block(size_t(block)).distance[at];
    return true;
  }

  static int block_of(int voxel) { return voxel < 0 ? -1 : voxel >= kSide ? 1 : 0; }

 private:
  static size_t place(int x, int y, int z) { return size_t(x + 1 + 3 * (y + 1 + 3 * (z + 1))); }

  const SparseTsdf* tsdf_;
  std::array<int64_t, 27> neighbours_{};
};

// What a block gives: the vertices on the edges that start in it, and the cubes' triangles.
struct Part {
  std::vector<uint16_t> slots;  // of its vertices, ascending: voxel * 3 + axis
  std::vector<Vec3> positions, normals;
  std::array<uint32_t, 8> owners{};            // this block and those after it: bit 0 in x, 1 in y, 2 in z
  std::vector<std::array<uint32_t, 3>> faces;  // vertices as (owner << 16 | slot)
};

class BlockMarch {
 public:
  BlockMarch(const SparseTsdf& tsdf, size_t index) : tsdf_(tsdf), index_(index), around_(tsdf, index) {}

  Part march() {
    for (int z = 0; z < kSide; ++z)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
          for (int axis = 0; axis < 3; ++axis) add_vertex({x, y, z}, axis);
          add_faces({x, y, z});
        }
    for (int i = 0; i < 8; ++i) part_.owners[size_t(i)] = uint32_t(around_.neighbour(i & 1, i >> 1 & 1, i >> 2));
    part_.slots.shrink_to_fit(), part_.faces.shrink_to_fit();  // all parts wait for each other
    part_.positions.shrink_to_fit(), part_.normals.shrink_to_fit();
    return std::move(part_);
  }

 private:
  using Voxel = std::array<int, 3>;

  void add_vertex(const Voxel& from, int axis) {
    Voxel to = from;
    ++to[size_t(axis)];
    float a, b;
    if (!around_.value(from[0], from[1], from[2], a) || !around_.value(to[0], to[1], to[2], b)) return;
    if ((a < 0) == (b < 0)) return;
    const float t = std::clamp(a / (a - b), kNearEnd, 1 - kNearEnd);
    const auto& key = tsdf_.keys()[index_];
    Vec3 position;
    for (size_t k = 0; k < 3; ++k)
      position[k] = (float(key[k]) * kSide + float(from[k]) + (k == size_t(axis) ? t : 0)) * tsdf_.voxel();
    const Vec3 g = gradient(from), h = gradient(to);
    Vec3 normal;
    float size = 0;
    for (size_t k = 0; k < 3; ++k) normal[k] = (1 - t) * g[k] + t * h[k], size += normal[k] * normal[k];
    if (!(size > 0)) {
      normal = {0, 0, 0};
      normal[size_t(axis)] = b > a ? 1.0f : -1.0f;
      size = 1;
    }
    for (float& n : normal) n /= std::sqrt(size);
    part_.slots.push_back(uint16_t(3 * (from[0] + kSide * (from[1] + kSide * from[2])) + axis));
    part_.positions.push_back(position);
    part_.normals.push_back(normal);
  }

  // Central differences, one-sided where a neighbour was never seen.
  Vec3 gradient(const Voxel& at) const {
    Vec3 g{};
    float here = 0;
    around_.value(at[0], at[1], at[2], here);
    for (size_t k = 0; k < 3; ++k) {
      Voxel low = at, high = at;
      --low[k], ++high[k];
      float a = here, b = here;
      const int steps = int(within(low) && around_.value(low[0], low[1], low[2], a)) +
                        int(within(high) && around_.value(high[0], high[1], high[2], b));
      if (steps > 0) g[k] = (b - a) / float(steps);
    }
    return g;
  }
  static bool within(const Voxel& v) {
    return std::all_of(v.begin(), v.end(), [](int k) { return k >= -kSide && k < 2 * kSide; });
  }

  void add_faces(const Voxel& at) {
    size_t inside = 0;
    for (int c = 0; c < 8; ++c) {
      float distance;
      if (!around_.value(at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2), distance)) return;
      inside |= size_t(distance < 0) << c;
    }
    for (const CubeTriangle& triangle : cube_table()[inside]) {
      std::array<uint32_t, 3> face;
      for (size_t i = 0; i < 3; ++i) face[i] = vertex_of(at, kCubeEdges[triangle[i]]);
      part_.faces.push_back(face);
    }
  }

  static uint32_t vertex_of(const Voxel& cube, const CubeEdge& edge) {
    Voxel v{cube[0] + (edge.from & 1), cube[1] + (edge.from >> 1 & 1), cube[2] + (edge.from >> 2)};
    int owner = 0;
    for (size_t k = 0; k < 3; ++k) owner |= Surroundings::block_of(v[k]) << k;
    for (int& k : v) k &= kSide - 1;
    return uint32_t(owner) << 16 | uint32_t(3 * (v[0] + kSide * (v[1] + kSide * v[2])) + edge.axis);
  }

  const SparseTsdf& tsdf_;
  size_t index_;
  Surroundings around_;
  Part part_;
};

}  // namespace

TriangleMesh march(SparseTsdf tsdf, splat::ThreadPool& pool) {
  const size_t blocks = tsdf.keys().size();
  std::vector<Part> parts(blocks);
  pool.for_each(blocks, [&](size_t i, int) { parts[i] = BlockMarch(tsdf, i).march(); });
  tsdf = {};

  TriangleMesh mesh;
  std::vector<uint32_t> first(blocks + 1, 0);
  size_t faces = 0;
  for (size_t i = 0; i < blocks; ++i)
    first[i + 1] = first[i] + uint32_t(parts[i].positions.size()), faces += parts[i].faces.size();
  std::vector<uint32_t> used(first[blocks], 0);
  mesh.faces.reserve(faces);
  for (const Part& part : parts)
    for (const auto& face : part.faces) {
      Face out;
      for (size_t k = 0; k < 3; ++k) {
        const size_t owner = part.owners[face[k] >> 16];
        const auto& slots = parts[owner].slots;
        const auto slot = std::lower_bound(slots.begin(), slots.end(), uint16_t(face[k] & 0xffff));
        out[k] = first[owner] + uint32_t(slot - slots.begin());
        used[out[k]] = 1;
      }
      mesh.faces.push_back(out);
    }
  // Edges of cubes that were left out have vertices that nothing uses.
  uint32_t kept = 0;
  for (size_t i = 0, v = 0; i < blocks; ++i)
    for (size_t k = 0; k < parts[i].positions.size(); ++k, ++v) {
      if (!used[v]) continue;
      used[v] = kept++;
      mesh.positions.push_back(parts[i].positions[k]);
      mesh.normals.push_back(parts[i].normals[k]);
    }
  for (Face& face : mesh.faces)
    for (uint32_t& v : face) v = used[v];
  return mesh;
}

}  // namespace mesh
