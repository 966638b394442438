// Cuts a surface into charts that can be laid flat.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"

namespace mesh {

// Connected faces that all face `normal`, seen along it: across and down are the axes of the picture.
struct Chart {
  std::vector<uint32_t> faces;
  Vec3 across{}, down{}, normal{};  // unit, at right angles
};

// Assigns each face to one chart. Charts overlap themselves by less than `cell` (world units). A chart grows over
// neighbouring faces while the normal of the smoothed surface is within 60 degrees of the chart's mean normal. The
// result does not depend on the number of threads. Cost: O(F log F).
std::vector<Chart> cut_into_charts(const TriangleMesh& mesh, float cell, splat::ThreadPool& pool);

// A point projected into the chart's plane, world units.
inline std::array<float, 2> flat(const Chart& chart, const Vec3& p) {
  return {chart.across[0] * p[0] + chart.across[1] * p[1] + chart.across[2] * p[2],
          chart.down[0] * p[0] + chart.down[1] * p[1] + chart.down[2] * p[2]};
}

}  // namespace mesh
