// Cameras that a reconstruction has thrown far away from all others, where they see nothing of the scene: a single one
// would set the scale of everything. A camera strays where all of this holds: it is farther from the middle of at least
// half of the cameras than three times the size of the scene (what those span, or half of the points are within) beyond
// all that lie nearer; no more than a tenth of the cameras are with it; and hardly a point is in its picture, or
// the scene is a dot there. Without points the gap is thirty times the size, and a tenth may stray at most. A second
// cluster, a long line, or a far camera that looks at the scene are none.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "splat/model/dataset.h"

namespace splat {

// Where most places are. Cost: a sort.
struct MainPart {
  std::array<double, 3> middle{};
  double radius = 0;            // of those that are not outside
  std::vector<size_t> outside;  // indices, rising: beyond a gap of `gap` times what those nearer span, or `least_span`
};
MainPart main_part(std::span<const std::array<double, 3>> places, double gap, double least_span = 0);

// The same of poses without points, for what frames, averages or counts from cameras alone: outside is at most a tenth,
// each alone or in a pair. The radius is that of the part without any that are farther out.
MainPart main_part(std::span<const Rigid3> cams_from_world);

// Those of all that have a pose which are not outside.
template <class Posed, class PoseOf>
std::vector<Posed> without_outside(std::span<const Posed> all, const PoseOf& pose_of) {
  std::vector<Rigid3> poses;
  for (const Posed& one : all) poses.push_back(pose_of(one));
  const std::vector<size_t> outside = main_part(poses).outside;
  std::vector<Posed> inside;
  for (size_t i = 0, next = 0; i < all.size(); ++i) {
    if (next < outside.size() && outside[next] == i)
      ++next;
    else
      inside.push_back(all[i]);
  }
  return inside;
}

// Indices, rising, among the views that are not left out.
struct FarViews {
  std::vector<int> strays;
  std::vector<int> outside;  // what is no measure of the scene: the strays, and a few as far that may look at it
};
FarViews far_views(const Dataset& dataset);

}  // namespace splat
