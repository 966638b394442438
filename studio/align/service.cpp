#include "studio/align/service.h"

#include <utility>

#include "app/jobs/align/alignment.h"
#include "app/jobs/align/scene_folder.h"
#include "app/jobs/host/host.h"
#include "io/dataset/folder_contents.h"
#include "splat/core/log.h"
#include "splat/model/stray_views.h"
#include "studio/documents/opening.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

WorkProgress shown(const align::AlignProgress& now, const std::string& name) {
  const float fraction = now.eta_seconds > 0 ? float(now.share) : -1;
  std::string text = name + ": " + progress_sentence(now);
  if (now.eta_seconds > 0) text += " (about " + human_duration(now.eta_seconds) + " to go)";
  return {text, fraction, true,
          "Cameras are still being found. What was found is kept: open the same photos again to go on."};
}

}  // namespace

AlignService::AlignService(Context& context) : context_(context) {
  context_.documents.ask_for_alignment = [this](const fs::path& input) { ask(input); };
  context_.bridge.requests.on<StartAlignment>([this](StartAlignment&& wanted) { start(std::move(wanted)); });
}

void AlignService::ask(const fs::path& input) {
  UnalignedPhotos question;
  question.input = input;
  question.scene = suggested_scene(input);
  question.video = align::is_video(input);
  if (!question.video) {
    const io::FolderContents contents = io::contents_of(input);
    question.photos = contents.photos;
    question.holds = io::contents_sentence(contents);
    question.datasets = contents.datasets;
  }
  question.begun = !aligned_from(question.scene).empty();
  question.impossible = align::missing_program(input);
  context_.report(std::move(question));
}

void AlignService::start(StartAlignment&& wanted) {
  context_.documents.leave(PathKind::kDataset);
  Job& job = context_.jobs.begin_reporting(wanted.choices.input.filename().string());
  context_.makings.add([this, wanted = std::move(wanted), &job] { align(wanted, job); });
}

void AlignService::align(const StartAlignment& wanted, Job& job) {
  const MarkDone mark_done(job);
  const SessionOptions& options = context_.options;
  AlignTask task;
  task.input = wanted.choices.input;
  task.scene = wanted.choices.scene;
  task.masks = options.dataset.masks_folder;
  task.choices.quality = wanted.choices.quality;
  task.choices.lens = wanted.choices.lens;
  task.choices.frames = wanted.choices.frames;
  task.threads = options.device.threads;
  task.deterministic = options.device.deterministic;
  align::AlignOptions align = align_options(task);
  align.cancelled = [&job] { return job.watch.cancelled.load(); };
  align.progress = [&job](const align::AlignProgress& now) { job.progress.put(shown(now, job.name)); };
  align.model_so_far = [&, more = false](const fs::path& model) mutable {
    more |= show_growing(model, task.scene, job, more);
  };
  SceneFolder folder(task.scene);
  if (const splat::Status status = folder.take(); !status) return log::error(status.error().message);
  const align::AlignOutcome outcome = align::align_scene(align);
  if (outcome.end == align::AlignEnd::kCancelled || job.watch.cancelled)
    return log::info("what was found of the cameras of '" + job.name + "' is kept: open it again to go on");
  if (!outcome) return log::error(outcome.sentence);
  log::info("aligned " + alignment_sentence(outcome.report));
  io::DatasetOptions as_trained = options.dataset;
  as_trained.eval = true;
  if (context_.documents.show_photo_set({task.scene, as_trained}, job) && wanted.choices.train) {
    TrainingChoices training = wanted.training;
    training.output.clear();
    training.resume.clear();
    context_.bridge.requests.put(StartTraining{std::move(training)});
  }
}

bool AlignService::show_growing(const fs::path& model, const fs::path& scene_folder, const Job& job, bool more) {
  auto opened = open_data(model, context_.options.dataset);
  if (!opened || job.watch.cancelled) return false;  // of no consequence: there will be a next one
  opened->for_window.growing = true;
  opened->for_window.path = scene_folder;
  const auto pose_of = [](const PhotoCamera& camera) { return camera.view.cam_from_world; };
  for (const PhotoCamera& camera : splat::without_outside<PhotoCamera>(
           opened->for_window.cameras, pose_of))  // what is watched is how they are found
    opened->for_window.bounds.add(viewer::vec3(camera.view.cam_from_world.origin_in_source()));
  auto views = opened->dataset.views;
  const bool shown = context_.documents.with([&](OpenScene& scene) {
    if (job.watch.cancelled) return false;
    scene.photos = std::move(opened->dataset);
    scene.may_train = false;
    context_.report(std::move(opened->for_window));
    return true;
  });
  if (shown) context_.documents.make_thumbnails(std::move(views), more);
  return shown;
}

}  // namespace studio
