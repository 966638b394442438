// Points to start from in files of their own, where other programs leave them: points3D.ply, points3d.ply,
// sparse_pc.ply, input.ply, init.ply, fused.ply, in any case of letters; else the only cloud (point_files.h) that lies
// there as .ply, .xyz or .pts.
#pragma once

#include <filesystem>

#include "io/reconstruction/reconstruction.h"
#include "splat/core/result.h"

namespace io {

// Looks in the folder of the cameras, in that above a model, and in `root`. Where the reconstruction has no points, the
// first file that holds any is read into it, relative to its origin; what is there and not used is noted. A
// points3D.ply with more points than the model beside it stands for the model's: INRIA's code reads it first.
void add_points_beside(const std::filesystem::path& root, Reconstruction& reconstruction);

// The points of a file (point_files.h), in the world of the poses as they were read, relative to the reconstruction's
// origin. Warns of points that are left out, and of positions that floats far from 0 round too coarsely for the
// cameras.
splat::Status read_points_into(const std::filesystem::path& file, Reconstruction& reconstruction);

}  // namespace io
