// The timeline under the scene: what plays, and the keys on a ruler of seconds.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "studio/film/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kShortest = 5;  // s that the ruler shows at least
constexpr float kLeastGap = 70;  // px at scale 1 between two numbers

// The least of 0.1, 0.2, 0.5, 1, 2, 5 ... 60, 120 ... s that is as long.
double tick_step(double least) {
  constexpr double kSteps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200};
  const auto step = std::lower_bound(std::begin(kSteps), std::end(kSteps), least);
  return step != std::end(kSteps) ? *step : least;
}

void add_diamond(ImDrawList& list, ImVec2 at, float half, ImU32 fill, bool filled) {
  const ImVec2 corners[4] = {{at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half}, {at.x - half, at.y}};
  if (filled)
    list.AddConvexPolyFilled(corners, 4, fill);
  else
    list.AddPolyline(corners, 4, fill, half / 3, ImDrawFlags_Closed);
}

}  // namespace

float FilmFeature::strip_height() const {
  if (!shown() || work.hide_panels) return 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::GetFrameHeight() + 2.6f * ImGui::GetFontSize() + style.ItemSpacing.y + 2 * style.WindowPadding.y;
}

void FilmFeature::draw_strip() {
  transport_row();
  ruler();
}

namespace {

struct StripButton {
  const char *label, *tip;
  bool possible;
  std::function<void()> press;
};

float width_of(const char* label) {
  return ImGui::CalcTextSize(label, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void draw_strip_button(const StripButton& one, float width = 0) {
  ImGui::BeginDisabled(!one.possible);
  if (button(one.label, one.tip, width) && one.possible) one.press();
  ImGui::EndDisabled();
}

// As far as there is room; the others are in a list.
void draw_in_row(const std::vector<StripButton>& all) {
  constexpr const char* kMore = "More###path_more";
  const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
  float needed = 0;
  for (const StripButton& one : all) needed += width_of(one.label) + gap;
  size_t fit = all.size();
  if (needed - gap > room) {
    float taken = width_of(kMore);
    for (fit = 0; fit < all.size() && taken + gap + width_of(all[fit].label) <= room; ++fit)
      taken += gap + width_of(all[fit].label);
  }
  for (size_t i = 0; i < fit; ++i) {
    draw_strip_button(all[i]);
    ImGui::SameLine();
  }
  if (fit == all.size()) return ImGui::NewLine();
  if (button(kMore, "What has no room here")) ImGui::OpenPopup("path_more");
  if (!ImGui::BeginPopup("path_more")) return;
  for (size_t i = fit; i < all.size(); ++i) draw_strip_button(all[i], 8 * ImGui::GetFontSize());
  ImGui::EndPopup();
}

}  // namespace

void FilmFeature::transport_row() {
  const bool keys = !editor_.empty(), chosen = editor_.chosen().has_value();
  const StripButton moves[] = {
      {"|<###path_first", "To the start", keys, [this] { set_playing(false), seek(0); }},
      {"<###path_previous", "To the key before (Ctrl+[)", keys, [this] { step_key(-1); }},
      {playing_ ? "Stop###path_play" : "Play###path_play", "The scene as the film shows it (Space)",
       editor_.seconds() > 0, [this] { set_playing(!playing_); }},
      {">###path_next", "To the next key (Ctrl+])", keys, [this] { step_key(1); }}};
  for (const StripButton& one : moves) {
    draw_strip_button(one);
    ImGui::SameLine();
  }
  ImGui::AlignTextToFramePadding();
  const std::string time = number_text(time_, "%.2f") + number_text(editor_.seconds(), " / %.2f s");
  ImGui::TextUnformatted(time.c_str());
  tooltip("Where the film stands, and how long it is");
  ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemSpacing.x);
  draw_in_row({{"Add key###path_add", "A key with the present view, at this time; at the last key, 2 s after it (I)",
                true, [this] { add_key(); }},
               {"Film...###path_film", "Make a film along this path", film_.possible(), [this] { ask_film(); }},
               {"Set###path_set", "The chosen key takes the present view", chosen,
                [this] { editor_.repose(*editor_.chosen(), present_pose()); }},
               {"Delete###path_delete", "Without the chosen key (Delete)", chosen, [this] { remove_key(); }},
               {"Copy###path_copy", "The chosen key a second time, after it", chosen,
                [this] { editor_.duplicate(*editor_.chosen()); }},
               {"Close###path_close", "Without the timeline; the path stays (T)", true, [this] { open_ = false; }}});
}

void FilmFeature::draw_ticks(float x, float y, float width) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 faint = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const double step = tick_step(ruler_end_ * double(kLeastGap * work.appearance.scale / width));
  const float height = ImGui::GetFontSize();
  for (int i = 0; double(i) * step <= ruler_end_; ++i) {
    const float at = x + float(i * step / ruler_end_) * width;
    list.AddLine({at, y}, {at, y + 0.35f * height}, faint);
    const std::string text = number_text(i * step, step < 1 ? "%.1f" : "%.0f") + (i == 0 ? " s" : "");
    if (at + 3 * work.appearance.scale + ImGui::CalcTextSize(text.c_str()).x <= x + width)
      list.AddText({at + 3 * work.appearance.scale, y - 0.1f * height}, faint, text.c_str());
  }
}

