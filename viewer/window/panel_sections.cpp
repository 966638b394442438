#include "viewer/window/panel_sections.h"

#include "viewer/compare/compare_panel.h"
#include "viewer/edit/edit_panel.h"
#include "viewer/panels/panels.h"

namespace viewer {

std::vector<PanelSection> left_sections(Workspace& work) {
  const Received& received = work.received;
  std::vector<PanelSection> sections{{"", "Scene", [&] { draw_scene_panel(work); }}};
  if (received.mesh) sections.push_back({"mesh", "Mesh", [&] { draw_mesh_panel(work); }});
  if (!received.cameras().empty())
    sections.push_back({"photos", "Photos", [&] { draw_photos_panel(work.received, work.look, work.appearance); }});
  if (!received.dataset && work.compare.view >= 0)
    sections.push_back({"comparison", "Comparison", [&] { draw_comparison(work, false); }});
  sections.push_back({"display", "Display", [&] { draw_display_panel(work); }});
  sections.push_back(
      {"camera", "Camera", [&] { draw_camera_panel(work.look, work.settings.navigation, work.appearance); }});
  if (received.splats || received.live())
    sections.push_back({"histograms", "Histograms", [&] { draw_histogram_panel(work); }});
  return sections;
}

std::vector<PanelSection> right_sections(Workspace& work) {
  const Received& received = work.received;
  if (work.edits()) return {{"", "Edit", [&] { draw_edit_panel(work); }}};
  if (received.city) return {{"", "Blocks", [&] { draw_city_panel(work); }}};
  std::vector<PanelSection> sections{{"", "Training", [&] { draw_training_panel(work); }}};
  const bool growing = received.dataset && received.dataset->growing;
  if (growing || received.training.status == RunStatus::kNone) return sections;
  sections.push_back({"curves", "Curves", [&] { draw_curves(work); }});
  if (received.dataset && work.compare.view >= 0)
    sections.push_back({"comparison", "Comparison", [&] { draw_comparison(work, true); }});
  return sections;
}

const char* right_title(const Workspace& work) {
  return work.edits() ? "Edit" : work.received.city ? "Blocks" : "Training";
}

}  // namespace viewer
