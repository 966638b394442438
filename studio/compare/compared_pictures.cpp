// Two pictures of a photo's view over the scene with a border between them that can be dragged.
#include <algorithm>

#include "studio/compare/feature.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kChoiceEms = 6;
const std::vector<const char*> kNames = {"Splats", "Photo", "Error"};

// On the line of the last item where there is room for one of this width, else on the next.
void go_on(float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

float button_width(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }

bool next_button(const char* label, const char* tip) {
  go_on(button_width(label));
  return button(label, tip);
}

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

// A centred rectangle of a picture's shape, as large as fits.
struct Place {
  ImVec2 low, high;
  float x(float share) const { return low.x + share * (high.x - low.x); }
};

Place fitted(const PictureTexture& picture) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float width = float(std::max(picture.width(), 1)), height = float(std::max(picture.height(), 1));
  const float factor = std::max(std::min(room.x / width, room.y / height), 1e-3f);
  const ImVec2 size{width * factor, height * factor};
  const ImVec2 low{at.x + (room.x - size.x) / 2, at.y + (room.y - size.y) / 2};
  return {low, {low.x + size.x, low.y + size.y}};
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
  ImGui::TextWrapped("%s", (elided(name, ImGui::GetContentRegionAvail().x - width) + rest).c_str());
}

void CompareFeature::tool_row() {
  picture_choice("Left", "What lies left of the border. Error: the difference of the two, from black to yellow",
                 mode_.left);
  go_on((kChoiceEms + 4) * ImGui::GetFontSize());
  picture_choice("Right", "What lies right of the border", mode_.right);
  if (next_button("Previous", "The photo before this ([)")) next(-1);
  if (next_button("Next", "The photo after this (])")) next(1);
  if (work.received.live() && next_button("Refresh", "Draw it again as the splats are now"))
    work.ask(WantComparison{mode_.view});
  if (next_button("Close", "Back to the scene (K, Escape)")) mode_.on = false;
  name_and_figures();
}

void CompareFeature::pictures() {
  CompareMode& compare = mode_;
  const Place place = fitted(render_);
  ImGui::SetCursorScreenPos(place.low);
  ImGui::InvisibleButton("border", {place.high.x - place.low.x, place.high.y - place.low.y});
  note_place("border");
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActive())
    compare.split = std::clamp((ImGui::GetIO().MousePos.x - place.low.x) / (place.high.x - place.low.x), 0.0f, 1.0f);
  const float x = place.x(compare.split);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddImage(texture_id(texture_of(compare.left).texture()), place.low, {x, place.high.y}, {0, 0},
                {compare.split, 1});
  list.AddImage(texture_id(texture_of(compare.right).texture()), {x, place.low.y}, place.high, {compare.split, 0},
                {1, 1});
  list.AddLine({x, place.low.y}, {x, place.high.y}, packed(work.appearance.colours().accent),
               2 * work.appearance.scale);
}

void CompareFeature::draw_in_place_of_scene() {
  tool_row();
  if (comparison_ && !render_.empty()) pictures();
}

}  // namespace viewer
