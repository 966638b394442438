// What a training run leaves beside its splats: the cameras it was trained with, and the way to its photos. Of our own
// folders and of INRIA's.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/options.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "viewer/camera/navigator.h"

namespace app {

std::vector<viewer::PhotoCamera> photo_cameras(const splat::Dataset& dataset);  // index = view

struct TrainedScene {
  std::vector<viewer::PhotoCamera> cameras;  // by name; empty: not known
  std::optional<splat::Dataset> photos;      // the dataset as it was trained on, views as `cameras`; none: it is not
                                             // where it was, or holds other cameras by now
  std::optional<Options> settings;           // of that run; none: nothing says where its photos were
  std::optional<std::array<float, 3>> background;  // that it was trained with, [0,1]
  std::vector<std::string> warnings;               // one sentence each
};

// Reads cameras.json (app/jobs/input/known_up.h: only where it fits the splats, which reading them has said), and where
// they are there cfg_args, config.json, metrics.json and the dataset that they name. Never an error: what cannot be
// read becomes a warning. Cost: one header read per photo.
TrainedScene trained_scene_of(const std::filesystem::path& file, const splat::Gaussians& model, int threads);

}  // namespace app