void FilmFeature::draw_keys(float x, float y, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& colours = work.appearance.colours();
  const float half = 0.42f * ImGui::GetFontSize();
  const auto& keys = editor_.path().keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    const float at = x + float(editor_.key_times()[i] / ruler_end_) * width;
    const bool chosen = editor_.chosen() == i, rests = keys[i].ease || keys[i].hold > 0;
    const ImU32 colour = packed(chosen ? colours.accent : colours.faint);
    if (keys[i].hold > 0)
      list.AddRectFilled({at, y - half / 3}, {at + float(keys[i].hold / ruler_end_) * width, y + half / 3}, colour);
    add_diamond(list, {at, y}, half, colour, !rests || chosen);
    if (keys.size() <= 100) note_place(("###key " + std::to_string(i + 1)).c_str(), at, y);
  }
}

// Keys that are dragged keep to the pictures of the film.
void FilmFeature::ruler() {
  if (dragged_ && *dragged_ >= editor_.key_times().size()) dragged_.reset();  // another path took the place
  if (!dragged_) ruler_end_ = std::max({kShortest, editor_.seconds() * 1.08, time_});
  const float scale = work.appearance.scale, margin = 8 * scale;
  const ImVec2 low = ImGui::GetCursorScreenPos(),
               size{std::max(ImGui::GetContentRegionAvail().x, 4 * margin), 2.6f * ImGui::GetFontSize()};
  const float x = low.x + margin, width = size.x - 2 * margin, keys_y = low.y + 1.8f * ImGui::GetFontSize();
  ImGui::InvisibleButton("##ruler", size);
  note_place("###ruler");
  const double at = std::clamp(double((ImGui::GetIO().MousePos.x - x) / width), 0.0, 1.0) * ruler_end_;
  if (ImGui::IsItemActivated()) {
    set_playing(false);
    const double reach = 8 * scale / width * ruler_end_;
    const auto& times = editor_.key_times();
    for (size_t i = 0; i < times.size() && ImGui::GetIO().MousePos.y > low.y + ImGui::GetFontSize(); ++i)
      if (std::abs(times[i] - at) <= reach && (!dragged_ || std::abs(times[i] - at) < std::abs(times[*dragged_] - at)))
        dragged_ = i;
    if (dragged_) editor_.begin_drag(), go_to_key(*dragged_);
  }
  const double snapped = std::round(at / film_.frame()) * film_.frame();
  // Also as it is let go: a whole drag may lie between two slow frames.
  const bool held = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  if (held && dragged_ && std::abs(ImGui::GetIO().MousePos.x - ImGui::GetIO().MouseClickedPos[0].x) > 3 * scale) {
    editor_.move(*dragged_, snapped, film_.frame());
    time_ = editor_.key_times()[*dragged_];
  } else if (held && !dragged_) {
    seek(snapped);
  }
  if (!ImGui::IsItemActive() && dragged_) editor_.end_drag(), dragged_.reset();
  if (!ImGui::IsItemActive())
    tooltip("Drag to look along the path; drag a key to another time. Hollow keys are rested at");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({low.x, low.y}, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg), 3 * scale);
  if (editor_.seconds() > 0)
    list.AddRectFilled({x, keys_y - scale}, {x + float(editor_.seconds() / ruler_end_) * width, keys_y + scale},
                       ImGui::GetColorU32(ImGuiCol_TextDisabled));
  draw_ticks(x, low.y, width);
  draw_keys(x, keys_y, width);
  const float now = x + float(time_ / ruler_end_) * width;
  const ImU32 accent = packed(work.appearance.colours().accent);
  list.AddLine({now, low.y}, {now, low.y + size.y}, accent, 1.5f * scale);
  list.AddTriangleFilled({now - 5 * scale, low.y}, {now + 5 * scale, low.y}, {now, low.y + 7 * scale}, accent);
}

}  // namespace studio
