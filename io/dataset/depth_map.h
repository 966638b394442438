// Depth maps of photos: grey PNG files of 16 bits that span the whole photo, at any size of its shape; 0: not known.
// What the numbers mean (depth or inverse depth, to a scale and a shift) training finds out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/dataset/undistort.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace io {

// From its header: is it one for a photo of this size? An error says what is wrong, and how to do without.
// orientation: by which the photo is turned when it is read; the map may lie as the photo is stored, or is turned.
splat::Status check_depth_map(const std::filesystem::path& path, int photo_width, int photo_height,
                              int orientation = 1);

// That of view.depth_path as training sees it, [H,W] of view.camera: the nearest number, 0 beyond the photo.
// remap: that of the photo (training_image.h); null: its lens has no distortion.
splat::Result<std::vector<uint16_t>> load_depth_map(const splat::DatasetView& view, const Remap* remap);

}  // namespace io
