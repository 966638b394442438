// The edit mode of the window: its tools, what the user has drawn with them so far, and the newest state of the splats.
// Tools end in an EditStep; nothing is changed here. Shift adds, Ctrl removes, both intersect.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "splat/edit/selectors.h"
#include "studio/cleanup/cleanup.h"
#include "studio/documents/measure.h"
#include "studio/edit/align_tool.h"
#include "studio/edit/crop_tool.h"
#include "studio/edit/edit_request.h"
#include "studio/edit/key_pointer.h"
#include "studio/edit/object_editor.h"
#include "studio/edit/transform_tool.h"
#include "viewer/camera/input.h"

namespace studio {

enum class EditTool : uint8_t {
  kRectangle,
  kLasso,
  kPolygon,
  kBrush,
  kColour,
  kFlood,
  kSphere,
  kBox,
  kTransform,
  kCrop,
  kMeasure,
  kAlign,
  kLook
};

class EditMode {
 public:
  static constexpr float kSmallestBrush = 2, kLargestBrush = 500;  // px, radius

  bool on = false;
  EditTool tool = EditTool::kRectangle;
  bool visible = true;     // what is seen in the mask; else everything behind it
  float brush_px = 40;     // radius
  float tolerance = 0.1f;  // of the colour picker and of flooding, [0,1] in every channel
  // The histogram: what it is of while it is shown, whether with logarithmic counts, and the bin a drag began in.
  splat::edit::RowValue value = splat::edit::RowValue::kOpacity;
  bool histogram_shown = false, log_counts = true;
  bool scroll_to_histogram = false;  // it has just been unfolded
  int first_bin = -1;
  std::array<double, 2> range{};     // that was selected last, or is typed; both ends inside
  bool range_known = false;          // it is of the histogram that is shown
  splat::View seen_from, last_view;  // what a histogram of contributions is of; the view of the frame before
  double near = 0;                   // world units: how far growing and shrinking go; 0: not known yet
  std::optional<EditedScene> scene;  // none: the application has not answered yet
  uint64_t scenes = 0;               // counts up with every new one
  uint64_t history_shown = 0;        // of these, in the list of steps
  Measure measure;
  Cleanup cleanup;
  TransformTool transform;
  CropTool crop;  // also where there is nothing to edit: the region of a run
  AlignTool align;
  ObjectEditor objects;
  KeyPointer key_pointer;
  bool gizmo_held = false, gizmo_moved = false;  // a handle of it is pressed; and was dragged since

  // The move that is previewed, until it is applied or cancelled.
  const ShownMove& shown_move() const { return align.shown().moves() ? align.shown() : transform.shown(); }
  bool unsaved() const { return scene && scene->unsaved; }
  void forget();  // another scene is open
  void take(EditedScene&& next);

  // A press, move or release of the left button in the picture `view`; true: it belongs to the tool. A shape that is
  // complete becomes a step.
  bool handle(const InputEvent& event, const splat::View& view);
  void choose(EditTool next);
  void cancel_shape() { points_.clear(), drawing_ = false; }
  bool close_polygon(Modifiers modifiers, const splat::View& view);  // Enter; false: there is none
  void step_brush(double notches);
  std::optional<EditStep> take_step();
  // Over the scene; the camera's drags are beside them.
  bool has_handles() const { return tool == EditTool::kTransform || tool == EditTool::kCrop; }
  bool takes_points() const { return on && tool != EditTool::kLook && !has_handles(); }
  bool takes_drags() const;                                 // from a press to a release; others take clicks
  std::optional<splat::edit::ScreenPoint> take_measured();  // where the next point to measure or align is to be found

  const std::vector<splat::edit::ScreenPoint>& shape() const { return points_; }  // being drawn, px
  splat::edit::ScreenPoint pointer() const { return pointer_; }
  bool drawing() const { return drawing_; }
  double radius_px() const;  // of a sphere or box that is being drawn

 private:
  void finish(Modifiers modifiers, const splat::View& view);
  splat::edit::ScreenMask mask_of_shape(int width, int height) const;

  std::vector<splat::edit::ScreenPoint> points_;
  splat::edit::ScreenPoint pointer_;
  bool drawing_ = false;  // a shape has been begun
  std::optional<EditStep> step_;
  std::optional<splat::edit::ScreenPoint> measured_;
};

splat::edit::SelectMode mode_of(Modifiers modifiers);

}  // namespace studio
