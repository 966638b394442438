#include "studio/align/service.h"

#include <utility>

#include "app/jobs/align/alignment.h"
#include "io/dataset/folder_contents.h"
#include "splat/core/log.h"
#include "splat/model/stray_views.h"
#include "studio/documents/opening.h"
#include "studio/job_monitor.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr const char* kIfClosed =
    "Cameras are still being found. What was found is kept: open the same photos again to go on.";

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
  Job& job = context_.jobs.begin_reporting(wanted.request.input.filename().string());
  context_.makings.add([this, wanted = std::move(wanted), &job] { align(wanted, job); });
}

void AlignService::align(const StartAlignment& wanted, Job& job) {
  const MarkDone mark_done(job);
  const SessionOptions& options = context_.options;
  AlignTask task;
  task.input = wanted.request.input;
  task.scene = wanted.request.scene;
  task.masks = options.dataset.masks_folder;
  task.settings = wanted.request.settings;
  task.threads = options.device.threads;
  task.deterministic = options.device.deterministic;
  JobMonitor monitor(job, kIfClosed);
  align::AlignReport report;
  const Outcome outcome = align_input(task, monitor, report, [&, more = false](const fs::path& model) mutable {
    more |= show_growing(model, task.scene, job, more);
  });
  if (job.watch.cancelled || outcome.code == ExitCode::kInterrupted)
    return log::info("what was found of the cameras of '" + job.name + "' is kept: open it again to go on");
  if (!outcome) return log::error(outcome.sentence);
  io::DatasetOptions as_trained = options.dataset;
  as_trained.eval = true;
  if (context_.documents.show_photo_set({task.scene, as_trained}, job) && wanted.request.train) {
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
