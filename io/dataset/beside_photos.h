// The masks and the depth maps of photos. Internal to io/dataset.
#pragma once

#include <filesystem>
#include <vector>

#include "io/dataset/photo_places.h"

namespace io {

// Sets `mask` of the photos of `set`: the file that the dataset names, or one of the photo's name in a folder of masks.
splat::Status find_masks(const std::filesystem::path& root, const Reconstruction& reconstruction,
                         const std::vector<Place>& places, const DatasetOptions& options, splat::ThreadPool& pool,
                         PhotoSet& set);

// Likewise `depth`.
splat::Status find_depth_maps(const std::filesystem::path& root, const Reconstruction& reconstruction,
                              const std::vector<Place>& places, const DatasetOptions& options, splat::ThreadPool& pool,
                              PhotoSet& set);

}  // namespace io
