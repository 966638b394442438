#include "app/jobs/evaluate/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/training/run_record.h"

namespace app {
namespace {

std::string row_text(const splat::ViewMetrics& view, size_t width) {
  std::string row = fmt::format("{:<{}}  {:8.2f}  {:.4f}  {:.4f}", view.name, width, view.psnr, view.ssim, *view.flip);
  if (view.tiles)
    row += fmt::format("  {:9.2f}  {:10.2f} at {}, {}", view.tiles->best.psnr, view.tiles->worst.psnr,
                       view.tiles->worst.x, view.tiles->worst.y);
  return row;
}

void print_evaluation(const Evaluated& evaluated, bool json) {
  const splat::Evaluation& evaluation = evaluated.held_out;
  const splat::BackendChoice& chosen = evaluated.drawn_by;
  if (json) {
    nlohmann::json summary{{"type", "summary"},
                           {"backend", chosen.backend->info().name},
                           {"device", chosen.backend->info().device},
                           {"reason", chosen.reason},
                           {"splats", evaluated.splats},
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
  TerminalMonitor monitor(task.console);
  Evaluated evaluated;
  if (Outcome outcome = evaluate(task, monitor, evaluated); !outcome) return outcome;
  print_evaluation(evaluated, task.console.json);
  return evaluated.same_scene ? done() : bad_input(evaluated.same_scene.error());
}

}  // namespace app
