// Which photos a dataset itself holds out, in files beside its cameras: test.txt of INRIA's and hierarchical 3DGS, a
// name a line, and train_test_lists.json of ScanNet++.
#pragma once

#include <filesystem>

#include "io/reconstruction/reconstruction.h"

namespace io {

// Looks in the folder of the cameras, in that above it, and in `root`, and sets held_out by the first list that names
// photos of the reconstruction, with a note; names that are no photos are warned of. Does nothing where the cameras
// themselves say which are held out.
void add_own_split(const std::filesystem::path& root, Reconstruction& reconstruction);

}  // namespace io
