#include <imgui/imgui.h>

#include "studio/window/scene_overlay.h"
#include "studio/window/window_actions.h"
#include "viewer/widgets/widgets.h"

namespace studio {

void draw_scene_mode(Workspace& work, const Area& scene) {
  const auto edit = feature_action(work, "Edit", "Edit splats");
  if (!edit || !edit->possible) return;
  const bool edits = work.edits();
  const float scale = work.appearance.scale, margin = 8 * scale;
  if (edits)
    ImGui::GetBackgroundDrawList()->AddRect({scene.x + 1, scene.y + 1},
                                            {scene.x + scene.width - 1, scene.y + scene.height - 1},
                                            packed(work.appearance.colours().accent), 0, 2 * scale);
  ImGui::SetNextWindowPos({scene.x + scene.width - margin, scene.y + scene.height - margin}, ImGuiCond_Always, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("##mode", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar(2);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ImGui::GetFrameHeight() / 2);
  const bool pressed = edits
                           ? main_button(work.appearance, "Edit###mode", "Keys are those of editing; back (Ctrl+E)", 0)
                           : button("View###mode", "Keys move the view; edit the splats (Ctrl+E)");
  if (pressed) edit->run();
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace studio
