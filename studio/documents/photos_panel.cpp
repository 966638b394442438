#include <algorithm>

#include "studio/window/clicked.h"
#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kThumbnailPx = 84;  // width at scale 1
constexpr float kListLines = 12;    // of cameras without photos

void photo_cell(Workspace& work, int view, float width) {
  Received& received = work.received;
  Look& look = work.look;
  const Appearance& appearance = work.appearance;
  const PhotoCamera& camera = received.cameras()[size_t(view)];
  const splat::PinholeCamera& c = camera.view.camera;
  const ImVec2 size{width, width * float(c.height) / float(std::max(c.width, 1))};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(view);
  if (ImGui::InvisibleButton("photo", size)) look.navigator.go_to_photo(view);
  const bool here = look.navigator.photo() == view, hovered = ImGui::IsItemHovered();
  menu_of_item(work, photo_clicked(work, view));
  note_place(("photo " + camera.name).c_str());
  tooltip((camera.name + (camera.held_out ? " (held out)" : "") + "\nClick to look from there").c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  const auto thumbnail = received.thumbnails.find(view);
  if (thumbnail != received.thumbnails.end())
    list.AddImage(texture_id(thumbnail->second.texture()), corner, end);
  else
    list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg));
  const Palette& colours = appearance.colours();
  if (here || hovered || camera.held_out)
    list.AddRect(corner, end, packed(here || hovered ? colours.accent : colours.held_out_camera), 0,
                 here ? 3 * appearance.scale : 1.5f * appearance.scale);
  ImGui::PopID();
}

void photo_grid(Workspace& work) {
  const Received& received = work.received;
  const Appearance& appearance = work.appearance;
  const float room = ImGui::GetContentRegionAvail().x, gap = 4 * appearance.scale;
  const int columns = std::max(1, int((room + gap) / (kThumbnailPx * appearance.scale + gap)));
  const float width = (room - gap * float(columns - 1)) / float(columns);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (size_t i = 0; i < received.cameras().size(); ++i) {
    if (int(i) % columns != 0) ImGui::SameLine();
    photo_cell(work, int(i), width);
  }
  ImGui::PopStyleVar();
}

// Where the photos themselves are not to be had.
void camera_list(Workspace& work) {
  const Received& received = work.received;
  Look& look = work.look;
  faint_text(work.appearance, "The photos are not available; these are their cameras.");
  const float lines = std::min(float(received.cameras().size()) + 0.5f, kListLines);
  ImGui::BeginChild("cameras", {0, lines * ImGui::GetTextLineHeightWithSpacing()}, true);
  for (size_t i = 0; i < received.cameras().size(); ++i) {
    const PhotoCamera& camera = received.cameras()[i];
    ImGui::PushID(int(i));
    if (ImGui::Selectable((camera.name + (camera.held_out ? "  (held out)" : "")).c_str(),
                          look.navigator.photo() == int(i)))
      look.navigator.go_to_photo(int(i));
    menu_of_item(work, photo_clicked(work, int(i)));
    tooltip("Click to look from there");
    ImGui::PopID();
  }
  ImGui::EndChild();
}

}  // namespace

void draw_photos_panel(Workspace& work) {
  const Received& received = work.received;
  Look& look = work.look;
  if (received.cameras().empty() || !section("Photos", false)) return;
  if (!received.has_photos()) return camera_list(work);
  {
    Row row(
        "Blend photo",
        "How much of the photo covers the scene while you look from its camera; 0: only the scene, 1: only the photo "
        "(G switches). Default 0");
    if (slider("##blend", &look.photo_blend, {0, 1, 0})) look.changed = true;
  }
  photo_grid(work);
}

}  // namespace studio
