#include "app/jobs/evaluate/evaluated.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/jobs/training/run_record.h"
#include "splat/core/printable.h"

namespace app {
namespace {

std::string row_text(const splat::ViewMetrics& view, size_t width) {
  std::string row = fmt::format("{:<{}}  {:8.2f}  {:.4f}  {:.4f}", view.name, width, view.psnr, view.ssim, *view.flip);
  if (view.tiles)
    row += fmt::format("  {:9.2f}  {:10.2f} at {}, {}", view.tiles->best.psnr, view.tiles->worst.psnr,
                       view.tiles->worst.x, view.tiles->worst.y);
  return row;
}

}  // namespace

nlohmann::json facts_of(const Evaluated& evaluated) {
  const splat::Evaluation& evaluation = evaluated.held_out;
  const splat::BackendChoice& chosen = evaluated.drawn_by;
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
  return summary;
}

std::string text_of(const Evaluated& evaluated) {
  const splat::Evaluation& evaluation = evaluated.held_out;
  size_t width = 4;
  for (const splat::ViewMetrics& view : evaluation.views) width = std::max(width, view.name.size());
  std::string text = fmt::format("{:<{}}  PSNR, dB    SSIM    FLIP  best tile  worst tile at x, y\n", "view", width);
  for (const splat::ViewMetrics& view : evaluation.views) text += splat::printable(row_text(view, width)) + "\n";
  text += fmt::format("{:<{}}  {:8.2f}  {:.4f}  {:.4f}\n", "mean", width, evaluation.psnr, evaluation.ssim,
                      *evaluation.flip);
  if (evaluation.psnr_aligned) text += splat::printable(aligned_sentence(evaluation)) + "\n";
  if (!evaluated.fit) return text;
  text += fmt::format("photos not held out: {}\n", splat::printable(fit_sentence(*evaluated.fit, evaluation)));
  if (!evaluated.fit->held_out.empty()) text += splat::printable(confirmation_sentence(evaluated.fit->held_out)) + "\n";
  return text;
}

}  // namespace app
