// One photo of a dataset as training sees it: decoded (JPEG at a fraction where that is enough), reduced, alpha and
// mask turned into the pixels that count, undistorted, planar.
#pragma once

#include "io/dataset/undistort.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"
#include "splat/model/lens.h"

namespace io {

// The photo's own lens at the training size (that of view.camera), before undistortion: scaled by the ratio of the
// widths and of the heights. The rest of view.camera is what plan_undistortion() makes of it.
splat::Lens training_lens(const splat::DatasetView& view);

// `remap` is that of training_lens() to view.camera; null: made here where one is needed.
splat::Result<splat::TrainingImage> load_training_image(const splat::DatasetView& view, const Remap* remap = nullptr);

}  // namespace io
