#include "studio/compare/service.h"

#include <algorithm>
#include <utility>

#include "app/jobs/training/report/pictures.h"
#include "io/dataset/training_image.h"
#include "splat/core/log.h"
#include "splat/metrics/image_metrics.h"

namespace studio {

namespace log = splat::log;

namespace {

splat::ImageF float_image(const EngineImage& image) {
  const size_t pixels = size_t(image.width) * size_t(image.height);
  splat::ImageF out{image.width, image.height, std::vector<float>(3 * pixels)};
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t i = 0; i < pixels; ++i) out.rgb[channel * pixels + i] = float(image.rgba[i * 4 + channel]) / 255;
  return out;
}

Comparison compared(int view, int iteration, const splat::ImageF& render, const splat::TrainingImage& photo) {
  const splat::ImageMetrics metrics = splat::image_metrics(render, photo);
  return {view, iteration, to_image8(render), to_image8(photo), error_map(render, photo), metrics.psnr, metrics.ssim};
}

// Without pictures: the window goes on to the next photo.
Comparison not_compared(int view) {
  Comparison none;
  none.view = view;
  return none;
}

}  // namespace

CompareService::CompareService(Context& context) : context_(context) {
  context_.bridge.requests.on<WantComparison>([this](WantComparison&& wanted) {
    const auto photo = context_.documents.photo_view(wanted.view);
    if (!photo) return;
    context_.model.run() ? compare_with_run(wanted.view, photo->name) : compare_with_file(wanted.view, *photo);
  });
}

void CompareService::compare_with_run(int index, const std::string& name) {
  context_.model.run()->ask([this, name, index](TrainingRun& run) {
    const std::vector<splat::DatasetView>& views = run.dataset().views;  // without those that are all masked
    const auto view = std::find_if(views.begin(), views.end(), [&](const auto& v) { return v.name == name; });
    if (view == views.end()) return context_.report(not_compared(index));
    const auto photo = run.photos().get(int(view - views.begin()));
    if (!photo) {
      log::error(photo.error().message);
      return context_.report(not_compared(index));
    }
    splat::Backend& backend = *run.backend().backend;
    backend.forward(view->view(), splat::evaluation_settings(run.options().train));
    splat::ImageF render;
    backend.read_image(render);
    context_.report(compared(index, run.trainer().iteration(), render, **photo));
  });
}

// The photo is read on the opening thread, the picture made on the engine's.
void CompareService::compare_with_file(int index, const splat::DatasetView& view) {
  context_.openings.add([this, view, index] {
    const RenderRequest request{view.view(),
                                context_.documents.with([](const OpenScene& scene) { return scene.as_trained; })};
    auto photo = io::load_training_image(view, request.settings.background);
    if (!photo) {
      log::error(photo.error().message);
      return context_.report(not_compared(index));
    }
    context_.model.opened().draw_once(request, [this, photo = std::move(*photo), index](const EngineImage& image) {
      if (!image.rgba.empty()) context_.report(compared(index, -1, float_image(image), photo));
    });
  });
}

}  // namespace studio
