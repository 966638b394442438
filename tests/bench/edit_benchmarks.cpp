// What editing takes on a large scene: edit_benchmarks [SPLATS]. One thread, median of 9, wall and processor time.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "splat/core/random.h"
#include "splat/edit/edited_model.h"
#include "splat/edit/selectors.h"

namespace {

using splat::edit::SelectMode;

double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// `before` is not measured.
void measure(const char* what, const std::function<void()>& before, const std::function<void()>& work) {
  std::vector<double> wall, processor;
  for (int i = 0; i < 9; ++i) {
    before();
    const double wall_before = wall_ms(), processor_before = processor_ms();
    work();
    processor.push_back(processor_ms() - processor_before);
    wall.push_back(wall_ms() - wall_before);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  std::printf("%-44s %8.1f ms wall %8.1f ms of the processor\n", what, wall[4], processor[4]);
}

// A ball of splats before the camera, in no order.
splat::Gaussians ball(size_t splats) {
  splat::Gaussians model;
  model.resize(splats);
  splat::random::Sequence random(1, splat::random::kTest);
  for (size_t i = 0; i < model.means.size(); ++i) model.means[i] = float(random.normal()) + (i % 3 == 2 ? 6.0f : 0.0f);
  for (float& x : model.logit_opacities) x = float(random.normal());
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t splats = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000000;
  splat::ThreadPool pool(1);
  splat::edit::EditedModel edited(ball(splats), splat::edit::EditedModel::kHistoryBytes, 1);
  const splat::View view{{1600, 1060, 1200, 1200, 800, 530}, {}};
  const std::vector<splat::edit::ScreenPoint> rectangle{{500, 300}, {1100, 300}, {1100, 800}, {500, 800}};
  const auto nothing = [] {};
  const auto select = [&] {
    const auto mask = splat::edit::polygon_mask(1600, 1060, rectangle);
    edited.select(splat::edit::rows_behind_mask(edited.model(), view, mask, pool), SelectMode::kSet);
  };
  std::printf("%zu splats, one thread\n", splats);
  measure(
      "rectangle at 1600x1060, through", [&] { edited.select_none(); }, select);
  std::printf("selected: %zu, steps take %.1f MB\n", edited.count(splat::edit::kSelected),
              double(edited.history().bytes()) / 1e6);
  measure(
      "undo of a rectangle", [&] { edited.select_none(), select(); }, [&] { edited.undo(); });
  measure("invert", nothing, [&] { edited.invert_selection(); });
  measure(
      "delete", [&] { edited.restore_deleted(), select(); }, [&] { edited.delete_selected(); });
  measure("values of a histogram (opacity)", nothing,
          [&] { splat::edit::row_values(edited.model(), splat::edit::RowValue::kOpacity, pool); });
}
