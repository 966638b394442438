#include "mesh/sparse_tsdf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace mesh {
namespace {

using Key = SparseTsdf::Key;
using Point = std::array<float, 3>;

constexpr float kLeastCosine = 0.1f;  // what is seen at a flatter angle counts no less
constexpr size_t kBlocksAtATime = 1024, kKeysAtATime = 100'000;

// A depth map as fusing reads it.
class Sight {
 public:
  Sight(const DepthMap& map, const TsdfSettings& settings) : map_(&map), settings_(settings) {
    const auto& pose = map.view.cam_from_world;
    for (size_t i = 0; i < 9; ++i) rotation_[i] = float(pose.rotation[i]);
    for (size_t i = 0; i < 3; ++i) translation_[i] = float(pose.translation[i]);
    for (float depth : map.depth)
      if (usable(depth) || depth == kNothing)
        farthest_ = depth == kNothing ? std::numeric_limits<float>::max() : std::max(farthest_, depth);
  }

  // World units on either side of what is seen at a depth.
  float truncation(float depth) const {
    const float least = settings_.truncation * settings_.voxel;
    return std::max(least, std::min(settings_.noise * depth, settings_.most * settings_.voxel));
  }
  bool usable(float depth) const { return depth > 0 && (settings_.max_depth <= 0 || depth <= settings_.max_depth); }

  Point seen(const Point& p) const {
    Point out = translation_;
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) out[r] += rotation_[3 * r + c] * p[c];
    return out;
  }
  Point world(const Point& s) const {
    Point out{};
    for (size_t c = 0; c < 3; ++c)
      for (size_t r = 0; r < 3; ++r) out[c] += rotation_[3 * r + c] * (s[r] - translation_[r]);
    return out;
  }

  // The ends of the band that the pixel's depth covers.
  bool band(int x, int y, Point& near, Point& far) const {
    const float depth = map_->at(x, y);
    if (!usable(depth)) return false;
    const auto& camera = map_->view.camera;
    const Point ray{(float(x) + 0.5f - camera.cx) / camera.fx, (float(y) + 0.5f - camera.cy) / camera.fy, 1};
    const float length = std::sqrt(ray[0] * ray[0] + ray[1] * ray[1] + 1);
    const float a = std::max(depth - truncation(depth) / length, 0.0f), b = depth + truncation(depth) / length;
    near = world({ray[0] * a, ray[1] * a, a});
    far = world({ray[0] * b, ray[1] * b, b});
    return true;
  }

  // False where a sphere is wholly out of sight.
  bool may_see(const Point& centre, float radius) const {
    const Point s = seen(centre);
    if (s[2] < -radius || s[2] > farthest_ + truncation(farthest_) + radius) return false;
    const auto& camera = map_->view.camera;
    if (s[2] <= radius) return true;
    const float reach_x = radius * std::hypot(camera.fx, camera.cx + float(camera.width)) / (s[2] - radius);
    const float reach_y = radius * std::hypot(camera.fy, camera.cy + float(camera.height)) / (s[2] - radius);
    const float x = camera.fx * s[0] / s[2] + camera.cx, y = camera.fy * s[1] / s[2] + camera.cy;
    return x > -reach_x && y > -reach_y && x < float(camera.width) + reach_x && y < float(camera.height) + reach_y;
  }

  // Adds what this view says about the voxel at `s` (camera frame); `free`: the weight of what it shows nothing of.
  void add(const Point& s, float& sum, float& weight, float& free) const {
    if (!(s[2] > 0)) return;
    const auto& camera = map_->view.camera;
    const float x = camera.fx * s[0] / s[2] + camera.cx, y = camera.fy * s[1] / s[2] + camera.cy;
    if (!(x >= 0 && y >= 0 && x < float(camera.width) && y < float(camera.height))) return;
    const float depth = depth_at(*map_, x, y, settings_.edge);
    if (depth == kNothing) free += 1 / (s[2] * s[2]);
    if (!usable(depth)) return;
    const float length = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    const float cosine = cosine_at(int(x), int(y), s, length);
    // Along the ray, then as far as the surface is tilted away from it.
    const float distance = (depth - s[2]) * length / s[2] * cosine;
    const float reach = truncation(depth);
    if (distance < -reach) return;  // hidden behind what was seen
    // Behind the surface a view knows less and less: the far side of what is thin, and of a limb, may be in front.
    const float w = cosine * cosine / (depth * depth) * (distance < 0 ? 1 + distance / reach : 1);
    sum += w * std::min(distance, reach) / truncation(0);
    weight += w;
  }

