#include <algorithm>
#include <filesystem>

#include "viewer/panels/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kCardWidth = 620, kTitlePx = 34;  // px at scale 1

void recent_list(Workspace& work) {
  ImGui::Spacing();
  ImGui::TextDisabled("Recent");
  if (work.settings.recent.empty()) faint_text(work.appearance, "Nothing yet. Scenes that you open are listed here.");
  const std::vector<std::string> recent = work.settings.recent;
  for (size_t i = 0; i < std::min<size_t>(recent.size(), 6); ++i) {
    const std::filesystem::path path(recent[i]);
    const std::string name = scene_name(path);
    ImGui::PushID(int(i));
    if (ImGui::Selectable(name.c_str())) work.open(path);
    tooltip(recent[i].c_str());
    const std::string folder = path.parent_path().string();
    const float room = ImGui::GetContentRegionAvail().x, width = ImGui::CalcTextSize(folder.c_str()).x;
    const float name_width = ImGui::CalcTextSize(name.c_str()).x;
    if (name_width + width + 3 * ImGui::GetFontSize() < room) {
      ImGui::SameLine(ImGui::GetCursorPosX() + room - width);
      ImGui::TextDisabled("%s", folder.c_str());
    }
    ImGui::PopID();
  }
}

void device_list(Workspace& work) {
  ImGui::Spacing();
  ImGui::TextDisabled("This machine");
  if (!work.received.devices) {
    faint_text(work.appearance, "looking for devices...");
    return;
  }
  const Palette& colours = work.appearance.colours();
  for (const splat::BackendStatus& status : work.received.devices->backends) {
    const std::string name = status.name == "cpu"    ? "CPU"
                             : status.name == "hip"  ? "AMD GPU"
                             : status.name == "cuda" ? "NVIDIA GPU"
                                                     : status.name;
    ImGui::BeginGroup();
    coloured_text(status.usable ? colours.good : colours.faint, status.usable ? "trains" : "no");
    ImGui::SameLine(ImGui::GetFontSize() * 4);
    ImGui::TextUnformatted(name.c_str());
    ImGui::SameLine(ImGui::GetFontSize() * 10.5f);
    faint_text(work.appearance, status.usable && !status.devices.empty() ? status.devices.front() : status.reason);
    ImGui::EndGroup();
    tooltip(status.reason.c_str());
  }
  ImGui::BeginGroup();
  coloured_text(work.program.software_gl ? colours.warning : colours.good, "draws");
  ImGui::SameLine(ImGui::GetFontSize() * 4);
  ImGui::TextUnformatted("OpenGL");
  ImGui::SameLine(ImGui::GetFontSize() * 10.5f);
  faint_text(work.appearance, work.program.gl_renderer);
  ImGui::EndGroup();
  tooltip(work.program.software_gl
              ? "OpenGL runs on the processor here: the engine's own renderer draws the splats instead"
              : "The graphics card draws the splats");
}

}  // namespace

void draw_welcome(Workspace& work) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(kCardWidth * work.appearance.scale, room.x - 2 * ImGui::GetFontSize());
  ImGui::SetCursorPos({(ImGui::GetWindowWidth() - width) / 2, std::max(room.y * 0.12f, ImGui::GetFontSize())});
  ImGui::BeginChild("card", {width, 0});
  ImGui::PushFont(nullptr, kTitlePx);
  ImGui::TextUnformatted("hipsplat");
  ImGui::PopFont();
  faint_text(work.appearance, "Train, view and convert 3D Gaussian splats. Open a file, or drop one on this window.");
  ImGui::Spacing();
  ImGui::Spacing();
  const float gap = ImGui::GetStyle().ItemSpacing.x, third = (width - 2 * gap) / 3;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetFontSize() * 0.5f, ImGui::GetFontSize() * 0.7f});
  if (main_button(work.appearance, "Open splat file", "View a .ply, .spz, .sog, .splat, ... file (Ctrl+O)", third))
    ask_open_file(work);
  ImGui::SameLine();
  if (button("Open dataset", "Train from photos: a folder with a COLMAP model or transforms.json (Ctrl+Shift+O)",
             third))
    ask_open_dataset(work);
  ImGui::SameLine();
  ImGui::BeginDisabled(work.program.demo.empty());
  if (button("Open the demo",
             work.program.demo.empty() ? "The demo dataset is not installed beside the program"
                                       : "32 photos of a small scene, ready to train",
             third))
    work.open(work.program.demo);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  recent_list(work);
  device_list(work);
  ImGui::Spacing();
  ImGui::Spacing();
  faint_text(work.appearance, "F1 shows all keys. hipsplat " + work.program.version);
  ImGui::EndChild();
}

}  // namespace viewer
