#include "studio/edit/edit_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace studio {

using splat::edit::ScreenMask;
using splat::edit::ScreenPoint;
using splat::edit::SelectMode;

namespace {

constexpr float kBrushStep = 1.15f;  // a notch
constexpr double kLeastStepPx = 2;   // between two points of a lasso
constexpr double kClosesPx = 10;     // from a polygon's first corner
constexpr double kPickPx = 0.8;      // around the pixel whose colour is picked
constexpr double kClickPx = 3;       // a smaller rectangle or lasso selects this much around the pixel

double distance(const ScreenPoint& a, const ScreenPoint& b) { return std::hypot(a.x - b.x, a.y - b.y); }

bool around_a_point(EditTool tool) { return tool == EditTool::kSphere || tool == EditTool::kBox; }
bool picks_a_pixel(EditTool tool) {
  return around_a_point(tool) || tool == EditTool::kColour || tool == EditTool::kFlood;
}

std::vector<ScreenPoint> rectangle(const ScreenPoint& a, const ScreenPoint& b) {
  return {{a.x, a.y}, {b.x, a.y}, {b.x, b.y}, {a.x, b.y}};
}

}  // namespace

SelectMode mode_of(Modifiers modifiers) {
  if (modifiers.shift && modifiers.control) return SelectMode::kIntersect;
  return modifiers.shift ? SelectMode::kAdd : modifiers.control ? SelectMode::kRemove : SelectMode::kSet;
}

void EditMode::forget() {
  scene.reset();
  step_.reset();
  measured_.reset();
  measure.reopen();
  transform.forget();
  crop.clips = false;
  align = {};
  objects = {};
  near = 0;
  range_known = false;
  cleanup.forget();
  cancel_shape();
  on = false;
  ++scenes;
}

void EditMode::take(EditedScene&& next) {
  if (!next.histogram && scene) next.histogram = std::move(scene->histogram);  // it was not asked for
  if (!next.extent && scene) next.extent = scene->extent;                      // likewise: of a file that was saved
  scene = std::move(next);
  if (scene->box) crop.set(scene->box);
  measure.follow(scene->placed, scene->file_scale);
  transform.answered(*scene);
  align.answered(*scene);
  if (near <= 0) near = scene->usual_distance;
  ++scenes;
}

void EditMode::choose(EditTool next) {
  tool = next;
  cancel_shape();
  transform.abandon();
  align.put_back();
  crop.abandon();
}

void EditMode::step_brush(double notches) {
  brush_px = std::clamp(brush_px * std::pow(kBrushStep, float(notches)), kSmallestBrush, kLargestBrush);
}

bool EditMode::handle(const InputEvent& event, const splat::View& view) {
  using Kind = InputEvent::Kind;
  pointer_ = {event.x, event.y};
  if (!takes_points()) return false;
  const bool left = event.button == MouseButton::kLeft;
  switch (event.kind) {
    case Kind::kPress:
    case Kind::kDoubleClick:
      if (!left || event.modifiers.alt) return false;
      if (tool == EditTool::kAlign && align.shown().moves()) return false;  // it is looked at from all sides
      if (tool == EditTool::kMeasure || tool == EditTool::kAlign) return measured_ = pointer_, true;
      if (tool == EditTool::kPolygon && drawing_ && points_.size() > 2 &&
          (event.kind == Kind::kDoubleClick || distance(points_.front(), pointer_) < kClosesPx))
        return close_polygon(event.modifiers, view);
      if (tool != EditTool::kPolygon) points_.clear();
      drawing_ = true;
      points_.push_back(pointer_);
      return true;
    case Kind::kMove:
      if (!drawing_) return false;
      if (tool == EditTool::kRectangle || around_a_point(tool)) points_.resize(1), points_.push_back(pointer_);
      if ((tool == EditTool::kLasso || tool == EditTool::kBrush) && distance(points_.back(), pointer_) >= kLeastStepPx)
        points_.push_back(pointer_);
      return true;
    case Kind::kRelease:
      if (!left || !drawing_) return false;
      if (tool != EditTool::kPolygon) finish(event.modifiers, view);
      return true;
    case Kind::kFocusLost:
      cancel_shape();
      return false;
    default:
      return false;
  }
}

bool EditMode::close_polygon(Modifiers modifiers, const splat::View& view) {
  if (tool != EditTool::kPolygon || points_.size() < 3) return false;
  finish(modifiers, view);
  return true;
}

ScreenMask EditMode::mask_of_shape(int width, int height) const {
  if (tool == EditTool::kPolygon || (tool == EditTool::kLasso && points_.size() > 2))
    return splat::edit::polygon_mask(width, height, points_);
  if (tool != EditTool::kBrush && !picks_a_pixel(tool) && distance(points_.front(), points_.back()) >= kClickPx)
    return splat::edit::polygon_mask(width, height, rectangle(points_.front(), points_.back()));
  ScreenMask mask{width, height, std::vector<uint8_t>(size_t(width) * size_t(height))};
  if (picks_a_pixel(tool)) {
    splat::edit::add_brush(mask, points_.front(), points_.front(), kPickPx);
    return mask;
  }
  const double radius = tool == EditTool::kBrush ? double(brush_px) : kClickPx;
  for (size_t i = 0; i < points_.size(); ++i)
    splat::edit::add_brush(mask, points_[i > 0 ? i - 1 : 0], points_[i], radius);
  return mask;
}

bool EditMode::takes_drags() const {
  const bool draws = tool == EditTool::kRectangle || tool == EditTool::kLasso || tool == EditTool::kBrush;
  return draws || around_a_point(tool);
}

double EditMode::radius_px() const {
  return around_a_point(tool) && points_.size() > 1 ? distance(points_.front(), points_.back()) : 0;
}

void EditMode::finish(Modifiers modifiers, const splat::View& view) {
  splat::edit::Drawn drawn{view, mask_of_shape(view.camera.width, view.camera.height), mode_of(modifiers)};
  const double radius = std::max(radius_px(), kClickPx);
  switch (tool) {
    case EditTool::kColour:
      step_ = splat::edit::SelectByColour{std::move(drawn), tolerance};
      break;
    case EditTool::kFlood:
      step_ = splat::edit::SelectByFlood{std::move(drawn), visible, tolerance};
      break;
    case EditTool::kSphere:
      step_ = splat::edit::SelectInSphere{std::move(drawn), radius};
      break;
    case EditTool::kBox:
      step_ = splat::edit::SelectInBox{std::move(drawn), radius};
      break;
    default:
      step_ = splat::edit::SelectOnScreen{std::move(drawn), visible};
      break;
  }
  cancel_shape();
}

std::optional<ScreenPoint> EditMode::take_measured() { return std::exchange(measured_, std::nullopt); }

std::optional<EditStep> EditMode::take_step() { return std::exchange(step_, std::nullopt); }

}  // namespace studio