 private:
  // Cosine between the ray to `s` and the surface's normal, from the depths left, right, above and below.
  float cosine_at(int x, int y, const Point& s, float length) const {
    const auto& camera = map_->view.camera;
    const int x0 = std::max(x - 1, 0), x1 = std::min(x + 1, camera.width - 1);
    const int y0 = std::max(y - 1, 0), y1 = std::min(y + 1, camera.height - 1);
    const float centre = map_->at(x, y);
    const float left = map_->at(x0, y), right = map_->at(x1, y), up = map_->at(x, y0), down = map_->at(x, y1);
    for (float other : {left, right, up, down})
      if (!(other > 0) || std::abs(other - centre) > settings_.edge * centre) return 0.5f;
    const auto point = [&](int u, int v, float z) -> Point {
      return {(float(u) + 0.5f - camera.cx) / camera.fx * z, (float(v) + 0.5f - camera.cy) / camera.fy * z, z};
    };
    const Point a = point(x0, y, left), b = point(x1, y, right), c = point(x, y0, up), d = point(x, y1, down);
    const Point p{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q{d[0] - c[0], d[1] - c[1], d[2] - c[2]};
    const Point n{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    const float size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(size > 0)) return kLeastCosine;
    return std::max(std::abs(n[0] * s[0] + n[1] * s[1] + n[2] * s[2]) / (size * length), kLeastCosine);
  }

  const DepthMap* map_;
  TsdfSettings settings_;
  std::array<float, 9> rotation_{};
  Point translation_{};
  float farthest_ = 0;
};

void sort_unique(std::vector<Key>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

// Whether any of the block's voxels may lie in the region.
bool reaches(const splat::Box& region, const Key& key, double block) {
  if (region.empty()) return true;
  std::array<double, 3> centre{};
  for (size_t k = 0; k < 3; ++k) centre[k] = (key[k] + 0.5) * block;
  return region.distance(centre) <= block * std::sqrt(3.0) / 2;
}

// The blocks that a view's bands pass through; steps of half a block lose none but by its corner, which is harmless.
std::vector<Key> blocks_of(const DepthMap& map, const Sight& sight, float block, const splat::Box& region) {
  std::vector<Key> keys;
  Key latest{};
  bool any = false;
  size_t most = kKeysAtATime;
  for (int y = 0; y < map.view.camera.height; ++y)
    for (int x = 0; x < map.view.camera.width; ++x) {
      Point near, far;
      if (!sight.band(x, y, near, far)) continue;
      float length = 0;
      for (size_t k = 0; k < 3; ++k) length += (far[k] - near[k]) * (far[k] - near[k]);
      const int steps = 1 + int(std::sqrt(length) / (0.5f * block));
      for (int i = 0; i <= steps; ++i) {
        Key key;
        for (size_t k = 0; k < 3; ++k)
          key[k] = int32_t(std::floor((near[k] + (far[k] - near[k]) * float(i) / float(steps)) / block));
        if (any && key == latest) continue;
        latest = key, any = true;
        if (reaches(region, key, double(block))) keys.push_back(key);
      }
      if (keys.size() > most) {
        sort_unique(keys);
        most = std::max(kKeysAtATime, 2 * keys.size());
      }
    }
  sort_unique(keys);
  keys.shrink_to_fit();  // every view's wait for the others
  return keys;
}

std::vector<Key> blocks_of_all(const std::vector<DepthMap>& maps, const std::vector<Sight>& sights,
                               const TsdfSettings& settings, splat::ThreadPool& pool) {
  std::vector<std::vector<Key>> of_view(maps.size());
  pool.for_each(maps.size(), [&](size_t i, int) {
    of_view[i] = blocks_of(maps[i], sights[i], float(SparseTsdf::kSide) * settings.voxel, settings.region);
  });
  std::vector<Key> all;
  for (const std::vector<Key>& keys : of_view) {
    all.insert(all.end(), keys.begin(), keys.end());
    sort_unique(all);
  }
  all.shrink_to_fit();
  return all;
}

// Marks what lies outside of the region as unknown.
void keep_inside(const splat::Box& region, const Point& first, float voxel, SparseTsdf::Block& block) {
  constexpr size_t kSide = SparseTsdf::kSide;
  if (region.empty()) return;
  for (size_t i = 0; i < block.weight.size(); ++i) {
    const std::array<size_t, 3> step{i % kSide, i / kSide % kSide, i / (kSide * kSide)};
    std::array<double, 3> at{};
    for (size_t k = 0; k < 3; ++k) at[k] = double(first[k] + float(step[k]) * voxel);
    if (!region.contains(at)) block.weight[i] = 0;
  }
}

void fuse_block(const std::vector<Sight>& sights, const Key& key, const TsdfSettings& settings,
                SparseTsdf::Block& block) {
  constexpr int kSide = SparseTsdf::kSide;
  const float voxel = settings.voxel;
  block.distance.fill(0), block.weight.fill(0);
  std::array<float, SparseTsdf::kVoxels> free{};
  const float half = 0.5f * float(kSide - 1) * voxel;
  Point first, centre;
  for (size_t k = 0; k < 3; ++k) first[k] = float(key[k] * kSide) * voxel, centre[k] = first[k] + half;
  for (const Sight& sight : sights) {
    if (!sight.may_see(centre, half * 1.7321f)) continue;
    for (int z = 0, i = 0; z < kSide; ++z)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x, ++i)
          sight.add(sight.seen({first[0] + float(x) * voxel, first[1] + float(y) * voxel, first[2] + float(z) * voxel}),
                    block.distance[size_t(i)], block.weight[size_t(i)], free[size_t(i)]);
  }
  for (size_t i = 0; i < block.weight.size(); ++i) {
    if (block.weight[i] > 0) block.distance[i] /= block.weight[i];
    // What grazes a surface takes it to go on behind its end, where others see that nothing is.
    if (free[i] > block.weight[i]) block.distance[i] = 1, block.weight[i] = free[i];
  }
  keep_inside(settings.region, first, voxel, block);
}

}  // namespace

