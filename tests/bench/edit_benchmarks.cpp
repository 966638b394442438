// What editing takes on a large scene: edit_benchmarks [SPLATS] [THREADS]. The steps of the window at 1600x1060, by the
// engine's renderer, as they are carried out behind it (studio/edit/editing.h); medians of 9, wall and processor time.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "devices/registry.h"
#include "splat/bench/bench_scene.h"
#include "studio/edit/editing.h"
#include "viewer/live/variant_drawer.h"

namespace {

using studio::EditRequest;
namespace edit = splat::edit;

constexpr int kWidth = 1600, kHeight = 1060;

double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// `before` is not measured.
void measure(const char* what, int times, const std::function<void()>& before, const std::function<void()>& work) {
  std::vector<double> wall, processor;
  for (int i = 0; i < times; ++i) {
    before();
    const double wall_before = wall_ms(), processor_before = processor_ms();
    work();
    processor.push_back(processor_ms() - processor_before);
    wall.push_back(wall_ms() - wall_before);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  std::printf("%-44s %8.1f ms wall %8.1f ms of the processor\n", what, wall[wall.size() / 2],
              processor[processor.size() / 2]);
  std::fflush(stdout);
}

// As the engine's thread has it.
class Model final : public viewer::EngineModel {
 public:
  Model(splat::Gaussians model, int threads)
      : edited_(std::move(model), splat::edit::EditedModel::kHistoryBytes, threads),
        drawer_([threads]() -> splat::Result<std::unique_ptr<splat::Backend>> {
          SPLAT_ASSIGN_OR_RETURN(auto made, splat::make_backend("cpu", -1, threads));
          return std::move(made.backend);
        }) {}
  splat::edit::EditedModel& edited() override { return edited_; }
  splat::Result<splat::Backend*> seeing(const splat::View& view, const splat::ScreenFilter& filter) override {
    SPLAT_TRY(drawer_.prepare(settings_, edited_.model(), {edited_.states(), {}}));
    return &drawer_.seeing(view, filter);
  }
  splat::Result<splat::ImageF> picture(const splat::View&, const splat::ScreenFilter&) override {
    return splat::Error{"not measured"};
  }
  void set_reasons(std::vector<uint8_t>) override {}
  void draw(const splat::View& view) {
    SPLAT_CHECK(drawer_.prepare(settings_, edited_.model(), {edited_.states(), {}}).ok());
    drawer_.draw({view, settings_}, 1);
  }
  void forget_picture(splat::View other) {  // the camera was elsewhere
    other.camera = {32, 32, 30, 30, 16, 16};
    draw(other);
  }

 private:
  static viewer::DisplaySettings of_edit_mode() {
    viewer::DisplaySettings settings;
    settings.selection = viewer::SelectionTint::kPlain;
    return settings;
  }

  const viewer::DisplaySettings settings_ = of_edit_mode();
  splat::edit::EditedModel edited_;
  viewer::VariantDrawer drawer_;
};

edit::SelectOnScreen rectangle(const splat::View& view, bool visible) {
  const std::vector<edit::ScreenPoint> corners{{500, 300}, {1100, 300}, {1100, 800}, {500, 800}};
  return {{view, edit::polygon_mask(kWidth, kHeight, corners)}, visible};
}

edit::SelectOnScreen stroke(const splat::View& view, double y) {
  edit::SelectOnScreen step = rectangle(view, true);
  step.mode = edit::SelectMode::kAdd;
  std::fill(step.mask.pixels.begin(), step.mask.pixels.end(), uint8_t(0));
  edit::add_brush(step.mask, {400, y}, {1200, y + 60}, 40);
  return step;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t splats = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2, times = splats > 100000 ? 9 : 1;
  splat::bench::Scene scene = splat::bench::make_scene({splats, kWidth, kHeight});
  Model model(std::move(scene.model), threads);
  studio::Editing editing(threads, "", "");
  const splat::View& view = scene.view;
  const auto carry_out = [&](const EditRequest& request) { SPLAT_CHECK(editing.carry_out(request, model).ok()); };
  const auto nothing = [] {};
  const auto deselect = [&] { carry_out({edit::SelectNone{}}); };
  std::printf("%zu splats, %d threads\n", splats, threads);

  carry_out({});
  measure("rectangle through", times, deselect, [&] { carry_out({rectangle(view, false)}); });
  std::printf("selected: %zu\n", model.edited().count(splat::edit::kSelected));
  measure(
      "undo of it", times, [&] { deselect(), carry_out({rectangle(view, false)}); },
      [&] { carry_out({edit::Undo{}}); });
  measure("invert", times, nothing, [&] { carry_out({edit::InvertSelection{}}); });
  for (const auto& [what, value] : {std::pair("histogram of opacity", splat::edit::RowValue::kOpacity),
                                    std::pair("histogram of size", splat::edit::RowValue::kSize)}) {
    EditRequest request;
    request.wants.histogram = value;
    measure(what, times, nothing, [&] { carry_out(request); });
  }
  deselect();
  measure(
      "a sharp picture", times, [&] { model.forget_picture(view); }, [&] { model.draw(view); });
  measure(
      "first visible stroke of a brush", times, [&] { model.forget_picture(view), deselect(); },
      [&] { carry_out({stroke(view, 300)}); });
  double y = 0;
  measure(
      "next visible stroke", times, [&] { model.draw(view), y = y > 600 ? 100 : y + 50; },
      [&] { carry_out({stroke(view, y)}); });
  measure(
      "picture of it", times, [&] { carry_out({stroke(view, y += 7)}); }, [&] { model.draw(view); });
  measure(
      "delete", times, [&] { carry_out({edit::Undo{}}), carry_out({rectangle(view, false)}); },
      [&] { carry_out({edit::DeleteSelected{}}); });
}
