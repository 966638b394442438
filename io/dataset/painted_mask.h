// Masks that are painted on photos as they are shown, undistorted: brought back to the photo's own pixels, and written
// where load_dataset() finds them, black where nothing counts.
#pragma once

#include <filesystem>
#include <span>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"
#include "splat/model/mask_change.h"

namespace io {

// An error for panoramas, whose faces overlap, and for masks that are no PNG files.
splat::Status check_paintable(const splat::DatasetView& view);

// The pinhole picture of the view at the size of the photo's file: what is painted on.
splat::PinholeCamera painted_camera(const splat::DatasetView& view);

// [H,W] of the file, 255 where a pixel counts: the photo's mask so far, else all, with the changes of painted_camera(),
// [H,W]. What lies outside of that picture stays. Cost: 0.14 us a pixel where there is a lens, divided by threads.
splat::Result<splat::Image8> changed_mask(const splat::DatasetView& view, std::span<const splat::MaskChange> changes,
                                          splat::ThreadPool* pool = nullptr);

// The file for the mask of this view: the one it has, else COLMAP's name ("masks/a.jpg.png") in the folder of --masks,
// in the usual folder that other photos have theirs in, or in `masks`.
splat::Result<std::filesystem::path> mask_file(const splat::Dataset& dataset, const splat::DatasetView& view,
                                               const std::filesystem::path& masks_folder);

// Writes it whole or not at all. keeps: what stood there is kept beside it, as "NAME.before", "NAME.before2", ...
splat::Status write_mask(const std::filesystem::path& file, splat::Image8 mask, bool keeps);

}  // namespace io
