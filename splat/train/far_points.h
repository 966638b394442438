// Points far behind the reconstruction, where photos show more than it has points for: plain walls, sky, what lies out
// of focus. Without them the nearest splats stretch until they cover such places, and stand before the cameras beside.
// No photo is read: where the points of a reconstruction end, and how far away they are, its cameras tell.
#pragma once

#include "splat/model/dataset.h"

namespace splat {

inline constexpr int kFarCells = 12;       // along the longer side of a photo, for one point each
inline constexpr double kFarTimes = 2;     // how far they lie, times the distance of the farthest points of the photo
inline constexpr double kFarthest = 0.05;  // of them: that of which one in twenty is farther

// One photo trained on after the other, in a grid of square cells: a cell without any point that lies outside the
// convex hull of the cells with some gets a point in its middle, kFarTimes as far away along the camera's axis as the
// point of which the share kFarthest is farther; the nearest point of every cell counts. Where a photo has points in
// fewer than 6 cells nothing is added. Those added count as points for the photos after it. `points`: the dataset's, or
// more. Colour: their mean. Cost: the photos times at most 20 000 points, or what was added.
PointCloud far_points(const Dataset& dataset, const PointCloud& points);

}  // namespace splat
