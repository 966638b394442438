#include "splat/train/evaluate.h"

#include "splat/core/check.h"
#include "splat/metrics/colour_fit.h"
#include "splat/metrics/flip.h"

namespace splat {

Result<Evaluation> evaluate(Backend& backend, const EvaluationRequest& request) {
  Evaluation evaluation;
  RenderSettings settings = request.render;
  settings.sh_degree = kMaxShDegree;
  ImageF render;
  request.images.prefetch(request.views);
  for (int index : request.views) {
    SPLAT_CHECK_LT(size_t(index), request.dataset.views.size());
    const DatasetView& view = request.dataset.views[size_t(index)];
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, request.images.get(index));
    backend.forward(view.view(), settings);
    backend.read_image(render);
    const ImageMetrics metrics = image_metrics(render, *photo, request.pool);
    evaluation.views.push_back({index, view.name, metrics.psnr, metrics.ssim, {}, {}, {}});
    if (request.metrics == Metrics::kAll) {
      evaluation.views.back().flip = flip(render, *photo, request.pool);
      evaluation.views.back().psnr_fitted = image_psnr(colour_fitted(render, *photo), *photo);
      evaluation.views.back().tiles = tile_extremes(render, *photo);
    }
    if (request.on_view) request.on_view(evaluation.views.back(), render, *photo);
  }
  for (const ViewMetrics& view : evaluation.views) {
    evaluation.psnr += view.psnr / double(evaluation.views.size());
    evaluation.ssim += view.ssim / double(evaluation.views.size());
    if (view.flip) evaluation.flip = evaluation.flip.value_or(0) + *view.flip / double(evaluation.views.size());
    if (view.psnr_fitted)
      evaluation.psnr_fitted = evaluation.psnr_fitted.value_or(0) + *view.psnr_fitted / double(evaluation.views.size());
  }
  return evaluation;
}

}  // namespace splat
