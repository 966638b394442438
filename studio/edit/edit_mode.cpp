#include "studio/edit/edit_mode.h"

#include <utility>

namespace studio {

using splat::edit::SelectMode;

SelectMode mode_of(Modifiers modifiers) {
  if (modifiers.shift && modifiers.control) return SelectMode::kIntersect;
  return modifiers.shift ? SelectMode::kAdd : modifiers.control ? SelectMode::kRemove : SelectMode::kSet;
}

EditMode::EditMode() : tools(all_tools()), crop(the<CropTool>()), chosen_(tools.front().get()) {}

ShownMove EditMode::shown_move() const {
  for (const auto& one : tools)
    if (const ShownMove move = one->shown(); move.moves()) return move;
  return {};
}

void EditMode::forget() {
  scene.reset();
  measure.reopen();
  for (const auto& one : tools) one->forget();
  objects = {};
  near = 0;
  range_known = false;
  cleanup.forget();
  on = false;
  ++scenes;
}

void EditMode::take(EditedScene&& next) {
  if (!next.histogram && scene) next.histogram = std::move(scene->histogram);  // it was not asked for
  if (!next.extent && scene) next.extent = scene->extent;                      // likewise: of a file that was saved
  scene = std::move(next);
  measure.follow(scene->placed, scene->file_scale);
  for (const auto& one : tools) one->answered(*scene);
  if (near <= 0) near = scene->usual_distance;
  ++scenes;
}

void EditMode::choose(Tool& next) {
  tool().cancel();
  chosen_ = &next;
}

}  // namespace studio
