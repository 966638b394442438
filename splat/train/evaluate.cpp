#include "splat/train/evaluate.h"

#include "splat/core/check.h"
#include "splat/metrics/colour_fit.h"
#include "splat/metrics/flip.h"
#include "splat/train/pose_fit.h"

namespace splat {

Result<Evaluation> evaluate(Backend& backend, const EvaluationRequest& request) {
  Evaluation evaluation;
  RenderSettings settings = request.render;
  settings.sh_degree = kMaxShDegree;
  ImageF render;
  std::vector<PoseFit> poses;
  if (request.align_steps > 0) {
    SPLAT_ASSIGN_OR_RETURN(
        poses, align_poses(backend, {request.dataset, request.images, request.views, settings, request.align_steps}));
  }
  request.images.prefetch(request.views);
  for (int index : request.views) {
    SPLAT_CHECK_LT(size_t(index), request.dataset.views.size());
    const DatasetView& view = request.dataset.views[size_t(index)];
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, request.images.get(index));
    SPLAT_CHECK(photo->alpha.empty() || photo->background == settings.background);
    backend.forward(view.view(), settings);
    backend.read_image(render);
    const ImageMetrics metrics = image_metrics(render, *photo, request.pool);
    evaluation.views.push_back({index, view.name, metrics.psnr, metrics.ssim, {}, {}, {}, {}});
    if (request.metrics == Metrics::kAll) {
      evaluation.views.back().flip = flip(render, *photo, request.pool);
      evaluation.views.back().psnr_fitted = image_psnr(colour_fitted(render, *photo), *photo);
      evaluation.views.back().tiles = tile_extremes(render, *photo);
    }
    if (request.on_view) request.on_view(evaluation.views.back(), render, *photo);
    if (poses.empty()) continue;
    const PoseFit& fit = poses[evaluation.views.size() - 1];
    backend.forward({view.camera, fit.cam_from_world}, settings);
    backend.read_image(render);
    const ImageMetrics aligned = image_metrics(render, *photo, request.pool);
    evaluation.views.back().aligned = {aligned.psnr, aligned.ssim, fit.moved_px};
  }
  const double count = double(evaluation.views.size());
  for (const ViewMetrics& view : evaluation.views) {
    const auto add = [&](std::optional<double>& mean, const auto& value) {
      if (value) mean = mean.value_or(0) + *value / count;
    };
    evaluation.psnr += view.psnr / count;
    evaluation.ssim += view.ssim / count;
    add(evaluation.flip, view.flip);
    add(evaluation.psnr_fitted, view.psnr_fitted);
    if (!view.aligned) continue;
    add(evaluation.psnr_aligned, std::optional(view.aligned->psnr));
    add(evaluation.ssim_aligned, std::optional(view.aligned->ssim));
  }
  return evaluation;
}

}  // namespace splat
