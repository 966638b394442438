// Pictures of images_2 and the like in place of the full ones. Internal to io/dataset.
#pragma once

#include <vector>

#include "io/dataset/photo_places.h"

namespace io {

// Replaces the paths and sizes of `set`, or leaves it as it is with a note that says why: only where every image of the
// reconstruction that is there in full is there too, at a size that fits.
void use_divided_photos(const Reconstruction& reconstruction, int divisor, const std::vector<Place>& places,
                        Folders& folders, splat::ThreadPool& pool, PhotoSet& set);

}  // namespace io
