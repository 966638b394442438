// FLIP: how visible the difference of two pictures is to a person who alternates between them (Andersson et al.,
// "FLIP: A Difference Evaluator for Alternating Images", 2020; the variant for ordinary screens), in [0,1], 0 for the
// same picture. Colours are blurred as the eye blurs them and compared in L*a*b* by the HyAB distance; edges and points
// of the brightness are compared at the width the eye sees best. Agrees with NVIDIA's flip-evaluator 1.7 to 1e-3.
// Cost: some 300 multiplications a pixel and picture; 18 kB of memory for each pixel of the width.
#pragma once

#include "splat/core/parallel.h"
#include "splat/model/image.h"

namespace splat {

// A screen of 3840 pixels and 0.7 m, seen from 0.7 m.
inline constexpr double kPixelsPerDegree = 0.7 * 3840 / 0.7 * 3.14159265358979323846 / 180;

// The mean over the pixels that the photo's mask counts; 0 where none does. Same size required; the render is clamped
// and rounded to 8 bits first. pool: spreads rows over threads; the result does not depend on it.
double flip(const ImageF& render, const TrainingImage& photo, ThreadPool* pool = nullptr);

}  // namespace splat
