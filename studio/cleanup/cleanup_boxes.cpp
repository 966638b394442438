#include "studio/cleanup/cleanup_boxes.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include "splat/clean/proposal.h"
#include "splat/core/counted.h"
#include "studio/edit/scene_marks.h"
#include "viewer/live/shown_states.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kSmallestPx = 12;    // of a box in the window; smaller ones become squares of this size
constexpr float kOtherBoxes = 0.3f;  // how opaque the others are while one is pointed at

struct ShownBox {
  std::vector<SceneLine> lines;
  ImVec2 low, high;  // around them

  float area() const { return (high.x - low.x) * (high.y - low.y); }
  bool holds(const ImVec2& at) const { return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y; }
};

ShownBox shown_box(const splat::Box& box, const splat::View& view, const ScenePlace& scene, double nearest,
                   float smallest) {
  constexpr float kFar = std::numeric_limits<float>::max();
  ShownBox shown{edges_of(box, view, scene, nearest), {kFar, kFar}, {-kFar, -kFar}};
  for (const SceneLine& line : shown.lines)
    for (const ImVec2& end : line) {
      shown.low = {std::min(shown.low.x, end.x), std::min(shown.low.y, end.y)};
      shown.high = {std::max(shown.high.x, end.x), std::max(shown.high.y, end.y)};
    }
  if (shown.lines.empty() || std::max(shown.high.x - shown.low.x, shown.high.y - shown.low.y) >= smallest) return shown;
  const ImVec2 middle{(shown.low.x + shown.high.x) / 2, (shown.low.y + shown.high.y) / 2};
  shown.low = {middle.x - smallest / 2, middle.y - smallest / 2};
  shown.high = {middle.x + smallest / 2, middle.y + smallest / 2};
  const ImVec2 corners[]{shown.low, {shown.high.x, shown.low.y}, shown.high, {shown.low.x, shown.high.y}};
  shown.lines.clear();
  for (size_t i = 0; i < 4; ++i) shown.lines.push_back({corners[i], corners[(i + 1) % 4]});
  return shown;
}

std::optional<size_t> box_under(const std::vector<ShownBox>& boxes, const ImVec2& mouse) {
  std::optional<size_t> found;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].lines.empty() && boxes[i].holds(mouse) && (!found || boxes[i].area() < boxes[*found].area()))
      found = i;
  return found;
}

void label(ImDrawList& list, const ShownBox& box, const std::string& text, const ScenePlace& scene, float scale) {
  const float line = ImGui::GetTextLineHeight() + 8 * scale, half = ImGui::CalcTextSize(text.c_str()).x / 2 + 8 * scale;
  const float x =
      std::clamp((box.low.x + box.high.x) / 2, scene.x + half, std::max(scene.x + scene.width - half, scene.x + half));
  const float above = box.low.y - line / 2, y = above - line / 2 < scene.y ? box.high.y + line / 2 : above;
  draw_text_mark(list, {x, std::clamp(y, scene.y + line / 2, scene.y + scene.height - line / 2)}, text, scale);
}

}  // namespace

std::array<float, 4> colour_of_reason(size_t reason) {
  const splat::math::Tint& tint = kSelectionTints.of[reason];
  return {tint.red, tint.green, tint.blue, 1};
}

// "against_photos" -> "Against photos"
std::string as_title(std::string_view words) {
  std::string title(words);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

void draw_cleanup_boxes(Workspace& work, const ScenePlace& scene) {
  Cleanup& cleanup = work.edit.cleanup;
  cleanup.pointed_group.reset();
  if (!work.edits() || !work.edit.scene || !cleanup.looked_at() || work.scene_covered()) return;
  const std::vector<ProposedGroup>& groups = work.edit.scene->groups;
  const splat::View view = work.look.navigator.view();
  const double nearest = 1e-3 * work.look.navigator.scene_radius();
  const float scale = work.appearance.scale;
  std::vector<ShownBox> boxes;
  for (const ProposedGroup& group : groups)
    boxes.push_back(shown_box(group.box, view, scene, nearest, kSmallestPx * scale));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over_scene = !ImGui::GetIO().WantCaptureMouse && mouse.x >= scene.x && mouse.x < scene.x + scene.width &&
                          mouse.y >= scene.y && mouse.y < scene.y + scene.height;
  if (over_scene && !work.edit.tool().drawing()) cleanup.pointed_group = box_under(boxes, mouse);
  const bool any_pointed = cleanup.pointed_group || cleanup.pointed_reason;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  for (size_t i = 0; i < boxes.size(); ++i) {
    const bool pointed =
        cleanup.pointed_group == i || (!cleanup.pointed_group && cleanup.pointed_reason == groups[i].reason);
    std::array<float, 4> colour = colour_of_reason(groups[i].reason);
    if (any_pointed && !pointed) colour[3] = kOtherBoxes;
    for (const auto& [from, to] : boxes[i].lines)
      list.AddLine(from, to, packed(colour), (pointed ? 3.0f : 1.5f) * scale);
    if (boxes[i].lines.empty()) continue;
    const ImVec2 middle{(boxes[i].low.x + boxes[i].high.x) / 2, (boxes[i].low.y + boxes[i].high.y) / 2};
    note_place(("Group " + std::to_string(i)).c_str(), middle.x, middle.y);
  }
  if (cleanup.pointed_group) {
    const ProposedGroup& group = groups[*cleanup.pointed_group];
    const std::string splats = count_text(group.rows) + " " + splat::noun(group.rows, "splat");
    label(list, boxes[*cleanup.pointed_group], as_title(name_of(splat::clean::Reason(group.reason))) + ": " + splats,
          scene, scale);
  }
  list.PopClipRect();
}

}  // namespace studio
