// The masks and the depth maps of photos. Internal to io/dataset.
#pragma once

#include <filesystem>
#include <vector>

#include "io/dataset/photo_places.h"

namespace io {

// Sets `mask` of the photos of `set`: the file that the dataset names; one of the photo's name in a folder of masks
// (masks/, mask/, ..., or --masks), "a.png", "a.jpg.png", "a.mask.png", "a_mask.png" or "mask_a.png"; or such a one
// with "mask" in its name beside the photo. Folders of masks that fit no photo are named in a warning.
splat::Status find_masks(const std::filesystem::path& root, const Reconstruction& reconstruction,
                         const std::vector<Place>& places, const DatasetOptions& options, Folders& listings,
                         splat::ThreadPool& pool, PhotoSet& set);

bool is_usual_mask_folder(const std::filesystem::path& folder);  // by its name

// Likewise `depth`: in depths/, or "a.depth.png" beside the photo "a.png", as NeRFCapture writes.
splat::Status find_depth_maps(const std::filesystem::path& root, const Reconstruction& reconstruction,
                              const std::vector<Place>& places, const DatasetOptions& options, Folders& listings,
                              splat::ThreadPool& pool, PhotoSet& set);

}  // namespace io
