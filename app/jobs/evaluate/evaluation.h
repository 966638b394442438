// Splats compared with the photos that a dataset holds out (evaluate).
#pragma once

#include <optional>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/jobs/session.h"
#include "app/settings/tasks.h"
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

Outcome evaluate(const EvaluateTask& task, Monitor& monitor, Evaluated& evaluated);

}  // namespace app
