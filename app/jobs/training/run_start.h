// What a run begins with: the dataset's points, unless there is a checkpoint (--resume), there are splats of a file
// (--init), or it trains a part of a scene.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/memory_plan.h"
#include "app/jobs/outcome.h"
#include "app/jobs/training/scene_part.h"
#include "app/settings/options.h"
#include "devices/registry.h"
#include "io/checkpoint.h"
#include "splat/train/trainer.h"

namespace app {

class RunStart {
 public:
  explicit RunStart(std::optional<ScenePart> part);

  // The checkpoint, whose settings become those of `options`, and the file of splats; one of points becomes the
  // dataset's.
  Outcome read(Options& options);
  splat::Status keep_to_part(splat::Dataset& dataset);  // where there is one; its views

  StartingSplats splats(const Options& options, const splat::Dataset& dataset) const;
  bool from_points() const { return !initial_ && !part_ && !resumed_; }
  uint64_t fixed_splats() const { return fixed_splats_; }    // of the part
  double seconds_before() const { return seconds_before_; }  // of training, up to the checkpoint

  // Where there is a part: the photos are its own, and the backend shows what lies around it.
  void enter_part(const splat::Dataset& dataset, splat::BackendChoice& chosen,
                  std::unique_ptr<splat::ImageSource>& photos);
  void fit_settings(splat::TrainConfig& config) const;  // to the splats that training begins with
  // Makes the trainer and moves into it everything that was read.
  Outcome make_trainer(const Options& options, const splat::TrainerInputs& inputs,
                       std::unique_ptr<splat::Trainer>& trainer);

 private:
  Outcome read_resumed(Options& options);
  Outcome read_initial(Options& options);

  std::optional<io::CheckpointFile> resumed_;
  std::optional<splat::Gaussians> initial_;
  std::optional<ScenePart> part_;
  std::vector<splat::PhotoColour> colours_;  // of the part's photos
  std::vector<splat::View> scene_cameras_;   // of the scene that it is a part of
  uint64_t fixed_splats_ = 0;
  double seconds_before_ = 0;
};

}  // namespace app
