// How well a model fits the photos it was trained on: which fit worst, which splats no second photo vouches for, and
// how much of the held-out views they confirm (confirmation.h).
// Cost: a view drawn three times over for each photo (read_contributions, read_depth), and its PSNR: about 0.9 of an
// iteration of training; 16 bytes a splat.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/train/confirmation.h"

namespace splat {

// Blending weight, summed over its pixels, from which a photo sees a splat: a tenth of one pixel. Our own choice.
inline constexpr float kSeenWeight = 0.1f;

struct PhotoFit {
  int view = 0;  // index in the dataset
  std::string name;
  double psnr = 0;       // dB
  bool poor = false;     // far below the median of the photos
  PhotoColour colour{};  // that it is seen through
};

struct SplatsSeen {
  uint64_t splats = 0;
  uint64_t by_none = 0, by_one = 0;  // of the training photos
};

struct TrainingFit {
  std::vector<PhotoFit> photos;            // worst first
  size_t training_photos = 0;              // that there are; `photos` may be fewer, spread evenly over them
  double psnr = 0, median = 0;             // mean and median over `photos`, dB; 0 without any
  std::optional<SplatsSeen> seen;          // where every training photo was drawn
  std::vector<ViewConfirmation> held_out;  // likewise; of the held-out views, in their order
};

struct FitRequest {
  const Dataset& dataset;
  ImageSource& images;
  RenderSettings render;                      // background and antialias as evaluated
  size_t most = SIZE_MAX;                     // photos drawn
  std::span<const PhotoColour> colours{};     // by view, that the photos were trained with; empty: as drawn
  std::span<const Rigid3> cams_from_world{};  // likewise; empty: as given
};

Result<TrainingFit> measure_fit(Backend& backend, const FitRequest& request);

// Sorts the photos, worst first, and fills means and marks.
void rank_photos(TrainingFit& fit);

}  // namespace splat
