// One photo of a dataset as training sees it: decoded (JPEG at a fraction where that is enough), laid over a background
// where it is transparent, reduced, the mask turned into the pixels that count, undistorted or cut out of a panorama,
// planar. The pixels are those of the same photo without alpha that was laid over that background by somebody else.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "io/dataset/undistort.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"
#include "splat/model/lens.h"

namespace io {

// Not for a panorama: the photo's own lens at the training size (that of view.camera), before undistortion: scaled by
// the ratio of the widths and of the heights. The rest of view.camera is what plan_undistortion() makes of it.
splat::Lens training_lens(const splat::DatasetView& view);

using Background = std::array<float, 3>;  // [0,1]

// `remap` is that of training_lens() to view.camera; null: made here where one is needed.
splat::Result<splat::TrainingImage> load_training_image(const splat::DatasetView& view,
                                                        const Background& background = {0, 0, 0},
                                                        const Remap* remap = nullptr);

// Views that are faces of one panorama, of the same size; the photo is decoded once.
splat::Result<std::vector<splat::TrainingImage>> load_panorama_faces(std::span<const splat::DatasetView* const> views,
                                                                     const Background& background);

// Excludes what the mask file says, which spans the whole photo, whatever its own size: 0 in keep, [H,W] of the photo
// at some size, upright. keep: empty: all counts so far.
splat::Status apply_mask(const splat::DatasetView& view, int width, int height, std::vector<uint8_t>& keep);
bool white_counts(const std::filesystem::path& mask);  // not so in the dynamic_mask_*.png of instant-ngp

// The part of a photo that its mask excludes, 0 to 1.
splat::Result<double> excluded_share(const std::filesystem::path& mask);

}  // namespace io
