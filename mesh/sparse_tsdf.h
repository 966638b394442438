// A truncated signed distance field in blocks of 8^3 voxels around the surface (Curless and Levoy 1996): each depth map
// adds, along its rays, the distance to what it saw, weighted by the squared cosine to the surface over the squared
// depth, and behind the surface less and less. Where more of them show nothing than something, the outside is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/depth_map.h"
#include "splat/core/result.h"
#include "splat/model/box.h"

namespace mesh {

struct TsdfSettings {
  float voxel = 0.01f;    // world units
  float truncation = 4;   // voxels on either side of the surface, at least
  float noise = 0;        // share of the depth: so far on either side, where that is more, ...
  float most = 16;        // ... but not more voxels
  float edge = 0.03f;     // as in DepthChecks
  float max_depth = 0;    // world units; what lies farther is not taken; 0: everything is
  size_t max_blocks = 0;  // an error where more would be needed (4 KB each); 0: no limit
  splat::Box region{};    // nothing outside of it is taken; empty: everything is
};

class SparseTsdf {
 public:
  static constexpr int kSide = 8, kVoxels = kSide * kSide * kSide;
  using Key = std::array<int32_t, 3>;  // of a block; its first voxel stands at key * kSide * voxel

  struct Block {
    std::array<float, kVoxels> distance;  // in least truncations, below 0 inside; x varies fastest
    std::array<float, kVoxels> weight;    // 0: never seen
  };

  // Called before memory for blocks is taken, every so often and at the end: how many are done of how many. False:
  // stop.
  using Progress = splat::FunctionRef<bool(size_t done, size_t blocks)>;

  // The same bytes on any number of threads; an error where it was stopped. Cost: each block's voxels once for each
  // view that has it in sight.
  static splat::Result<SparseTsdf> fuse(
      const std::vector<DepthMap>& maps, const TsdfSettings& settings, splat::ThreadPool& pool,
      Progress progress = [](size_t, size_t) { return true; });

  float voxel() const { return voxel_; }
  const std::vector<Key>& keys() const { return keys_; }  // ascending
  const Block& block(size_t index) const { return blocks_[index]; }
  int64_t find(const Key& key) const;  // index of a block; -1: there is none

 private:
  float voxel_ = 0;
  std::vector<Key> keys_;
  std::vector<Block> blocks_;
};

}  // namespace mesh
