// How large photos are in each iteration. Early in a run splats are few and large, and what they learn a small picture
// teaches as well, several times faster: its size rises with the iteration. Follows the idea of Chen et al.,
// "DashGaussian" (CVPR 2025); the size rises linearly instead of with the photos' spectra. Until it is full the rate of
// the means does not fall (TrainConfig::mean_lr_from).
#pragma once

#include "splat/model/dataset.h"
#include "splat/train/config.h"

namespace splat {

// The number that the sides of the photos are divided by in `iteration`: the side's share of its full length rises
// linearly from 1/first at iteration 0, and the number is the whole one nearest to its inverse; from iteration `until`
// on it is 1. first 1: always 1.
int resolution_divisor(int first, int until, int iteration);

// The number to begin with where the settings do not say (TrainConfig::progressive_divisor): the largest that leaves
// the longer side of the usual photo trained on kCoarsestSide pixels, at most kLargestDivisor, or 2 where the run has
// more than kLongRun iterations a photo: it has the time, and few photos made small leave much open. 1 where the
// strategy does not start coarse, and where cameras are refined or a surface is trained, which are fitted to whole
// photos.
inline constexpr int kCoarsestSide = 128, kLargestDivisor = 8, kLongRun = 300;
int first_divisor(const TrainConfig& config, const Dataset& dataset);

}  // namespace splat
