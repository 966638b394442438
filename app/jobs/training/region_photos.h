// Training kept to a box: what the photos show of it. Pixels whose ray does not meet the box do not count, and photos
// without any other pixel are left out.
#pragma once

#include <memory>
#include <vector>

#include "splat/model/box.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace app {

// The photos of the dataset with the rest masked out. Marks the views that do not see the box as left out. An error
// where none sees it that is trained on; a warning where it lies far beyond the dataset's points. Cost: about 10 ns a
// pixel around the box, once.
splat::Status keep_to_region(const splat::Box& box, int threads, splat::Dataset& dataset,
                             std::unique_ptr<splat::ImageSource>& photos);

}  // namespace app
