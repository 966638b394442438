// A render in the colours of a photo that nobody trained: exposure and white balance of a held-out photo are unknown,
// and a figure should not be about them. For each half of the picture, left and right, the gain and the bias of every
// channel are those that fit the other half best (least squares), so that no pixel takes part in what it is judged by.
// The protocol of "NeRF in the Wild" (Martin-Brualla et al. 2021), there with a trained code instead. Cost: O(H W).
#pragma once

#include "splat/model/image.h"

namespace splat {

// Same size required. A half whose other half shows one colour, or nothing that counts, stays as it is.
ImageF colour_fitted(const ImageF& render, const TrainingImage& photo);

}  // namespace splat
