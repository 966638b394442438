// Refines where a cloud of points lies on another one of the same surfaces: iterated closest points, first between
// points (Besl and McKay 1992), then between points and planes (Chen and Medioni 1992) through the neighbours of the
// closest. Only the share of closest pairs counts by which the criterion of Chetverikov, Stepanov and Krsek, "Robust
// Euclidean alignment of 3D point sets: the trimmed iterative closest point algorithm", 2005, is smallest: the clouds
// may overlap in part and hold points of other things. Directions that the surfaces do not decide (along a plane) are
// left as they are. The same result on any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/gaussians.h"
#include "splat/model/transform.h"

namespace splat::registration {

struct IcpSettings {
  bool with_scale = false;
  int max_iterations = 100;
  size_t moving_points = 20'000, fixed_points = 200'000;  // at most as many are looked at, evenly chosen
};

struct IcpResult {
  Similarity to_from;    // `start` included
  double rms = 0;        // of the share that counts: from the planes, world units
  double share = 0;      // 0..1 of the moving points
  double start_rms = 0;  // that of the same share at `start`
  int iterations = 0;
};

// moving, fixed [N,3]; start: where the moving ones lie, about. An error: too few points, or a scale that leaves
// kMostScale. Cost: a few seconds for the usual number of points.
inline constexpr double kMostScale = 1.5;  // either way, of the first one
Result<IcpResult> icp(std::span<const float> moving, std::span<const float> fixed, const Similarity& start,
                      const IcpSettings& settings, ThreadPool& pool);

// Whether clouds that icp() laid on each other are plausibly the same thing: whether their surfaces come as near as
// they are rough themselves, where both are, and whether the moving one fits far better at another size. A cloud may
// cover a part of the other. Cost: two or three times that of icp().
struct Plausibility {
  double tolerance = 0;             // world units: as near surfaces of the same thing come
  double near = 0;                  // 0..1 of the pairs that count, of the cloud with fewer of them
  std::optional<double> fits_at{};  // times the size of the moving cloud
  bool plausible() const;
};
Plausibility plausibility(std::span<const float> moving, std::span<const float> fixed, const IcpResult& found,
                          ThreadPool& pool);

// [M,3] centres of splats that are finite and at least a tenth opaque; rows [N]: of those with other than 0, or all
// where it is empty.
std::vector<float> surface_points(const Gaussians& model, std::span<const uint8_t> rows = {});

}  // namespace splat::registration
