// Training runs: their start and end, what the next one is expected to take, and the runs there were.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/jobs/training/run_estimate.h"
#include "studio/context.h"
#include "studio/model/messages.h"
#include "studio/runs/messages.h"
#include "studio/service.h"

namespace studio {

class RunService final : public Service {
 public:
  explicit RunService(Context& context);
  void leave_scene(std::optional<PathKind>) override { end(true); }
  void wind_down() override;
  void splats_opened(const std::filesystem::path& path, bool restores) override;

 private:
  void start(StartTraining&& wanted);
  bool open_photos_first(const StartTraining& wanted);  // false: no run's splats are open
  void end(bool save_checkpoint);
  void stop(bool save_checkpoint);
  void save_checkpoint();
  void publish_model();
  void send_preview(TrainingChoices&& choices);
  void send_prediction(TrainingChoices&& choices);
  void send_history(WantRunHistory&& wanted);
  splat::Result<std::optional<RunEstimate>> predicted(const std::filesystem::path& data, const TrainingChoices& choices,
                                                      const std::function<bool()>& stop) const;

  // As it was predicted last; none: of another run.
  std::optional<RunPace> pace_of(const std::filesystem::path& data, const TrainingChoices& choices);
  struct Predicted {
    std::filesystem::path data;
    TrainingChoices choices;
    RunPace pace;
  };

  Context& context_;
  std::mutex mutex_;  // of what was predicted last
  std::optional<Predicted> predicted_;
  std::atomic<uint64_t> previews_wanted_{0};  // counts up: older ones are not
  JobThread predictions_;                     // with the priority of a run, whose iterations they time
};

}  // namespace studio
