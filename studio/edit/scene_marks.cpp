#include "studio/edit/scene_marks.h"

namespace studio {
namespace {

// The part of an edge in front of the camera.
std::optional<std::array<Vec3, 2>> in_front(const splat::View& view, const Vec3& a, const Vec3& b, double nearest) {
  const double za = (view.cam_from_world * array3(a))[2] - nearest, zb = (view.cam_from_world * array3(b))[2] - nearest;
  if (za <= 0 && zb <= 0) return std::nullopt;
  const Vec3 cut = za * zb < 0 ? a + (za / (za - zb)) * (b - a) : a;
  return std::array<Vec3, 2>{za <= 0 ? cut : a, zb <= 0 ? cut : b};
}

}  // namespace

std::vector<SceneLine> edges_of(const splat::Box& box, const splat::View& view, const ScenePlace& scene,
                                double nearest) {
  std::vector<SceneLine> lines;
  const auto corners = box.corners();
  for (size_t i = 0; i < corners.size(); ++i)
    for (size_t axis = 0; axis < 3; ++axis) {
      if (i >> axis & 1) continue;
      const auto edge = in_front(view, vec3(corners[i]), vec3(corners[i | size_t(1) << axis]), nearest);
      if (!edge) continue;
      const auto from = scene.at(view, (*edge)[0]), to = scene.at(view, (*edge)[1]);
      if (from && to) lines.push_back({*from, *to});
    }
  return lines;
}

void draw_text_mark(ImDrawList& list, const ImVec2& middle, const std::string& text, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), pad{6 * scale, 3 * scale};
  const ImVec2 low{middle.x - size.x / 2, middle.y - size.y / 2};
  list.AddRectFilled({low.x - pad.x, low.y - pad.y}, {low.x + size.x + pad.x, low.y + size.y + pad.y},
                     ImGui::GetColorU32(ImGuiCol_PopupBg), 4.5f * scale);
  list.AddText(low, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

}  // namespace studio
