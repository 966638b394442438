#include "studio/window/panel_sections.h"

#include <algorithm>

#include "studio/window/panels.h"

namespace studio {
namespace {

std::vector<PanelSection> with_features(Workspace& work, Column column, std::vector<PanelSection> sections) {
  work.all([&](Feature& feature) { feature.add_sections(column, sections); });
  std::stable_sort(sections.begin(), sections.end(),
                   [](const PanelSection& a, const PanelSection& b) { return a.order < b.order; });
  return sections;
}

}  // namespace

const Feature* owner_of_right(const Workspace& work) {
  const auto owner = std::find_if(work.features.begin(), work.features.end(),
                                  [](const auto& feature) { return feature->has_right_column() != nullptr; });
  return owner != work.features.end() ? owner->get() : nullptr;
}

std::vector<PanelSection> left_sections(Workspace& work) {
  const Received& received = work.received;
  std::vector<PanelSection> sections{{0, "", "Scene", [&] { draw_scene_panel(work); }}};
  if (!received.cameras().empty()) sections.push_back({20, "photos", "Photos", [&] { draw_photos_panel(work); }});
  sections.push_back({40, "display", "Display", [&] { draw_display_panel(work); }});
  sections.push_back({50, "camera", "Camera", [&] { draw_camera_panel(work); }});
  if (received.splats || received.live())
    sections.push_back({60, "histograms", "Histograms", [&] { draw_histogram_panel(work); }});
  return with_features(work, Column::kLeft, std::move(sections));
}

std::vector<PanelSection> right_sections(Workspace& work) {
  const Feature* owner = owner_of_right(work);
  if (!owner) return with_features(work, Column::kRight, {});
  std::vector<PanelSection> sections;
  work.all([&](Feature& feature) {
    if (&feature == owner) feature.add_sections(Column::kRight, sections);
  });
  return sections;
}

const char* right_title(const Workspace& work) {
  const Feature* owner = owner_of_right(work);
  return owner ? owner->has_right_column() : "Training";
}

}  // namespace studio
