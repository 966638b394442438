#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace viewer {
namespace {

void renderer_row(Workspace& work) {
  Row row("Drawn by",
          "auto: the graphics card, or the engine where OpenGL runs on the processor. OpenGL: fluid. "
          "Engine: exactly what training and evaluation see. While training it is always the engine. Default auto");
  int value = int(work.settings.renderer);
  if (choice("##renderer", &value, {"auto", "OpenGL", "engine"})) {
    work.settings.renderer = RendererChoice(value);
    work.scene_changed = true;
  }
}

void mode_row(Workspace& work) {
  Row row("Show",
          "splats as they are; their centres; ellipsoids as rings at the edge of what is visible; depth, near bright "
          "and far dark; "
          "accumulated opacity, white where the background is hidden. Default splats");
  int value = int(work.render.mode);
  if (choice("##mode", &value, {"splats", "centres", "ellipsoids", "depth", "opacity"}))
    work.render.mode = RenderMode(value);
}

void background_row(Workspace& work) {
  Row row("Background", "Colour behind the scene. Default black, as most scenes are trained");
  ImGui::ColorEdit3("##background", work.render.background.data(),
                    ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel);
  ImGui::SameLine();
  if (button("Black", nullptr)) work.render.background = {0, 0, 0};
  ImGui::SameLine();
  if (button("White", nullptr)) work.render.background = {1, 1, 1};
}

}  // namespace

void draw_display_panel(Workspace& work) {
  if (!section("Display")) return;
  renderer_row(work);
  mode_row(work);
  {
    Row row("Splat size", "All splats are drawn this much larger or smaller; 1: as they are. Default 1");
    ImGui::SliderFloat("##scale", &work.render.splat_scale, 0.05f, 2, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  }
  {
    Row row("SH degree", "How much of the view-dependent colour is shown: 0 none, 3 all. Default 3");
    ImGui::SliderInt("##degree", &work.render.sh_degree, 0, splat::kMaxShDegree, "%d", ImGuiSliderFlags_AlwaysClamp);
  }
  background_row(work);
  checkbox("Antialiased", &work.render.antialias,
           "Opacity is lowered as small splats are widened to a pixel (Mip-Splatting). On for scenes trained so. "
           "Default: as the file says");
  if (checkbox("Grid", &work.settings.show_grid, "A ground grid below the scene, level with its up axis. Default on"))
    work.scene_changed = true;
  if (work.dataset) {
    ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.40f);
    if (checkbox("Photos' cameras", &work.settings.show_cameras,
                 "Where the photos were taken; click one to look from there. Default on"))
      work.scene_changed = true;
    if (work.settings.show_cameras) {
      Row row("Camera size", "Of the photos' cameras as drawn, in tenths of the scene's radius. Default 1");
      ImGui::SliderFloat("##camera_size", &work.settings.camera_size, 0.1f, 10, "%.1f",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    }
  }
}

}  // namespace viewer
