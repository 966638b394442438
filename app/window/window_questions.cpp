// Answers to the window: photos, comparisons, the point under the cursor.
#include <algorithm>
#include <utility>

#include "app/run/report/pictures.h"
#include "app/window/opening.h"
#include "app/window/training_choices.h"
#include "app/window/window_session_impl.h"
#include "io/dataset/training_image.h"
#include "splat/core/log.h"
#include "splat/metrics/image_metrics.h"
#include "viewer/camera/pick.h"

namespace app {

namespace log = splat::log;

namespace {

splat::ImageF float_image(const viewer::EngineImage& image) {
  const size_t pixels = size_t(image.width) * size_t(image.height);
  splat::ImageF out{image.width, image.height, std::vector<float>(3 * pixels)};
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t i = 0; i < pixels; ++i) out.rgb[channel * pixels + i] = float(image.rgba[i * 4 + channel]) / 255;
  return out;
}

viewer::Comparison compared(int view, int iteration, const splat::ImageF& render, const splat::TrainingImage& photo) {
  const splat::ImageMetrics metrics = splat::image_metrics(render, photo);
  return {view, iteration, to_image8(render), to_image8(photo), error_map(render, photo), metrics.psnr, metrics.ssim};
}

// Without pictures: the window goes on to the next photo.
viewer::Comparison not_compared(int view) {
  viewer::Comparison none;
  none.view = view;
  return none;
}

}  // namespace

std::optional<splat::DatasetView> WindowSession::Impl::photo_view(int index) {
  std::lock_guard lock(scene_mutex);
  if (!scene.photos || index < 0 || size_t(index) >= scene.photos->views.size()) return std::nullopt;
  return scene.photos->views[size_t(index)];
}

std::array<float, 3> WindowSession::Impl::background_as_trained() {
  std::lock_guard lock(scene_mutex);
  return scene.as_trained.background;
}

// Only the newest request counts: a number that is being typed sends several.
void WindowSession::Impl::carry_out(viewer::WantRunPreview& command) {
  const std::filesystem::path data = training_data();
  if (data.empty()) return;
  openings.add([this, data, mine = ++run_preview_wanted, choices = std::move(command.choices)] {
    if (run_preview_wanted != mine) return;
    auto preflight = run_preview_for(data, choices);
    if (!preflight) return state.run_preview.put({{}, {}, preflight.error().message});
    state.run_preview.put(std::move(*preflight));
  });
}

void WindowSession::Impl::carry_out(viewer::WantCommandLine& command) {
  const std::filesystem::path data = training_data();
  if (!data.empty()) state.command_line.put(command_line_of(data, command.choices));
}

void WindowSession::Impl::carry_out(viewer::WantPhoto& command) {
  const auto view = photo_view(command.view);
  if (!view) return;
  openings.add([this, view = *view, command] {
    auto picture = read_photo(view, background_as_trained(), command.max_side);
    if (!picture) return log::error(picture.error().message);
    state.photo.put({command.view, std::move(*picture)});
  });
}

void WindowSession::Impl::carry_out(viewer::WantComparison& command) {
  const auto view = photo_view(command.view);
  if (!view) return;
  if (training)
    compare_with_run(command, view->name);
  else
    compare_with_file(command, *view);
}

void WindowSession::Impl::compare_with_run(const viewer::WantComparison& command, const std::string& name) {
  training->ask([this, name, command](TrainingRun& run) {
    const std::vector<splat::DatasetView>& views = run.dataset().views;  // without those that are all masked
    const auto view = std::find_if(views.begin(), views.end(), [&](const auto& v) { return v.name == name; });
    if (view == views.end()) return state.comparison.put(not_compared(command.view));
    const auto photo = run.photos().get(int(view - views.begin()));
    if (!photo) {
      log::error(photo.error().message);
      return state.comparison.put(not_compared(command.view));
    }
    splat::Backend& backend = *run.backend().backend;
    backend.forward(view->view(), splat::evaluation_settings(run.options().train));
    splat::ImageF render;
    backend.read_image(render);
    state.comparison.put(compared(command.view, run.trainer().iteration(), render, **photo));
  });
}

// The photo is read on the opening thread, the picture made on the engine's.
void WindowSession::Impl::compare_with_file(const viewer::WantComparison& command, const splat::DatasetView& view) {
  openings.add([this, view, command] {
    viewer::RenderRequest request{view.view(), {}};
    {
      std::lock_guard lock(scene_mutex);
      request.settings = scene.as_trained;
    }
    auto photo = io::load_training_image(view, request.settings.background);
    if (!photo) {
      log::error(photo.error().message);
      return state.comparison.put(not_compared(command.view));
    }
    engine.draw_once(request, [this, photo = std::move(*photo), command](const viewer::EngineImage& image) {
      if (!image.rgba.empty()) state.comparison.put(compared(command.view, -1, float_image(image), photo));
    });
  });
}

void WindowSession::Impl::carry_out(viewer::PickPoint& command) {
  const auto pick = [this, command](const splat::Gaussians& model, bool antialias,
                                    std::span<const uint8_t> left_out = {}) {
    splat::ThreadPool pool(options.device.threads);
    state.picked.put({viewer::pick_point(model, antialias, command.view, command.x, command.y, pool, left_out),
                      command.use, command.object});
  };
  if (training) {
    training->ask([pick](TrainingRun& run) { pick(run.trainer().model(), run.options().train.antialias); });
    return;
  }
  engine.run(
      [this, pick, object = command.object](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
        bool antialias = false;
        {
          std::lock_guard lock(scene_mutex);
          antialias = scene.file_info.antialiased;
        }
        std::vector<uint8_t> left_out;
        if (edited) left_out.assign(edited->states().begin(), edited->states().end());
        for (uint8_t& one : left_out) one &= splat::edit::kNotShown;
        if (object && edited)
          for (size_t row = 0; row < left_out.size(); ++row) left_out[row] |= edited->objects()[row] != *object;
        pick(model, antialias, left_out);
      });
}

}  // namespace app
