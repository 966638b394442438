#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "app/jobs/work_memory.h"
#include "splat/core/log.h"
#include "splat/model/near_scale.h"
#include "splat/train/evaluate.h"
#include "splat/train/photo_fit.h"
#include "splat/train/same_scene.h"

namespace app {
namespace {

// Photos trained on are looked at again for what they say about the held-out ones: at most this often as many.
constexpr size_t kTrainingPerHeldOut = 8;  // all of them where every 8th is held out, the default

std::string row_text(const splat::ViewMetrics& view, size_t width) {
  std::string row = fmt::format("{:<{}}  {:8.2f}  {:.4f}  {:.4f}", view.name, width, view.psnr, view.ssim, *view.flip);
  if (view.tiles)
    row += fmt::format("  {:9.2f}  {:10.2f} at {}, {}", view.tiles->best.psnr, view.tiles->worst.psnr,
                       view.tiles->worst.x, view.tiles->worst.y);
  return row;
}

struct Evaluated {
  splat::Evaluation held_out;
  std::optional<splat::TrainingFit> fit;
};

void print_evaluation(const Evaluated& evaluated, size_t splats, const splat::BackendChoice& chosen, bool json) {
  const splat::Evaluation& evaluation = evaluated.held_out;
  if (json) {
    nlohmann::json summary{{"type", "summary"},
                           {"backend", chosen.backend->info().name},
                           {"device", chosen.backend->info().device},
                           {"reason", chosen.reason},
                           {"splats", splats},
                           {"psnr", evaluation.psnr},
                           {"ssim", evaluation.ssim},
                           {"flip", *evaluation.flip},
                           {"psnr_colour_fitted", *evaluation.psnr_fitted},
                           {"views", views_to_json(evaluation)}};
    if (evaluation.psnr_aligned) {
      summary["psnr_aligned"] = *evaluation.psnr_aligned;
      summary["ssim_aligned"] = *evaluation.ssim_aligned;
    }
    if (evaluated.fit) summary["training_fit"] = fit_to_json(*evaluated.fit, evaluation);
    print_json(summary);
    return;
  }
  size_t width = 4;
  for (const splat::ViewMetrics& view : evaluation.views) width = std::max(width, view.name.size());
  print("{:<{}}  PSNR, dB    SSIM    FLIP  best tile  worst tile at x, y\n", "view", width);
  for (const splat::ViewMetrics& view : evaluation.views) print("{}\n", row_text(view, width));
  print("{:<{}}  {:8.2f}  {:.4f}  {:.4f}\n", "mean", width, evaluation.psnr, evaluation.ssim, *evaluation.flip);
  if (evaluation.psnr_aligned) print("{}\n", aligned_sentence(evaluation));
  if (!evaluated.fit) return;
  print("photos not held out: {}\n", fit_sentence(*evaluated.fit, evaluation));
  if (!evaluated.fit->held_out.empty()) print("{}\n", confirmation_sentence(evaluated.fit->held_out));
}

}  // namespace

Outcome run_evaluate(const EvaluateTask& task) {
  const auto input = read_splat_input(task.splats, task.device.threads);
  if (!input) return bad_input(input.error());
  const io::SplatFile& file = input->file;
  for (const std::string& warning : file.warnings) splat::log::warning(warning);
  splat::BackendChoice chosen;
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
  TerminalMonitor monitor(task.console);
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
  auto evaluation = splat::evaluate(
      *chosen.backend,
      {dataset, *photos, views, render, &pool, {}, splat::Metrics::kAll, task.align_poses ? splat::kAlignSteps : 0});
  if (!evaluation) return failed(evaluation.error());
  Evaluated evaluated{std::move(*evaluation), {}};
  if (!dataset.training_views().empty()) {
    auto fit = splat::measure_fit(*chosen.backend, {dataset, *photos, render, kTrainingPerHeldOut * views.size()});
    if (!fit) return failed(fit.error());
    evaluated.fit = std::move(*fit);
  }
  print_evaluation(evaluated, file.gaussians.size(), chosen, task.console.json);
  const std::vector<int> trained = dataset.training_views();  // these it knows best
  const auto shown =
      splat::check_same_scene(*chosen.backend, {dataset, *photos, trained.empty() ? views : trained, render},
                              "the figures say nothing about them");
  return shown ? done() : bad_input(shown.error());
}

}  // namespace app
