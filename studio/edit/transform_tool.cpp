#include "studio/edit/transform_tool.h"

#include <cmath>

#include "viewer/widgets/icons.h"

namespace studio {

using splat::Similarity;

Similarity about(const Similarity& by, const std::array<double, 3>& centre) {
  Similarity result{by.scale, by.rotation, {}};
  const std::array<double, 3> at = result * centre;
  for (size_t i = 0; i < 3; ++i) result.translation[i] = centre[i] - at[i] + by.translation[i];
  return result;
}

Similarity transform_of(TransformKind kind, const TransformNumbers& numbers, const std::array<double, 3>& centre) {
  switch (kind) {
    case TransformKind::kMove:
      return {1, {1, 0, 0, 0}, numbers.move};
    case TransformKind::kTurn: {
      const Similarity turn{1, splat::quat_about_axes(numbers.turn_deg)};
      return turn.is_identity() ? turn : about(turn, centre);
    }
    case TransformKind::kScale:
      break;
  }
  return about({numbers.scale}, centre);
}

TransformTool::TransformTool()
    : Tool({"Transform",
            "Move, turn (T again) or scale the selection, or all where nothing is selected. Ctrl snaps, Escape "
            "abandons a drag",
            "Transform tool", "T"},
           icon::kTransform) {}

double TransformTool::move_step(double extent) {
  return extent > 0 && std::isfinite(extent) ? std::pow(10, std::floor(std::log10(extent / 10))) : 1;
}

void TransformTool::drag(const Similarity& by, const EditedScene& scene) {
  if (waiting_) return;
  dragging_ = true;
  shown_ = {by, scene.selected == 0, scene.revision};
}

void TransformTool::cancel() {
  if (waiting_) return;
  dragging_ = false;
  shown_ = {};
}

std::optional<EditStep> TransformTool::finish() {
  if (!dragging_) return std::nullopt;
  dragging_ = false;
  if (!shown_.moves()) return shown_ = {}, std::nullopt;
  waiting_ = true;
  if (shown_.all) return splat::edit::MoveAll{shown_.by};
  return splat::edit::MoveSelected{shown_.by};
}

std::optional<EditStep> TransformTool::apply_numbers(const EditedScene& scene) {
  if (waiting_ || !scene.extent) return std::nullopt;
  const Similarity by = transform_of(kind, numbers, scene.extent->centre);
  numbers = {};
  if (!(by.scale > 0) || !std::isfinite(by.scale)) return std::nullopt;
  for (const double value : by.translation)
    if (!std::isfinite(value)) return std::nullopt;
  drag(by, scene);
  return finish();
}

// What was shown is in the rows now.
void TransformTool::rows_changed(uint64_t revision) {
  if (revision == shown_.revision) return;
  shown_ = {};
  dragging_ = false;
}

void TransformTool::answered(const EditedScene& scene) {
  if (!scene.transformed && scene.revision == shown_.revision) return;
  if (waiting_) shown_ = {};
  waiting_ = false;
}

}  // namespace studio
