// How much fine detail the photos hold: what a budget of splats follows. A pixel has detail where its brightness
// differs from the mean of its four neighbours by more than 2 % of the range: walls, skies and blur have little of it
// whatever their size, leaves and print much. Cost: one pass over at most kDetailPhotos photos, decoded for it.
#pragma once

#include <cstddef>

#include "splat/core/result.h"
#include "splat/core/stop.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace splat {

inline constexpr size_t kDetailPhotos = 16;  // spread evenly over those trained on

// Pixels of the photo, without its border, that have detail. Masked ones have none.
size_t detail_pixels(const TrainingImage& photo);

// The mean of it over the views trained on. An error where a photo cannot be read. stop: asked before each.
Result<double> mean_detail_pixels(const Dataset& dataset, ImageSource& images, const StopAsked& stop = {});

}  // namespace splat
