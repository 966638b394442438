// Pictures of a held-out view as 8-bit images: the photo, the render, and where they differ.
#pragma once

#include "splat/model/image.h"

namespace app {

splat::Image8 to_image8(const splat::ImageF& render);        // clamped to [0,1] and rounded
splat::Image8 to_image8(const splat::TrainingImage& photo);  // masked-out pixels are dimmed
// Mean absolute difference of the channels, black to yellow through violet and red; kFullError and more is the last
// colour. Masked-out pixels are grey.
splat::Image8 error_map(const splat::ImageF& render, const splat::TrainingImage& photo);

inline constexpr double kFullError = 0.25;  // of the value range

}  // namespace app
