// Preferences: what is set once for all scenes.
#include <imgui/imgui.h>

#include <algorithm>
#include <string>

#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kPreferencesEms = 30, kHighestEms = 38;

template <class Choice>
bool preference(const char* label, const char* tip, const char* id, Choice& value,
                const std::vector<const char*>& names) {
  Row row(label, tip);
  int index = int(value);
  const bool chosen = choice(id, &index, names);
  if (chosen) value = Choice(index);
  return chosen;
}

void appearance_preferences(Workspace& work) {
  WindowSettings& s = work.settings;
  preference("Theme", "Colours of menus and panels. Default dark", "##theme", s.theme, {"dark", "light"});
  {
    Row row("Size", "Scale of menus and panels, on top of the display's own. Default 1");
    // Not while it is dragged: the slider would move away under the pointer.
    float& size = work.dialogs.interface_scale;
    if (!ImGui::IsAnyItemActive()) size = s.interface_scale;
    const bool moved = slider("##interface_scale", &size, {0.75f, 2, 1});
    if (ImGui::IsItemDeactivatedAfterEdit() || (moved && !ImGui::IsItemActive())) s.interface_scale = size;
  }
  if (preference("Behind the scene",
                 "as trained: the colour that was behind the splats in training, dark grey where none is known; photos "
                 "compare "
                 "best with it. "
                 "Default as trained",
                 "##backdrop", s.backdrop, {"as trained", "dark grey", "gradient"}))
    work.show_backdrop();
  if (preference("Selection", "The colour of selected splats: one that the scene does not have. Default orange",
                 "##selection_colour", s.selection_colour, {"orange", "blue", "green", "magenta", "white"}))
    work.look.changed = true;
  if (preference("Drawn by",
                 "auto: the graphics card, or the engine where OpenGL runs on the processor. OpenGL: fluid. Engine: "
                 "exactly what training and evaluation see. Default auto",
                 "##renderer", s.renderer, {"auto", "OpenGL", "engine"}))
    work.look.changed = true;
}

void navigation_preferences(Workspace& work) {
  NavigationSettings& n = work.settings.navigation;
  preference("Mouse as in", "Which button does what; F1 lists them. Default hipsplat", "##profile", n.profile,
             {"hipsplat", "Blender", "Unreal"});
  preference("Touchpad",
             "What two fingers do. orbit: with Shift they pan, with Ctrl or by a pinch they zoom. A mouse's "
             "wheel does the same. Default zoom",
             "##touchpad", n.touchpad, {"zoom", "orbit"});
  float sensitivity = float(n.sensitivity);
  {
    Row row("Sensitivity", "Speed of rotation: 1 is half a turn across the height of the view. Default 1");
    if (slider("##preferred_sensitivity", &sensitivity, {0.1f, 5, 1, "%.2f", true})) n.sensitivity = sensitivity;
  }
  checkbox("Invert vertical look##preferred", &n.invert_y, "Dragging up looks down. Default off");
  work.look.navigator.set_settings(n);
}

void start_preferences(Workspace& work) {
  WindowSettings& s = work.settings;
  checkbox("Reopen the last scene", &s.reopen_last, "At a start without a file or folder. Default off");
  {
    Row row("Threads",
            "Processor threads for training and drawing, from the next start on. Default automatic: every core");
    count_field("##threads", &s.threads, 1024);
  }
  if (button("Reset layout", "All panels where they were at first", -1)) work.reset_layout = true;
}

}  // namespace

void draw_preferences(Workspace& work) {
  if (!work.dialogs.show_preferences) return;
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({room.x / 2, room.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {room.x * 0.95f, std::min(kHighestEms * em, room.y * 0.9f)});
  ImGui::SetNextWindowSize({std::min(kPreferencesEms * em, room.x * 0.95f), 0}, ImGuiCond_Always);
  if (ImGui::Begin("Preferences", &work.dialogs.show_preferences,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoResize)) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();  // which its scale may have changed
    const ImVec2 within{std::clamp(at.x, 0.0f, std::max(room.x - size.x, 0.0f)),
                        std::clamp(at.y, 0.0f, std::max(room.y - size.y, 0.0f))};
    if (within.x != at.x || within.y != at.y) ImGui::SetWindowPos(within);
    ImGui::SeparatorText("Appearance");
    appearance_preferences(work);
    ImGui::SeparatorText("Navigation");
    navigation_preferences(work);
    ImGui::SeparatorText("Start");
    start_preferences(work);
  }
  ImGui::End();
}

}  // namespace studio
