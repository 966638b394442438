// A truncated signed distance field in blocks of 8^3 voxels around the surface (Curless and Levoy 1996). Each depth map
// adds the distance to its surface along its rays, weighted by the squared cosine to the surface over the squared
// depth; behind the surface the weight falls. A voxel is outside where more maps see no surface than see one.
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
  float noise = 0;        // share of the depth: the truncation where this is larger than `truncation`, ...
  float most = 16;        // ... up to this number of voxels
  float edge = 0.03f;     // as in DepthChecks
  float max_depth = 0;    // world units; farther depths are ignored; 0: no limit
  size_t max_blocks = 0;  // an error where more would be needed (4 KB each); 0: no limit
  splat::Box region{};    // depths outside are ignored; empty: no limit
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

  // Fuses the depth maps. The bytes do not depend on the number of threads; an error if progress() stopped it. Cost:
  // each block's voxels once for each view whose frustum it meets.
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
