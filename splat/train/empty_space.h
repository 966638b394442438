// Photos that are transparent in places show that nothing is there. What they do show is to hide
// a background of any colour, and no splat needs to start where nothing is.
#pragma once

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"
#include "splat/train/config.h"
#include "splat/train/init.h"

namespace splat {

// BackgroundMode::kAuto becomes black where no photo that is trained on is transparent (DatasetView::transparent).
TrainConfig with_background(const Dataset& dataset, TrainConfig config);

// Where the dataset has no points: takes out, with a note, the splats that two photos show as empty in their pixel and
// those around it, or all photos that see them where fewer do. None where all would go. At most 100 photos are looked
// at, evenly chosen. (What starts from points or beside them soon is where it is needed, docs/notebook.) Cost:
// splats times transparent photos.
Status leave_empty_space(const Dataset& dataset, ImageSource& images, ThreadPool& pool, InitialModel& initial);

}  // namespace splat
