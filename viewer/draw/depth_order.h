// Splats from far to near, for blending, by a parallel counting sort on a thread of its own; no caller waits for it.
// 16-bit keys, logarithmic in depth between the nearest and the farthest splat in sight; equal keys in model order, so
// that the result depends on nothing but its input. Splats that cannot touch the picture (their 3-sigma sphere outside
// the frustum, or nearer than the near plane) are left out. Cost: one read of 16 bytes a splat, two passes over those
// in sight; docs/benchmarks.md has the times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/core/unique_function.h"
#include "splat/math/constants.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/transform.h"

namespace viewer {

struct SortedView {
  SortedView(const splat::View& seen, float near = float(splat::math::kNearPlane)) : view(seen), near_plane(near) {}
  splat::View view;
  float near_plane;  // depth: what is nearer is left out
};

// Working memory, kept between sorts: 8 bytes a splat and 256 KB a thread.
struct DepthScratch {
  std::vector<uint32_t> depth_bits;  // [N] 0: not in sight
  std::vector<uint32_t> counts;      // [threads,65536]
};

// centres_radii [N,4]: x, y, z and the radius that counts, world. `order` gets the rows in sight, far to near.
void sort_by_depth(std::span<const float> centres_radii, const SortedView& view, splat::ThreadPool& pool,
                   DepthScratch& scratch, std::vector<uint32_t>& order);

// [N,4] for sort_by_depth(); splats that are not finite get a NaN radius and are never in sight.
std::vector<float> centres_and_radii(const splat::Gaussians& splats, splat::ThreadPool& pool);

struct DepthOrder {
  uint64_t model = 0;             // as given to set_splats()
  uint64_t changes = 0;           // of its rows that it knows of
  splat::Similarity moved;        // as requested
  std::vector<uint32_t> indices;  // [in sight] rows of the model, far to near
  splat::View view;               // sorted for
  double milliseconds = 0;        // that sorting took
};

class DepthSorter {
 public:
  explicit DepthSorter(int threads = 0);  // 0: every core
  ~DepthSorter();                         // waits for a sort that runs: a few ms
  DepthSorter(const DepthSorter&) = delete;
  DepthSorter& operator=(const DepthSorter&) = delete;

  void set_waker(std::function<void()> waker);  // called when there is a new order, from the sorter's thread

  // All return at once and belong to one thread.
  // [N,4] of centres_and_radii(), by move; the order of an older model is forgotten.
  void set_splats(uint64_t model, std::vector<float> centres_radii);
  // Changes them. Until they are sorted anew newest() is the order of the rows before.
  void change_splats(splat::UniqueFunction<void(std::vector<float>& centres_radii)> change);
  uint64_t changes() const;                    // of the present model
  void set_moving(std::vector<uint8_t> rows);  // [N] which are elsewhere with a request that says so
  // Sorts, unless the present order is already that of this view. moved: from where the moving rows are.
  void request(const SortedView& wanted, const splat::Similarity& moved = {});
  const DepthOrder* newest();  // of the present model; null: none yet. Valid until the next call

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace viewer
