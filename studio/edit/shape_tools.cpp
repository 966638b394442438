#include "studio/edit/shape_tools.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "splat/edit/selectors.h"
#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"
#include "viewer/widgets/icons.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

using splat::edit::Drawn;
using splat::edit::ScreenMask;
using splat::edit::ScreenPoint;

constexpr double kLeastStepPx = 2;  // between two points of a lasso
constexpr double kClosesPx = 10;    // from a polygon's first corner
constexpr double kPickPx = 0.8;     // around the pixel whose colour is picked
constexpr double kClickPx = 3;      // a smaller rectangle or lasso selects this much around the pixel

double distance(const ScreenPoint& a, const ScreenPoint& b) { return std::hypot(a.x - b.x, a.y - b.y); }

ScreenMask brushed(ScreenMask mask, const std::vector<ScreenPoint>& points, double radius) {
  mask.pixels.resize(size_t(mask.width) * size_t(mask.height));
  for (size_t i = 0; i < points.size(); ++i) splat::edit::add_brush(mask, points[i > 0 ? i - 1 : 0], points[i], radius);
  return mask;
}

void depth_options(EditMode& edit) {
  ImGui::SameLine();
  if (toggle_button("Visible", "Shapes select the splats that are seen in them (X switches)", edit.visible))
    edit.visible = true;
  ImGui::SameLine();
  if (toggle_button("Through", "Shapes select everything whose centre lies behind them, seen or not (X switches)",
                    !edit.visible))
    edit.visible = false;
}

void tolerance_options(EditMode& edit) {
  ImGui::SameLine();
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  slider("##tolerance", &edit.tolerance, {0.01f, 0.5f, 0.1f});
  tooltip("Tolerance: how much red, green and blue may differ, 0 to 1. Default 0.1");
}

// What a shape is drawn with, over the scene.
struct Pen {
  std::vector<ImVec2> path;  // of its points
  ImVec2 pointer;
  ImU32 line;
  float thick, unit;  // unit: of the interface per px
  ImDrawList& list;

  static constexpr ImU32 kFill = IM_COL32(255, 160, 30, 40);
  void rectangle(const ImVec2& a, const ImVec2& b) const {
    list.AddRectFilled(a, b, kFill);
    list.AddRect(a, b, line, 0, thick);
  }
  void loop(const std::vector<ImVec2>& corners) const {
    list.AddPolyline(corners.data(), int(corners.size()), line, thick, ImDrawFlags_Closed);
  }
};

// Here: one click, at a pixel.
class ShapeTool : public Tool {
 public:
  using Tool::Tool;

  void cancel() override { points_.clear(); }
  void forget() override { cancel(); }
  bool drawing() const override { return !points_.empty(); }
  bool take_keys(Workspace& work, const std::string& keys) override {
    if (without_shift(keys) == "Escape" && drawing()) return cancel(), true;
    return Tool::take_keys(work, keys);
  }
  bool take_pointer(Workspace& work, const InputEvent& event, double /*scale*/) override {
    using Kind = InputEvent::Kind;
    if (is_press(event)) return press(work, event), true;
    switch (event.kind) {
      case Kind::kMove:
        if (drawing()) move({event.x, event.y});
        return drawing();
      case Kind::kRelease:
        if (event.button != MouseButton::kLeft || !drawing()) return false;
        release(work, event);
        return true;
      case Kind::kFocusLost:
        cancel();
        return false;
      default:
        return false;
    }
  }
  void draw_strip(Workspace& work) override { depth_options(work.edit); }
  void draw_over_scene(Workspace& work, const ScenePlace& scene) override {
    const auto at = [&](const ScreenPoint& p) { return scene.at(Pixel{p.x, p.y}); };
    Pen pen{{},
            at(work.edit.pointer),
            packed(work.appearance.colours().accent),
            1.5f * work.appearance.scale,
            1 / scene.pixels_per_unit,
            *ImGui::GetBackgroundDrawList()};
    for (const ScreenPoint& point : points_) pen.path.push_back(at(point));
    pen.list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
    draw(pen);
    pen.list.PopClipRect();
  }

