// The edit mode of the window: its tools, what several of them share, and the newest state of the splats. Tools end in
// an EditStep; nothing is changed here.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "splat/edit/selectors.h"
#include "studio/cleanup/cleanup.h"
#include "studio/documents/measure.h"
#include "studio/edit/crop_tool.h"
#include "studio/edit/edit_request.h"
#include "studio/edit/key_pointer.h"
#include "studio/edit/object_editor.h"
#include "studio/edit/tool.h"
#include "viewer/camera/input.h"

namespace studio {

class EditMode {
 public:
  EditMode();

  bool on = false;
  bool visible = true;     // what is seen in the mask; else everything behind it
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
  std::vector<std::unique_ptr<Tool>> tools;  // in the order of the bar
  CropTool& crop;                            // of these; also where there is nothing to edit: the region of a run
  ObjectEditor objects;
  KeyPointer key_pointer;
  splat::edit::ScreenPoint pointer;              // px, over the scene
  bool gizmo_held = false, gizmo_moved = false;  // a handle of it is pressed; and was dragged since

  ShownMove shown_move() const;  // the move that is previewed, until it is applied or cancelled
  bool unsaved() const { return scene && scene->unsaved; }
  void forget();  // another scene is open
  void take(EditedScene&& next);

  Tool& tool() const { return *chosen_; }
  void choose(Tool& next);  // of the tools
  template <class Known>
  Known& the() const {  // the only one of its class, which is there
    for (const auto& one : tools)
      if (auto* const known = dynamic_cast<Known*>(one.get())) return *known;
    std::abort();
  }

 private:
  Tool* chosen_;
};

// Shift adds, Ctrl removes, both intersect.
splat::edit::SelectMode mode_of(Modifiers modifiers);

}  // namespace studio
