// What an evaluation has found: as a "summary", and in lines for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "devices/registry.h"
#include "splat/core/result.h"
#include "splat/train/evaluate.h"
#include "splat/train/photo_fit.h"

namespace app {

struct Evaluated {
  splat::BackendChoice drawn_by;
  size_t splats = 0;
  splat::Evaluation held_out;
  std::optional<splat::TrainingFit> fit;  // none: the dataset has no other photos
  splat::Status same_scene;               // an error: photos and splats do not show the same
};

nlohmann::json facts_of(const Evaluated& evaluated);
std::string text_of(const Evaluated& evaluated);

}  // namespace app
