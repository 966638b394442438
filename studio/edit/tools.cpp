#include "studio/edit/tools.h"

#include <iterator>

#include "studio/edit/crop_panel.h"
#include "viewer/widgets/icons.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr ToolRow kTools[] = {
    {{"Rectangle", "Drag a rectangle. Shift adds, Ctrl removes, both intersect", "Rectangle tool", "R"},
     icon::kRectangle},
    {{"Lasso", "Drag around a part. Shift adds, Ctrl removes, both intersect", "Lasso tool", "L"}, icon::kLasso},
    {{"Polygon", "Click the corners; Enter, a double click or the first corner closes it. Shift adds, Ctrl removes",
      "Polygon tool", "P"},
     icon::kPolygon},
    {{"Brush", "Paint over a part; [ and ] change the size. Shift adds, Ctrl removes", "Brush tool", "B"},
     icon::kBrush},
    {{"Colour", "Click a colour: splats like it are selected. Shift adds, Ctrl removes", "Colour tool", "C"},
     icon::kColour},
    {{"Flood", "Click an area of one colour: what is seen of it is selected. Shift adds, Ctrl removes, both intersect",
      "Flood tool", "O"},
     icon::kFlood},
    {{"Sphere", "Drag from the middle of a sphere, which lies on what is seen there. Shift adds, Ctrl removes",
      "Sphere tool", "N"},
     icon::kSphere},
    {{"Box", "Drag from the middle of a box along the axes of the world. Shift adds, Ctrl removes, both intersect",
      "Box tool", "Y"},
     icon::kBox},
    {{"Transform",
      "Move, turn (T again) or scale the selection, or all where nothing is selected. Ctrl snaps, Escape abandons a "
      "drag",
      "Transform tool", "T"},
     icon::kTransform},
    {{"Crop box",
      "A box to select, delete or show by, and to train or mesh in: drag its faces, its arrows, or (J again) its rings",
      "Crop box tool", "J"},
     icon::kCrop},
    {{"Measure", "Click points on the scene: the lengths between them are shown. Backspace removes the last one",
      "Measure tool", "M"},
     icon::kMeasure},
    {{"Align",
      "Click a point on one object, then the same on another, three times or more; Enter shows it, again applies",
      "Align tool", "U"},
     icon::kAlign},
    {{"Look", "The left button moves the camera, as the right and middle ones always do", "Look tool", "V"},
     icon::kLook},
};
static_assert(std::size(kTools) == kEditTools);

}  // namespace

const ToolRow& tool_row(EditTool tool) { return kTools[size_t(tool)]; }

// The handles stand in the middle of the selection, which is asked for.
void choose_tool(Workspace& work, EditTool tool) {
  EditMode& edit = work.edit;
  if (tool == EditTool::kTransform && edit.tool == tool && !edit.transform.dragging()) edit.transform.next_kind();
  if (tool == EditTool::kCrop && edit.tool == tool && !edit.crop.dragging()) edit.crop.next_kind();
  const bool transformed = edit.tool == EditTool::kTransform;
  if (edit.tool != tool) edit.choose(tool);
  if (tool == EditTool::kCrop && !edit.crop.box()) begin_crop_box(work);
  if (edit.tool != EditTool::kTransform || !edit.scene || transformed) return;
  edit.scene->extent.reset();  // of another selection
  send_edit(work, {});
}

void strip_text(const Workspace& work, const std::string& text) {
  ImGui::SameLine();
  const std::string shown = words_within(text, ImGui::GetContentRegionAvail().x);
  ImGui::AlignTextToFramePadding();
  faint_text(work.appearance, shown);
  if (shown != text) tooltip(text.c_str());
}

}  // namespace studio
