// Renders views of a dataset and compares them with their photos: the one way to PSNR, SSIM and FLIP, for the summary
// of a training run and for --evaluate alike. Uses all SH degrees the model stores.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/metrics/image_metrics.h"
#include "splat/metrics/tiles.h"
#include "splat/model/dataset.h"

namespace splat {

struct ViewMetrics {
  int view = 0;  // index in the dataset
  std::string name;
  double psnr = 0;  // dB
  double ssim = 0;
  std::optional<double> flip;         // splat/metrics/flip.h; where all metrics were asked for
  std::optional<double> psnr_fitted;  // dB, likewise, with the colours fitted: metrics/colour_fit.h
  std::optional<TileExtremes> tiles;  // likewise; none where nearly all is masked
  // With the pose fitted to the photo, the splats held still (pose_fit.h); where that was asked for.
  struct Aligned {
    double psnr = 0, ssim = 0, moved_px = 0;
  };
  std::optional<Aligned> aligned = std::nullopt;
};

struct Evaluation {
  std::vector<ViewMetrics> views;
  double psnr = 0;  // mean over the views, dB; 0 without views
  double ssim = 0;
  std::optional<double> flip, psnr_fitted, psnr_aligned, ssim_aligned;
};

enum class Metrics { kQuick, kAll };  // PSNR and SSIM, as often as training wants; or FLIP too

struct EvaluationRequest {
  const Dataset& dataset;
  ImageSource& images;
  std::span<const int> views;  // indices in the dataset, in this order
  RenderSettings render;       // background and antialias as trained
  ThreadPool* pool = nullptr;
  // Called for each view, e.g. to write the pictures; arguments are valid during the call.
  std::function<void(const ViewMetrics&, const ImageF& render, const TrainingImage& photo)> on_view = nullptr;
  Metrics metrics = Metrics::kQuick;
  int align_steps = 0;  // of align_pose(), for each view; 0: poses as given alone
};

inline constexpr int kAlignSteps = 100;  // as nerfstudio and gsplat take

Result<Evaluation> evaluate(Backend& backend, const EvaluationRequest& request);

}  // namespace splat
