// Photos and videos without cameras: the question about them, and finding their cameras while the window shows what is
// found.
#include <utility>

#include "app/console/host.h"
#include "app/run/alignment.h"
#include "app/run/scene_folder.h"
#include "app/window/opening.h"
#include "app/window/window_session_impl.h"
#include "io/dataset/folder_contents.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

viewer::WorkProgress shown(const align::AlignProgress& now, const std::string& name) {
  const float fraction = now.total > 0 ? float(double(now.done) / double(now.total)) : -1;
  std::string text = name + ": " + progress_sentence(now);
  if (now.eta_seconds > 0) text += " (about " + human_duration(now.eta_seconds) + " to go)";
  return {text, fraction, true};
}

}  // namespace

void WindowSession::Impl::ask_for_alignment(const fs::path& input) {
  viewer::UnalignedPhotos question;
  question.input = input;
  question.scene = suggested_scene(input);
  question.video = align::is_video(input);
  if (!question.video) question.holds = io::contents_sentence(io::contents_of(input));
  question.begun = !aligned_from(question.scene).empty();
  question.impossible = align::missing_program(input);
  state.unaligned.put(std::move(question));
}

void WindowSession::Impl::carry_out(viewer::StartAlignment& command) {
  cancel_opening();
  end_training(true);
  Opening* mine = begin_opening(command.choices.input.filename().string());
  mine->reports = true;
  openings.add([this, command = std::move(command), mine] { align_photos(command, *mine); });
}

void WindowSession::Impl::align_photos(const viewer::StartAlignment& command, Opening& mine) {
  const MarkDone mark_done(mine);
  AlignTask task;
  task.input = command.choices.input;
  task.scene = command.choices.scene;
  task.masks = options.dataset.masks_folder;
  task.choices.quality = command.choices.quality;
  task.choices.lens = command.choices.lens;
  task.choices.frames = command.choices.frames;
  task.threads = options.device.threads;
  task.deterministic = options.device.deterministic;
  align::AlignOptions align = align_options(task);
  align.cancelled = [&mine] { return mine.watch.cancelled.load(); };
  align.progress = [&mine](const align::AlignProgress& now) { mine.progress.put(shown(now, mine.name)); };
  align.model_so_far = [&](const fs::path& model) { show_growing_scene(model, task.scene, mine); };
  SceneFolder folder(task.scene);
  if (const splat::Status status = folder.take(); !status) return log::error(status.error().message);
  const align::AlignOutcome outcome = align::align_scene(align);
  if (outcome.end == align::AlignEnd::kCancelled || mine.watch.cancelled)
    return log::info("what was found of the cameras of '" + mine.name + "' is kept: open it again to go on");
  if (!outcome) return log::error(outcome.sentence);
  log::info("aligned " + alignment_sentence(outcome.report));
  io::DatasetOptions as_trained = options.dataset;
  as_trained.eval = true;
  if (show_photo_set({task.scene, as_trained, {}}, mine) && command.choices.train) {
    viewer::TrainingChoices training = command.training;
    training.output.clear();
    training.resume.clear();
    state.commands.put(viewer::StartTraining{std::move(training)});
  }
}

void WindowSession::Impl::show_growing_scene(const fs::path& model, const fs::path& scene_folder, const Opening& mine) {
  auto opened = open_data(model, options.dataset);
  if (!opened || mine.watch.cancelled) return;  // of no consequence: there will be a next one
  opened->for_window.growing = true;
  opened->for_window.path = scene_folder;
  for (const viewer::PhotoCamera& camera : opened->for_window.cameras)  // what is watched is how they are found
    opened->for_window.bounds.add(viewer::vec3(camera.view.cam_from_world.origin_in_source()));
  {
    std::lock_guard lock(scene_mutex);
    scene.photos = std::move(opened->dataset);
    scene.may_train = false;
  }
  state.dataset.put(std::move(opened->for_window));
}

}  // namespace app
