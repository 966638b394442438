#include <algorithm>

#include "studio/window/panels.h"
#include "viewer/display_modes.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// Modes that need another copy of the model, for which a running training has no time.
constexpr const char* kPauseFirst = "Not while training: pause the run, or wait for its end";

void mode_row(Workspace& work, bool at_rest_only) {
  Row row("Show", "What is drawn of the splats; every entry of the list has its own help. Default splats");
  if (!ImGui::BeginCombo("##mode", display_mode(drawn_settings(work).mode).name)) return;
  for (const DisplayModeEntry& entry : display_modes()) {
    const bool refused = at_rest_only && entry.model != ModelKind::kPlain;
    if (ImGui::Selectable(entry.name, work.look.display.mode == entry.mode,
                          refused ? ImGuiSelectableFlags_Disabled : 0))
      work.look.display.mode = entry.mode;
    tooltip(refused ? kPauseFirst : entry.tip);
  }
  ImGui::EndCombo();
}

void size_row(Workspace& work, bool at_rest_only) {
  Row row("Splat size", at_rest_only ? kPauseFirst : "Factor of all splat sizes. Default 1");
  ImGui::BeginDisabled(at_rest_only);
  float shown = drawn_settings(work).splat_scale;
  if (slider("##scale", &shown, {0.05f, 2, 1})) work.look.display.splat_scale = shown;
  ImGui::EndDisabled();
}

void degree_row(const Received& received, DisplaySettings& display, const Appearance& appearance) {
  const int most = received.sh_degree();
  Row row("SH degree", "How much of the view-dependent colour is shown: 0 none, 3 all that there can be. Default all");
  int degree = std::min(display.sh_degree, most);
  if (degree_choice(appearance, &degree, most)) display.sh_degree = degree == most ? splat::kMaxShDegree : degree;
}

void low_pass_row(Workspace& work) {
  Row row("Low pass",
          "Blur that widens every splat on the screen, in px^2: 0.3 by INRIA's code, 0.1 for objects of TRELLIS, 0 for "
          "scenes of SHARP. Default: as the file or the run says");
  const splat::ScreenFilter trained =
      work.received.splats ? work.received.splats->filter : work.received.training.filter;
  slider("##low_pass", &work.look.display.filter.low_pass, {0, 1, trained.low_pass});
}

void background_row(Workspace& work) {
  Row row("Background", "Colour behind this scene. Default: as the preferences say (Ctrl+,)");
  DisplaySettings& display = work.look.display;
  const auto before = display.background;
  const float value = ImGui::GetCursorPosX();
  ImGui::ColorEdit3("##background", display.background.data(),
                    ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel);
  const float both = 2 * ImGui::CalcTextSize("White").x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < both) ImGui::NewLine(), ImGui::SetCursorPosX(value);
  EvenRow buttons(work.appearance, 2);
  const bool black = buttons.button("Black", "Black behind the scene");
  const bool white = buttons.button("White", "White behind the scene");
  if (black) display.background = {0, 0, 0};
  if (white) display.background = {1, 1, 1};
  if (black || white || display.background != before) display.see_through = false;
}

}  // namespace

void draw_display_panel(Workspace& work) {
  if (!section("Display")) return;
  const bool at_rest_only = work.received.trains_now();
  mode_row(work, at_rest_only);
  size_row(work, at_rest_only);
  degree_row(work.received, work.look.display, work.appearance);
  background_row(work);
  low_pass_row(work);
  checkbox("Antialiased", &work.look.display.filter.antialias,
           "Opacity is lowered as small splats are widened to a pixel (Mip-Splatting). On for scenes trained so. "
           "Default: as the file says");
  if (checkbox("Grid", &work.settings.show_grid, "A ground grid below the scene, level with its up axis. Default on"))
    work.look.changed = true;
  if (!work.received.cameras().empty()) {
    if (checkbox("Photos' cameras", &work.settings.show_cameras,
                 "Where the photos were taken; click one to look from there. Default on"))
      work.look.changed = true;
    if (work.settings.show_cameras) {
      checkbox("Photos in their cameras", &work.settings.camera_photos, "Each where it was taken. Default off");
      Row row("Camera size", "Size of the photos' cameras as drawn, in tenths of the scene's radius. Default 1");
      slider("##camera_size", &work.settings.camera_size, {0.1f, 10, 1, "%.1f", true});
    }
  }
}

}  // namespace studio
