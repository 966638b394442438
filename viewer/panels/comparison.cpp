#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void view_row(const Received& received, Look& look, CommandQueue& commands) {
  const std::vector<PhotoCamera>& cameras = received.cameras();
  Row row("Photo", cameras[size_t(look.compared_view)].held_out
                       ? "A photo that training never sees, beside what the splats show from there. Default the first"
                       : "A photo beside what the splats show from there; none was held out, so that training knows "
                         "them all. Default the first");
  if (!ImGui::BeginCombo("##compared", cameras[size_t(look.compared_view)].name.c_str())) return;
  for (size_t i = 0; i < cameras.size(); ++i)
    if (received.comparable(int(i)) && ImGui::Selectable(cameras[i].name.c_str(), int(i) == look.compared_view)) {
      look.compared_view = int(i);
      commands.put(WantComparison{int(i)});
    }
  ImGui::EndCombo();
}

// Left of the split the render, right of it the photo; dragging moves the split.
void pictures(Received& received, Look& look, const Appearance& appearance) {
  PictureTexture& render = received.comparison_render;
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 size{width, width * float(render.height()) / float(std::max(render.width(), 1))};
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  ImGui::InvisibleButton("split", size);
  if (ImGui::IsItemActive()) look.compared_split = std::clamp((ImGui::GetIO().MousePos.x - low.x) / width, 0.0f, 1.0f);
  tooltip("Left: the splats; right: the photo. Drag to move the border");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = low.x + look.compared_split * width;
  list.AddImage(texture_id(render.texture()), low, {x, high.y}, {0, 0}, {look.compared_split, 1});
  list.AddImage(texture_id(received.comparison_photo.texture()), {x, low.y}, high, {look.compared_split, 0}, {1, 1});
  list.AddLine({x, low.y}, {x, high.y}, packed(appearance.colours().accent), 2 * appearance.scale);
}

}  // namespace

void draw_comparison(Received& received, Look& look, CommandQueue& commands, const Appearance& appearance, bool open) {
  if (look.compared_view < 0) return;
  const bool held_out = received.cameras()[size_t(look.compared_view)].held_out;
  if (!section(held_out ? "Held-out photo" : "Photo and splats", open)) return;
  view_row(received, look, commands);
  if (!received.comparison || received.comparison_render.empty()) {
    if (button("Compare", "Draw this photo's view now", -1)) commands.put(WantComparison{look.compared_view});
    return;
  }
  pictures(received, look, appearance);
  const Comparison& c = *received.comparison;
  const std::string when = c.iteration >= 0 ? "iteration " + count_text(uint64_t(c.iteration)) + ": " : "";
  faint_text(appearance, when + "PSNR " + number_text(c.psnr, "%.2f dB") + ", SSIM " + number_text(c.ssim, "%.4f"));
  if (button("Refresh", "Draw it again as the splats are now")) commands.put(WantComparison{look.compared_view});
  ImGui::SameLine();
  if (button("Look from there", "Move the camera to this photo's place"))
    look.navigator.go_to_photo(look.compared_view);
}

}  // namespace viewer