 protected:
  virtual void press(Workspace&, const InputEvent& event) { points_ = {{event.x, event.y}}; }
  virtual void move(const ScreenPoint&) {}
  virtual void release(Workspace& work, const InputEvent& event) { finish(work, event.modifiers); }
  virtual ScreenMask fill(ScreenMask picture) const { return brushed(std::move(picture), {points_.front()}, kPickPx); }
  virtual EditStep step(const EditMode& edit, Drawn&& drawn) const {
    return splat::edit::SelectOnScreen{std::move(drawn), edit.visible};
  }
  virtual void draw(const Pen&) const {}

  void finish(Workspace& work, Modifiers modifiers) {
    const splat::View view = work.look.navigator.view();
    EditStep made = step(work.edit, {view, fill({view.camera.width, view.camera.height, {}}), mode_of(modifiers)});
    cancel();
    send_edit(work, {std::move(made)});
  }
  ScreenMask between_ends(ScreenMask picture) const {
    const ScreenPoint &a = points_.front(), &b = points_.back();
    if (distance(a, b) < kClickPx) return brushed(std::move(picture), points_, kClickPx);
    const std::array<ScreenPoint, 4> corners{{{a.x, a.y}, {b.x, a.y}, {b.x, b.y}, {a.x, b.y}}};
    return splat::edit::polygon_mask(picture.width, picture.height, corners);
  }
  void follow(const ScreenPoint& to) {
    if (distance(points_.back(), to) >= kLeastStepPx) points_.push_back(to);
  }

  std::vector<ScreenPoint> points_;  // px
};

struct RectangleTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  void move(const ScreenPoint& to) override { points_ = {points_.front(), to}; }
  ScreenMask fill(ScreenMask picture) const override { return between_ends(std::move(picture)); }
  void draw(const Pen& pen) const override {
    if (pen.path.size() > 1) pen.rectangle(pen.path[0], pen.path[1]);
  }
};

struct LassoTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  void move(const ScreenPoint& to) override { follow(to); }
  ScreenMask fill(ScreenMask picture) const override {
    if (points_.size() > 2) return splat::edit::polygon_mask(picture.width, picture.height, points_);
    return between_ends(std::move(picture));
  }
  void draw(const Pen& pen) const override { pen.loop(pen.path); }
};

struct PolygonTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  bool take_keys(Workspace& work, const std::string& keys) override {
    if (without_shift(keys) != "Enter" || points_.size() < 3) return ShapeTool::take_keys(work, keys);
    finish(work, {keys != "Enter", false, false});
    return true;
  }
  void press(Workspace& work, const InputEvent& event) override {
    const ScreenPoint at{event.x, event.y};
    const bool ends = points_.size() > 2 &&
                      (event.kind == InputEvent::Kind::kDoubleClick || distance(points_.front(), at) < kClosesPx);
    ends ? finish(work, event.modifiers) : points_.push_back(at);
  }
  void release(Workspace&, const InputEvent&) override {}
  ScreenMask fill(ScreenMask picture) const override {
    return splat::edit::polygon_mask(picture.width, picture.height, points_);
  }
  void draw(const Pen& pen) const override {
    if (!drawing()) return;
    std::vector<ImVec2> corners = pen.path;
    corners.push_back(pen.pointer);
    pen.loop(corners);
  }
};

struct BrushTool final : ShapeTool {
  static constexpr float kSmallest = 2, kLargest = 500;  // px

  using ShapeTool::ShapeTool;
  bool take_keys(Workspace& work, const std::string& keys) override {
    constexpr float kNotch = 1.15f;
    const std::string key = without_shift(keys);
    if (key != "[" && key != "]") return ShapeTool::take_keys(work, keys);
    radius_ = std::clamp(key == "[" ? radius_ / kNotch : radius_ * kNotch, kSmallest, kLargest);
    return true;
  }
  void draw_strip(Workspace& work) override {
    depth_options(work.edit);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
    slider("##brush", &radius_, {kSmallest, kLargest, 40, "%.0f px", true});
    tooltip("Radius of the brush, px ([ and ]). Default 40");
  }
  void move(const ScreenPoint& to) override { follow(to); }
  ScreenMask fill(ScreenMask picture) const override { return brushed(std::move(picture), points_, double(radius_)); }
  void draw(const Pen& pen) const override {
    constexpr ImU32 kPaint = IM_COL32(255, 160, 30, 70);
    const float radius = radius_ * pen.unit;
    if (pen.path.size() > 1) pen.list.AddPolyline(pen.path.data(), int(pen.path.size()), kPaint, 2 * radius);
    pen.list.AddCircle(pen.pointer, radius, pen.line, 0, pen.thick);
  }

