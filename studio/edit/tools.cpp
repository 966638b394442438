#include "studio/edit/align_tool.h"
#include "studio/edit/crop_tool.h"
#include "studio/edit/measure_tool.h"
#include "studio/edit/shape_tools.h"
#include "studio/edit/transform_tool.h"
#include "viewer/widgets/icons.h"

namespace studio {

// A new tool is a row here.
std::vector<std::unique_ptr<Tool>> all_tools() {
  std::vector<std::unique_ptr<Tool>> all = shape_tools();
  all.push_back(std::make_unique<TransformTool>());
  all.push_back(std::make_unique<CropTool>());
  all.push_back(std::make_unique<MeasureTool>());
  all.push_back(std::make_unique<AlignTool>());
  all.push_back(std::make_unique<Tool>(
      Offer{"Look", "The left button moves the camera, as the right and middle ones always do", "Look tool", "V"},
      icon::kLook));
  return all;
}

}  // namespace studio
