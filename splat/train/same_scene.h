// Whether photos show the scene that splats do: where the splats cover a photo (mostly opaque, so that a part cut out
// of a scene is judged by itself), their colours must explain some of what varies in it, up to a gain and a bias, so
// that exposures do not matter. Measured on 6 scenes: 0 to 8 % of the variance for another scene, 26 % and more for the
// right one after a single iteration of training, 86 to 95 % after a thousand. Cost: a view drawn and a photo read,
// kPhotosCompared times at most.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace splat {

inline constexpr size_t kPhotosCompared = 8;  // evenly chosen

struct SceneMatch {
  size_t photos = 0;
  double seen = 0;       // 0..1: mean opacity of the splats, over the pixels that count
  double covered = 0;    // 0..1 of these that are mostly opaque
  double explained = 0;  // 0..1 of the variance there
  double deviation = 0;  // of the splats' colours, 0..1: without any, their shape alone is known
  double psnr = 0;       // dB, there; 0 of none
  bool same() const;
};

struct SceneMatchRequest {
  const Dataset& dataset;
  ImageSource& images;
  std::span<const int> views;  // indices in the dataset
  RenderSettings render;       // as trained
};

Result<SceneMatch> match_scene(Backend& backend, const SceneMatchRequest& request);  // of the model uploaded last

// An error, with the numbers, where they do not. consequence: ends its sentence.
Status check_same_scene(Backend& backend, const SceneMatchRequest& request, const std::string& consequence);

}  // namespace splat
