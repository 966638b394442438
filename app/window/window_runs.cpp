// What was done before and may come: recent scenes, the runs of a dataset, and what the next one is expected to take.
#include <utility>

#include "app/run/run_estimate.h"
#include "app/window/recent_pictures.h"
#include "app/window/run_history.h"
#include "app/window/training_choices.h"
#include "app/window/window_session_impl.h"
#include "io/dataset/load_dataset.h"

namespace app {

void WindowSession::Impl::carry_out(viewer::WantRunHistory& command) {
  std::filesystem::path dataset;
  {
    std::lock_guard lock(scene_mutex);
    if (scene.photos)
      dataset = scene.photos->root;
    else if (scene.run)
      dataset = scene.run->input;
  }
  watching.add([this, dataset = std::move(dataset), recent = std::move(command.recent)] {
    state.run_history.put(dataset.empty() ? viewer::RunHistory() : run_history_of(dataset, recent));
  });
}

void WindowSession::Impl::carry_out(viewer::WantRunPrediction& command) {
  const uint64_t mine = ++predictions_wanted;
  const std::filesystem::path data = training_data();
  if (data.empty() || training_now()) return;
  predictions.add([this, mine, data, choices = std::move(command.choices)] {
    const auto stop = [&] { return predictions_wanted != mine; };
    if (stop()) return;
    const auto estimate = predicted(data, choices, stop);
    if (stop()) return;
    viewer::RunPrediction answer;
    answer.choices = choices;
    if (!estimate) answer.problem = estimate.error().message;
    if (estimate && *estimate) {
      const RunEstimate& found = **estimate;
      answer.seconds = found.seconds, answer.splats = found.splats;
      answer.memory_bytes = found.memory_bytes, answer.result_bytes = found.result_bytes;
    }
    state.run_prediction.put(std::move(answer));
  });
}

splat::Result<std::optional<RunEstimate>> WindowSession::Impl::predicted(const std::filesystem::path& data,
                                                                         const viewer::TrainingChoices& choices,
                                                                         const std::function<bool()>& stop) const {
  SPLAT_ASSIGN_OR_RETURN(Options wanted, options_of(data, choices));
  wanted.device.threads = options.device.threads;
  SPLAT_ASSIGN_OR_RETURN(const splat::Dataset dataset, io::load_dataset(data, wanted.dataset));
  return estimate_run(wanted, dataset, stop);
}

// Until something is opened, which needs the processor more.
void WindowSession::Impl::carry_out(viewer::WantRecentPictures& command) {
  thumbnails.add([this, mine = ++pictures_wanted, scenes = std::move(command.scenes)] {
    for (const std::filesystem::path& scene : scenes) {
      if (pictures_wanted != mine) return;
      if (auto picture = recent_picture(cache_folder(), scene, options.device.threads))
        state.recent_pictures.put({scene, std::move(*picture)});
    }
  });
}

// One that has come to its end waits for nothing but questions.
bool WindowSession::Impl::training_now() const { return training && !training->finished(); }

}  // namespace app
