#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace viewer {
namespace {

constexpr float kThumbnailPx = 84;  // width at scale 1

std::string bounds_text(const Bounds& bounds) {
  if (bounds.empty()) return "empty";
  const Vec3 size = bounds.high - bounds.low;
  return number_text(size.x, "%.3g") + " x " + number_text(size.y, "%.3g") + " x " + number_text(size.z, "%.3g");
}

void splat_facts(const Workspace& work) {
  const OpenedSplats& s = *work.splats;
  fact("File", s.path.filename().string(), s.path.c_str());
  fact("Splats", count_text(s.gaussians.size()));
  fact("Colour", "SH degree " + std::to_string(s.gaussians.sh_degree),
       "Degree of the spherical harmonics: 0 looks the same from everywhere, 3 shows reflections");
  fact("Format", s.format + (s.antialiased ? ", antialiased" : ""));
  if (!s.producer.empty()) fact("Made by", s.producer);
  if (s.file_bytes > 0) fact("Size", bytes_text(s.file_bytes));
  fact("Extent", bounds_text(s.bounds), "Size of the box that holds 98 % of the splats, world units");
  for (const std::string& warning : s.warnings) coloured_text(palette(work.settings.theme).warning, warning);
}

void dataset_facts(const Workspace& work) {
  const OpenedDataset& d = *work.dataset;
  fact("Dataset", d.path.filename().string(), d.path.c_str());
  fact("Format", d.format);
  fact("Photos", count_text(d.cameras.size()) + (d.held_out ? ", " + std::to_string(d.held_out) + " held out" : ""));
  fact("Points", count_text(d.points.size()), "Points of the reconstruction that training starts from");
  if (!d.missing.empty())
    coloured_text(palette(work.settings.theme).warning, std::to_string(d.missing.size()) + " photos are not on disk");
  for (const std::string& warning : d.warnings) coloured_text(palette(work.settings.theme).warning, warning);
}

void photo_cell(Workspace& work, int view, float width) {
  const PhotoCamera& camera = work.dataset->cameras[size_t(view)];
  const splat::PinholeCamera& c = camera.view.camera;
  const ImVec2 size{width, width * float(c.height) / float(std::max(c.width, 1))};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(view);
  if (ImGui::InvisibleButton("photo", size)) work.navigator.go_to_photo(view);
  const bool here = work.navigator.photo() == view, hovered = ImGui::IsItemHovered();
  tooltip((camera.name + (camera.held_out ? " (held out)" : "") + "\nClick to look from there").c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  const auto thumbnail = work.thumbnails.find(view);
  if (thumbnail != work.thumbnails.end())
    list.AddImage(texture_id(thumbnail->second.texture()), corner, end);
  else
    list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg));
  const Palette& colours = palette(work.settings.theme);
  if (here || hovered || camera.held_out)
    list.AddRect(corner, end, packed(here || hovered ? colours.accent : colours.held_out_camera), 0, 0,
                 here ? 3 * work.scale : 1.5f * work.scale);
  ImGui::PopID();
}

void photo_grid(Workspace& work) {
  const float room = ImGui::GetContentRegionAvail().x, gap = 4 * work.scale;
  const int columns = std::max(1, int((room + gap) / (kThumbnailPx * work.scale + gap)));
  const float width = (room - gap * float(columns - 1)) / float(columns);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (size_t i = 0; i < work.dataset->cameras.size(); ++i) {
    if (int(i) % columns != 0) ImGui::SameLine();
    photo_cell(work, int(i), width);
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_scene_panel(Workspace& work) {
  if (section("Scene")) {
    if (work.dataset) dataset_facts(work);
    if (work.splats) splat_facts(work);
    if (work.splats || work.live()) {
      if (button("Save splats as...",
                 "Write the splats to a file; the ending (.ply, .spz, ...) chooses the format (Ctrl+S)"))
        ask_export(work);
    }
  }
  if (!work.dataset || !section("Photos", false)) return;
  {
    Row row(
        "Blend photo",
        "How much of the photo covers the scene while you look from its camera; 0: only the scene, 1: only the photo "
        "(G switches). Default 0");
    if (ImGui::SliderFloat("##blend", &work.photo_blend, 0, 1, "%.2f")) work.scene_changed = true;
  }
  photo_grid(work);
}

}  // namespace viewer
