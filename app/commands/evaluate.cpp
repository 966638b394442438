#include <fmt/format.h>

#include <algorithm>

#include "app/commands/commands.h"
#include "app/console/standard_streams.h"
#include "app/input/splat_input.h"
#include "app/run/progress_display.h"
#include "app/run/session.h"
#include "splat/core/log.h"
#include "splat/train/evaluate.h"

namespace app {
namespace {

void print_evaluation(const splat::Evaluation& evaluation, size_t splats, const splat::BackendChoice& chosen,
                      bool json) {
  if (json) {
    print_json({{"type", "summary"},
                {"backend", chosen.backend->info().name},
                {"device", chosen.backend->info().device},
                {"reason", chosen.reason},
                {"splats", splats},
                {"psnr", evaluation.psnr},
                {"ssim", evaluation.ssim},
                {"flip", *evaluation.flip},
                {"views", views_to_json(evaluation)}});
    return;
  }
  size_t width = 4;
  for (const splat::ViewMetrics& view : evaluation.views) width = std::max(width, view.name.size());
  print("{:<{}}  PSNR, dB    SSIM    FLIP\n", "view", width);
  for (const splat::ViewMetrics& view : evaluation.views)
    print("{:<{}}  {:8.2f}  {:.4f}  {:.4f}\n", view.name, width, view.psnr, view.ssim, *view.flip);
  print("{:<{}}  {:8.2f}  {:.4f}  {:.4f}\n", "mean", width, evaluation.psnr, evaluation.ssim, *evaluation.flip);
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
  std::erase_if(dataset.views, [](const splat::DatasetView& view) { return !view.held_out; });
  if (dataset.views.empty())
    return bad_input(fmt::format("no view of '{}' is held out: nothing to evaluate on", task.data.string()));
  std::unique_ptr<splat::ImageSource> photos;
  if (Outcome outcome = open_photos(dataset, {0, task.device.threads, task.console}, photos); !outcome) return outcome;

  chosen.backend->upload(file.gaussians);
  splat::RenderSettings render = task.look;
  render.antialias |= file.antialiased;
  splat::ThreadPool pool(task.device.threads);
  const std::vector<int> views = dataset.held_out_views();
  auto evaluation =
      splat::evaluate(*chosen.backend, {dataset, *photos, views, render, &pool, {}, splat::Metrics::kAll});
  if (!evaluation) return failed(evaluation.error());
  print_evaluation(*evaluation, file.gaussians.size(), chosen, task.console.json);
  return done();
}

}  // namespace app