 private:
  float radius_ = 40;  // px
};

struct ColourTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  void draw_strip(Workspace& work) override {
    ImGui::BeginDisabled();  // it takes all of a colour; the tolerance stands where it does for flooding
    depth_options(work.edit);
    ImGui::EndDisabled();
    tolerance_options(work.edit);
  }
  EditStep step(const EditMode& edit, Drawn&& drawn) const override {
    return splat::edit::SelectByColour{std::move(drawn), edit.tolerance};
  }
};

struct FloodTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  void draw_strip(Workspace& work) override {
    depth_options(work.edit);
    tolerance_options(work.edit);
  }
  EditStep step(const EditMode& edit, Drawn&& drawn) const override {
    return splat::edit::SelectByFlood{std::move(drawn), edit.visible, edit.tolerance};
  }
};

// From a middle, which lies on what is seen there, as far as the drag goes.
template <class Step>
struct AroundTool final : ShapeTool {
  using ShapeTool::ShapeTool;
  void draw_strip(Workspace& work) override { strip_text(work, offer.tip); }
  void move(const ScreenPoint& to) override { points_ = {points_.front(), to}; }
  EditStep step(const EditMode&, Drawn&& drawn) const override {
    return Step{std::move(drawn), std::max(distance(points_.front(), points_.back()), kClickPx)};
  }
  void draw(const Pen& pen) const override {
    if (pen.path.size() < 2) return;
    const ImVec2 middle = pen.path[0];
    const float r = std::hypot(pen.path[1].x - middle.x, pen.path[1].y - middle.y);
    if (std::is_same_v<Step, splat::edit::SelectInBox>)
      return pen.rectangle({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r});
    pen.list.AddCircleFilled(middle, r, Pen::kFill);
    pen.list.AddCircle(middle, r, pen.line, 0, pen.thick);
  }
};

template <class Shape>
void add(std::vector<std::unique_ptr<Tool>>& all, const Offer& offer, const char* letter, Presses presses) {
  all.push_back(std::make_unique<Shape>(offer, letter, presses));
}

}  // namespace

std::vector<std::unique_ptr<Tool>> shape_tools() {
  std::vector<std::unique_ptr<Tool>> all;
  add<RectangleTool>(all,
                     {"Rectangle", "Drag a rectangle. Shift adds, Ctrl removes, both intersect", "Rectangle tool", "R"},
                     icon::kRectangle, Presses::kDrags);
  add<LassoTool>(all, {"Lasso", "Drag around a part. Shift adds, Ctrl removes, both intersect", "Lasso tool", "L"},
                 icon::kLasso, Presses::kDrags);
  add<PolygonTool>(
      all,
      {"Polygon", "Click the corners; Enter, a double click or the first corner closes it. Shift adds, Ctrl removes",
       "Polygon tool", "P"},
      icon::kPolygon, Presses::kClicks);
  add<BrushTool>(all,
                 {"Brush", "Paint over a part; [ and ] change the size. Shift adds, Ctrl removes", "Brush tool", "B"},
                 icon::kBrush, Presses::kDrags);
  add<ColourTool>(
      all, {"Colour", "Click a colour: splats like it are selected. Shift adds, Ctrl removes", "Colour tool", "C"},
      icon::kColour, Presses::kClicks);
  add<FloodTool>(
      all,
      {"Flood", "Click an area of one colour: what is seen of it is selected. Shift adds, Ctrl removes, both intersect",
       "Flood tool", "O"},
      icon::kFlood, Presses::kClicks);
  add<AroundTool<splat::edit::SelectInSphere>>(
      all,
      {"Sphere", "Drag from the middle of a sphere, which lies on what is seen there. Shift adds, Ctrl removes",
       "Sphere tool", "N"},
      icon::kSphere, Presses::kDrags);
  add<AroundTool<splat::edit::SelectInBox>>(
      all,
      {"Box", "Drag from the middle of a box along the axes of the world. Shift adds, Ctrl removes, both intersect",
       "Box tool", "Y"},
      icon::kBox, Presses::kDrags);
  return all;
}

}  // namespace studio
