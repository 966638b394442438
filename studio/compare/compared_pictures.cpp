// Two pictures of a photo's view over the scene with a border between them that can be dragged.
#include <algorithm>

#include "studio/compare/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kChoiceEms = 6;
const std::vector<const char*> kNames = {"Splats", "Photo", "Error"};

void picture_choice(const char* label, const char* tip, ComparedPicture& picture) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(kChoiceEms * ImGui::GetFontSize());
  int value = int(picture);
  if (choice((std::string("##") + label).c_str(), &value, kNames)) picture = ComparedPicture(value);
  note_place(label);
  tooltip(tip);
}

}  // namespace

PictureTexture& CompareFeature::texture_of(ComparedPicture picture) {
  switch (picture) {
    case ComparedPicture::kSplats:
      return render_;
    case ComparedPicture::kPhoto:
      return photo_;
    case ComparedPicture::kError:
      break;
  }
  return error_;
}

std::string CompareFeature::figures() const {
  std::string text = work.received.cameras()[size_t(mode_.view)].held_out ? " (held out)" : " (trained on)";
  const auto& c = comparison_;
  if (!c) return text + ", being drawn";
  if (c->iteration >= 0) text += ", iteration " + count_text(uint64_t(c->iteration));
  return text + ": PSNR " + number_text(c->psnr, "%.2f dB") + ", SSIM " + number_text(c->ssim, "%.4f");
}

void CompareFeature::name_and_figures() {
  const std::string& name = work.received.cameras()[size_t(mode_.view)].name;
  const std::string rest = figures();
  const float width = ImGui::CalcTextSize(rest.c_str()).x;
  go_on(width + ImGui::CalcTextSize(name.c_str()).x);
  ImGui::AlignTextToFramePadding();
  const float room = ImGui::GetContentRegionAvail().x;  // half of it at least for the name, which says what is compared
  ImGui::TextUnformatted(words_within(elided(name, std::max(room - width, room / 2)) + rest, room).c_str());
  tooltip((name + rest).c_str());
}

void CompareFeature::tool_row() {
  int style = int(mode_.style);
  ImGui::SetNextItemWidth(kChoiceEms * ImGui::GetFontSize());
  if (choice("##style", &style, {"Wipe", "Blink", "Difference"})) mode_.style = CompareStyle(style);
  note_place("Style");
  tooltip(
      "Wipe: a border that can be dragged. Blink: one after the other. Difference: of splats and photo, four times "
      "as bright (X switches)");
  go_on((kChoiceEms + 4) * ImGui::GetFontSize());
  ImGui::BeginDisabled(mode_.style == CompareStyle::kDifference);
  picture_choice("Left", "What lies left of the border. Error: the difference of the two, from black to yellow",
                 mode_.left);
  go_on((kChoiceEms + 4) * ImGui::GetFontSize());
  picture_choice("Right", "What lies right of the border", mode_.right);
  ImGui::EndDisabled();
  if (next_button("Previous", "The photo before this ([)")) next(-1);
  if (next_button("Next", "The photo after this (])")) next(1);
  if (work.received.live() && next_button("Refresh", "Draw it again as the splats are now"))
    work.ask(WantComparison{mode_.view});
  if (next_button("Close", "Back to the scene (K, Escape)")) mode_.on = false;
  name_and_figures();
}

// With a handle on the border, by which one sees that it can be dragged.
void CompareFeature::draw_wipe(const PicturePlace& place) {
  CompareMode& compare = mode_;
  ImGui::SetCursorScreenPos(place.low);
  ImGui::InvisibleButton("border", {place.high.x - place.low.x, place.high.y - place.low.y});
  note_place("border");
  const bool held = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated())  // a quick drag ends where it is let go
    compare.split = std::clamp((ImGui::GetIO().MousePos.x - place.low.x) / (place.high.x - place.low.x), 0.0f, 1.0f);
  const float x = place.x(compare.split), scale = work.appearance.scale, radius = 11 * scale, arrow = 4 * scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddImage(texture_id(texture_of(compare.left).texture()), place.low, {x, place.high.y}, {0, 0},
                {compare.split, 1});
  list.AddImage(texture_id(texture_of(compare.right).texture()), {x, place.low.y}, place.high, {compare.split, 0},
                {1, 1});
  const ImU32 accent = packed(work.appearance.colours().accent);
  list.AddLine({x, place.low.y}, {x, place.high.y}, accent, 2 * scale);
  const float y = (place.low.y + place.high.y) / 2;
  list.AddCircleFilled({x, y}, radius, held ? accent : IM_COL32(30, 30, 32, 230));
  list.AddCircle({x, y}, radius, accent, 0, 2 * scale);
  for (const float side : {-1.0f, 1.0f})
    list.AddTriangleFilled({x + side * 2 * arrow, y}, {x + side * arrow, y - arrow}, {x + side * arrow, y + arrow},
                           IM_COL32_WHITE);
}

void CompareFeature::pictures() {
  const PicturePlace place = fitted_picture(float(render_.width()), float(render_.height()));
  if (mode_.style == CompareStyle::kWipe) return draw_wipe(place);
  const ComparedPicture seen = mode_.shows_right(work.now) ? mode_.right : mode_.left;
  PictureTexture& texture = mode_.style == CompareStyle::kBlink ? texture_of(seen) : difference_;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddImage(texture_id(texture.texture()), place.low, place.high);
  if (mode_.style != CompareStyle::kBlink) return;
  const ImVec2 at{place.low.x + ImGui::GetFontSize() / 2, place.low.y + ImGui::GetFontSize() / 2};
  const char* name = kNames[size_t(seen)];
  const ImVec2 size = ImGui::CalcTextSize(name), pad = ImGui::GetStyle().FramePadding;
  list.AddRectFilled({at.x - pad.x, at.y - pad.y}, {at.x + size.x + pad.x, at.y + size.y + pad.y},
                     IM_COL32(0, 0, 0, 160), ImGui::GetStyle().FrameRounding);
  list.AddText(at, IM_COL32_WHITE, name);
}

void CompareFeature::draw_in_place_of_scene() {
  tool_row();
  if (comparison_ && !render_.empty()) pictures();
}

}  // namespace studio
