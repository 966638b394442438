#include "app/jobs/evaluate/evaluation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/jobs/evaluate/evaluated.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "app/jobs/work_memory.h"
#include "splat/core/log.h"
#include "splat/core/stop.h"
#include "splat/model/near_scale.h"
#include "splat/train/same_scene.h"

namespace app {
namespace {

// Photos trained on are looked at again for what they say about the held-out ones: at most this often as many.
constexpr size_t kTrainingPerHeldOut = 8;  // all of them where every 8th is held out, the default

Outcome measure(const EvaluateTask& task, Monitor& monitor, Evaluated& evaluated) try {
  const auto input = read_splat_input(task.splats, task.device.threads);
  if (!input) return bad_input(input.error());
  const io::SplatFile& file = input->file;
  for (const std::string& warning : file.warnings) splat::log::warning(warning);
  splat::BackendChoice& chosen = evaluated.drawn_by;
  if (Outcome outcome = open_backend(task.device, chosen); !outcome) return outcome;
  splat::Dataset dataset;
  if (Outcome outcome = open_dataset(task.data, task.dataset, dataset); !outcome) return outcome;
  const auto nothing = [&] {
    return bad_input(fmt::format("no view of '{}' is held out: nothing to evaluate on", task.data.string()));
  };
  if (dataset.held_out_views().empty()) return nothing();
  if (const auto status = check_drawing(host_memory(), most_pixels(dataset)); !status)
    return bad_input(fmt::format("'{}': {}", task.data.string(), status.error().message));
  std::unique_ptr<splat::ImageSource> photos;
  const PhotoOptions reading{0, task.device.threads, task.look.background};
  if (Outcome outcome = open_photos(dataset, reading, photos, photos_for(monitor)); !outcome) return outcome;
  const std::vector<int> views = dataset.held_out_views();  // without those that could not be read
  if (views.empty()) return nothing();

  if (const auto status = check_work(fmt::format("drawing '{}'", task.splats.string()),
                                     bytes_to_draw(chosen.backend->info(), file.gaussians, most_pixels(dataset)));
      !status)
    return bad_input(status.error());
  const double times = splat::near_scale(file.gaussians);
  chosen.backend->upload(times == 1 ? file.gaussians : splat::enlarged(file.gaussians, times));
  for (splat::DatasetView& view : dataset.views)
    view.cam_from_world = splat::enlarged(view.view(), times).cam_from_world;
  const splat::RenderSettings render = as_trained(task.look, task.low_pass_given, file.filter());
  splat::ThreadPool pool(task.device.threads);
  const splat::StopAsked stopped = [&] { return monitor.cancelled(); };
  monitor.stage("evaluating");
  size_t seen = 0;
  const auto on_view = [&](const auto&, const auto&, const auto&) {
    monitor.step(++seen, views.size());
    splat::end_if(stopped);
  };
  auto evaluation = splat::evaluate(*chosen.backend, {dataset, *photos, views, render, &pool, on_view,
                                                      splat::Metrics::kAll, task.align_poses ? splat::kAlignSteps : 0});
  if (!evaluation) return failed(evaluation.error());
  evaluated.held_out = std::move(*evaluation), evaluated.splats = file.gaussians.size();
  if (!dataset.training_views().empty()) {
    auto fit = splat::measure_fit(*chosen.backend, {dataset, *photos, render, kTrainingPerHeldOut * views.size()});
    if (!fit) return failed(fit.error());
    evaluated.fit = std::move(*fit);
  }
  splat::end_if(stopped);
  const std::vector<int> trained = dataset.training_views();  // these it knows best
  evaluated.same_scene =
      splat::check_same_scene(*chosen.backend, {dataset, *photos, trained.empty() ? views : trained, render},
                              "the figures say nothing about them");
  return done();
} catch (const splat::Stopped&) {
  return {ExitCode::kInterrupted, "interrupted before everything was measured"};
}

}  // namespace

Outcome evaluate(const EvaluateTask& task, Monitor& monitor) {
  Evaluated evaluated;
  if (Outcome outcome = measure(task, monitor, evaluated); !outcome) return outcome;
  monitor.result(facts_of(evaluated), text_of(evaluated));
  return evaluated.same_scene ? done() : bad_input(evaluated.same_scene.error());
}

}  // namespace app