splat::Result<SparseTsdf> SparseTsdf::fuse(const std::vector<DepthMap>& maps, const TsdfSettings& settings,
                                           splat::ThreadPool& pool, Progress progress) {
  SparseTsdf tsdf;
  tsdf.voxel_ = settings.voxel;
  std::vector<Sight> sights;
  sights.reserve(maps.size());
  for (const DepthMap& map : maps) sights.emplace_back(map, settings);
  tsdf.keys_ = blocks_of_all(maps, sights, settings, pool);
  if (settings.max_blocks > 0 && tsdf.keys_.size() > settings.max_blocks)
    return splat::Error{"the surface needs " + std::to_string(tsdf.keys_.size() * sizeof(Block) / 1'000'000) +
                        " MB at this voxel size"};
  // Each part of the work is spread over all blocks, since few views see those at the edges: its pace is that of the
  // whole.
  const size_t blocks = tsdf.keys_.size(), parts = (blocks + kBlocksAtATime - 1) / kBlocksAtATime;
  for (size_t part = 0, done = 0; part < parts; ++part) {
    if (!progress(done, blocks)) return splat::Error{"stopped"};
    if (part == 0) tsdf.blocks_.resize(blocks);
    const size_t count = (blocks - part + parts - 1) / parts;
    pool.for_each(count, [&](size_t i, int) {
      const size_t block = part + i * parts;
      fuse_block(sights, tsdf.keys_[block], settings, tsdf.blocks_[block]);
    });
    done += count;
  }
  if (!progress(blocks, blocks)) return splat::Error{"stopped"};
  return tsdf;
}

int64_t SparseTsdf::find(const Key& key) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
  return at != keys_.end() && *at == key ? at - keys_.begin() : -1;
}

}  // namespace mesh
