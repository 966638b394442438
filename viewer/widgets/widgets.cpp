#include "viewer/widgets/widgets.h"

#include <imgui/imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "viewer/widgets/button_places.h"
#include "viewer/widgets/fonts.h"
#include "viewer/widgets/tooltip_place.h"

namespace viewer {
namespace {

constexpr float kLabelShare = 0.40f;  // of a row's width
constexpr float kTooltipEms = 24;
constexpr ImGuiID kNoHeading = 0x5ec7104e;  // of a window's storage

// From a label to its value: at a share of the row, or after a label that is wider.
void go_to_value(const char* label, float start, float width) {
  const float after = ImGui::CalcTextSize(label).x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(start + std::max(width * kLabelShare, after));
}

Edges edges(const ImRect& of) { return {of.Min.x, of.Min.y, of.Max.x, of.Max.y}; }

}  // namespace

namespace {

// The words of "###words" are drawn by others.
const char* without_hashes(const char* label) { return std::strncmp(label, "###", 3) == 0 ? label + 3 : label; }

void note_focus(const char* label) {
  auto* places = static_cast<ButtonPlaces*>(ImGui::GetIO().UserData);
  if (places && ImGui::GetIO().NavVisible) places->focused = without_hashes(label);
}

// Whether the keyboard is at one of the items of the last group.
bool has_focus_inside() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  if (g.NavWindow != window || g.NavId == 0) return false;
  const ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, window->NavRectRel[g.NavLayer]);
  return g.LastItemData.Rect.Contains(at.GetCenter());
}

}  // namespace

void note_place(const char* label) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  note_place(label, (low.x + high.x) / 2, (low.y + high.y) / 2);
  if (ImGui::IsItemFocused()) note_focus(label);
}

void note_place(const char* label, float x, float y) {
  auto* places = static_cast<ButtonPlaces*>(ImGui::GetIO().UserData);
  if (!places) return;
  places->all[without_hashes(label)] = {int(x), int(y)};
}

Row::Row(const char* label, const char* tip) : label_(label), tip_(tip) {
  ImGui::BeginGroup();
  const float start = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  go_to_value(label, start, width);
  ImGui::SetNextItemWidth(-1);
}

Row::~Row() {
  ImGui::EndGroup();
  if (has_focus_inside()) note_focus(label_);
  tooltip(tip_);
}

EvenRow::EvenRow(const Appearance& look, int count) : left_(count), start_(ImGui::GetCursorPosX()) {
  const float gap = 4 * look.scale;
  all_ = ImGui::GetContentRegionAvail().x;
  width_ = (all_ - float(count - 1) * gap) / float(count);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, ImGui::GetStyle().ItemSpacing.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
}

bool EvenRow::button(const char* label, const char* tip, bool marked) {
  const bool fits = ImGui::CalcTextSize(label, nullptr, true).x <= width_;
  const bool last = --left_ == 0, beside = joinable_ && fits, alone = !fits || (last && !beside);
  beside ? ImGui::SameLine() : ImGui::SetCursorPosX(start_);
  joinable_ = fits;
  return toggle_button(label, tip, marked, alone ? all_ : width_);
}

bool entered() {
  return ImGui::IsItemDeactivatedAfterEdit() &&
         (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
}

void tooltip(const char* text) {
  if (!text || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsAnyItemActive()) return;
  const float wrap = ImGui::GetFontSize() * kTooltipEms;
  const ImVec2 words = ImGui::CalcTextSize(text, nullptr, false, wrap), pad = ImGui::GetStyle().WindowPadding;
  const ImVec2 size{words.x + 2 * pad.x, words.y + 2 * pad.y};
  const ImGuiViewport& window = *ImGui::GetMainViewport();
  const TooltipPlace at =
      tooltip_place({window.Pos.x, window.Pos.y, window.Pos.x + window.Size.x, window.Pos.y + window.Size.y},
                    edges(ImGui::GetCurrentWindow()->RootWindow->Rect()),
                    edges(ImGui::GetCurrentContext()->LastItemData.Rect), size.x, size.y);
  ImGui::SetNextWindowPos({at.x, at.y});
  ImGui::SetNextWindowSizeConstraints(size, size);  // at once; by itself it has the size of the one before, for a frame
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(pad.x + wrap);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool toggle_button(const char* label, const char* tip, bool on, float width) {
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  }
  const bool pressed = button(label, tip, width);
  if (on) ImGui::PopStyleColor(2), ImGui::PopStyleVar();
  return pressed;
}

bool button(const char* label, const char* tip, float width, float height) {
  const bool pressed = ImGui::Button(label, {width, height});
  note_place(label);
  tooltip(tip);
  return pressed;
}

bool main_button(const Appearance& look, const char* label, const char* tip, float width, float height) {
  const Palette& colours = look.colours();
  ImGui::PushStyleColor(ImGuiCol_Button, packed(colours.primary));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, packed(colours.primary_hovered));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, packed(colours.primary_active));
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1, 1, 1, 1));
  const bool pressed = button(label, nullptr, width, height);
  ImGui::SetItemDefaultFocus();  // Enter in a dialog that the keyboard has opened
  ImGui::PopStyleColor(4);       // the tooltip's colours are its own
  tooltip(tip);
  return pressed;
}

bool checkbox(const char* label, bool* value, const char* tip) {
  const bool changed = ImGui::Checkbox(label, value);
  note_place(label);
  tooltip(tip);
  return changed;
}

void go_on(float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

bool next_button(const char* label, const char* tip) {
  go_on(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
  return button(label, tip);
}

PicturePlace fitted_picture(float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  width = std::max(width, 1.0f), height = std::max(height, 1.0f);
  const float factor = std::max(std::min(room.x / width, room.y / height), 1e-3f);
  const ImVec2 size{width * factor, height * factor};
  const ImVec2 low{at.x + (room.x - size.x) / 2, at.y + (room.y - size.y) / 2};
  return {low, {low.x + size.x, low.y + size.y}};
}

bool section(const char* title, bool open) {
  if (ImGui::GetStateStorage()->GetBool(kNoHeading)) return true;
  ImGui::Spacing();
  ImGui::PushFont(heading_font(), kHeadingPx);
  const bool unfolded =
      ImGui::CollapsingHeader(title, ImGuiTreeNodeFlags_AllowOverlap | (open ? ImGuiTreeNodeFlags_DefaultOpen : 0));
  ImGui::PopFont();
  note_place(title);
  return unfolded;
}

void leave_out_section_heading() { ImGui::GetStateStorage()->SetBool(kNoHeading, true); }

namespace {

// True: a word was cut.
bool wrapped_text(const std::string& text) {
  const Lines lines = in_lines(text, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(lines.text.c_str());
  return lines.cut;
}

}  // namespace

void fact(const char* label, const std::string& value, const char* tip) {
  ImGui::PushFont(nullptr, kFactPx);
  ImGui::BeginGroup();
  const float start = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
  ImGui::TextDisabled("%s", label);
  go_to_value(label, start, width);
  const bool cut = wrapped_text(value);
  ImGui::EndGroup();
  ImGui::PopFont();
  tooltip(cut && tip ? (value + "\n" + tip).c_str() : cut ? value.c_str() : tip);
}

void coloured_text(const std::array<float, 4>& colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour[0], colour[1], colour[2], colour[3]));
  const bool cut = wrapped_text(text);
  ImGui::PopStyleColor();
  if (cut) tooltip(text.c_str());
}

void faint_text(const Appearance& look, const std::string& text) {
  ImGui::PushFont(nullptr, kFactPx);
  coloured_text(look.colours().faint, text);
  ImGui::PopFont();
}

bool choice(const char* id, int* value, const std::vector<const char*>& names) {
  const int before = *value;
  const bool open = ImGui::BeginCombo(id, names[size_t(before)], ImGuiComboFlags_HeightLargest);
  note_place(id);
  if (!open) return false;
  for (int i = 0; i < int(names.size()); ++i) {
    if (ImGui::Selectable(names[size_t(i)], i == before)) *value = i;
    if (i == before) ImGui::SetItemDefaultFocus();
    note_place(names[size_t(i)]);
  }
  ImGui::EndCombo();
  return *value != before;
}

void named_choice_row(const char* label, const char* tip, const char* id, std::string& value,
                      const std::vector<const char*>& names) {
  const auto found = std::find(names.begin(), names.end(), value);
  int index = found == names.end() ? 0 : int(found - names.begin());
  Row row(label, tip);
  choice(id, &index, names);
  value = names[size_t(index)];
}

// The value stands beside the track, in a room that does not change with it; Ctrl and a click type it.
bool slider(const char* id, float* value, const SliderRange& range) {
  const auto text = [&](float of) { return number_text(double(of), range.format); };
  const auto wide = [](const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; };
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x,
              room = std::max(wide(text(range.low)), wide(text(range.high)));
  const float track = ImGui::CalcItemWidth() - room - gap;
  ImGui::SetNextItemWidth(std::max(track, 2 * ImGui::GetFontSize()));
  const bool typed = ImGui::TempInputIsActive(ImGui::GetID(id));
  if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  bool moved =
      ImGui::SliderFloat(id, value, range.low, range.high, range.format,
                         ImGuiSliderFlags_AlwaysClamp | (range.logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
  if (!typed) ImGui::PopStyleColor();
  note_place(id);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right) && *value != range.standard) *value = range.standard, moved = true;
  const std::string shown = text(*value);
  ImGui::SameLine(0, gap + std::max(room - wide(shown), 0.0f));
  ImGui::TextUnformatted(shown.c_str());
  return moved;
}

bool count_field(const char* id, int* value, int most) {
  char text[16] = "";
  if (*value > 0) std::snprintf(text, sizeof text, "%d", *value);
  const bool changed = ImGui::InputTextWithHint(id, "automatic", text, sizeof text, ImGuiInputTextFlags_CharsDecimal);
  note_place(id);
  if (changed) *value = int(std::clamp(std::strtod(text, nullptr), 0.0, double(most)));
  return changed;
}

bool degree_choice(const Appearance& look, int* degree, int most) {
  constexpr int kDegrees = 4;
  EvenRow buttons(look, kDegrees);
  const int before = *degree;
  for (int one = 0; one < kDegrees; ++one) {
    ImGui::BeginDisabled(one > most);
    if (buttons.button(std::to_string(one).c_str(), one > most ? "These splats have no colour of this degree" : nullptr,
                       before == one))
      *degree = one;
    ImGui::EndDisabled();
  }
  return *degree != before;
}

bool save_or_cancel(const Appearance& look, const char* tip, bool confirmed, bool& wanted) {
  const bool save = main_button(look, "Save as...", tip, 0) || confirmed;
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Save nothing (Escape)") || !wanted;
  if (save || cancel) {
    wanted = false;
    ImGui::CloseCurrentPopup();
  }
  return save;
}

bool begin_modal(const char* title, bool wanted, float ems) {
  // One after the other: two that are wanted at once would close each other in every frame.
  if (wanted && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::OpenPopup(title);
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ems * ImGui::GetFontSize(), size.x * 0.95f), 0});
  return ImGui::BeginPopupModal(title, nullptr,
                                ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
}

ImTextureID texture_id(unsigned name) { return ImTextureID(name); }

ImU32 packed(const std::array<float, 4>& c) { return ImGui::ColorConvertFloat4ToU32({c[0], c[1], c[2], c[3]}); }

std::string number_text(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Names of files, of options and of the program stay as they are written.
std::string as_sentence(std::string text) {
  const std::string word = text.substr(0, text.find_first_of(" ,:;!?"));
  const auto plain = [](char c) { return c >= 'a' && c <= 'z'; };
  if (!word.empty() && word != "hipsplat" && std::all_of(word.begin(), word.end(), plain))
    text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string elided(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const auto part = [](unsigned char byte) { return (byte & 0xc0) == 0x80; };  // of a letter of several bytes
  size_t left = text.size() / 2, right = left;
  std::string shorter;
  do {
    if (left > 0) --left;
    while (left > 0 && part(static_cast<unsigned char>(text[left]))) --left;
    if (right < text.size()) ++right;
    while (right < text.size() && part(static_cast<unsigned char>(text[right]))) ++right;
    shorter = text.substr(0, left) + "..." + text.substr(right);
  } while ((left > 0 || right < text.size()) && ImGui::CalcTextSize(shorter.c_str()).x > width);
  return shorter;
}

namespace {

// The end of the word that begins there; a number is one word with its unit.
size_t end_of_word(const std::string& text, size_t at) {
  const size_t end = std::min(text.find_first_of(" \n", at), text.size());
  if (end == at || end == text.size() || text[end] == '\n' || !std::isdigit(static_cast<unsigned char>(text[end - 1])))
    return end;
  const size_t next = std::min(text.find_first_of(" \n,;.", end + 1), text.size());
  const std::string unit = text.substr(end + 1, next - end - 1);
  const bool known = unit == "GB" || unit == "MB" || unit == "kB" || unit == "dB" || unit == "px";
  return known ? std::min(text.find_first_of(" \n", next), text.size()) : end;
}

}  // namespace

Lines in_lines(const std::string& text, float width) {
  Lines lines;
  size_t line = 0;  // where the last one begins
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_word(text, at);
    const std::string whole = text.substr(at, end - at), word = elided(whole, width);
    lines.cut |= word != whole;
    if (lines.text.size() > line && ImGui::CalcTextSize((lines.text.substr(line) + word).c_str()).x > width) {
      lines.text.back() = '\n';  // the blank before the word
      line = lines.text.size();
    }
    lines.text += word;
    if (end < text.size()) lines.text += text[end];
    if (end < text.size() && text[end] == '\n') line = lines.text.size();
    at = end + 1;
  }
  return lines;
}

Lines in_even_lines(const std::string& text, float width) {
  const auto breaks = [](const Lines& lines) { return std::count(lines.text.begin(), lines.text.end(), '\n'); };
  const Lines widest = in_lines(text, width);
  Lines even = widest;
  const float step = ImGui::GetFontSize() / 2;
  for (; breaks(widest) > 0 && width > step; width -= step) {
    Lines narrower = in_lines(text, width - step);
    if (narrower.cut != widest.cut || breaks(narrower) != breaks(widest)) break;
    even = std::move(narrower);
  }
  return even;
}

std::string words_within(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const std::string lines = in_lines(text, std::max(width - ImGui::CalcTextSize("...").x, 1.0f)).text;
  return lines.substr(0, lines.find('\n')) + "...";
}

namespace {

std::string small_letters(std::string text) {
  for (char& letter : text) letter = char(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

}  // namespace

bool has_words(const std::string& text, const std::string& words) {
  const std::string in = small_letters(text), all = small_letters(words);
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find(' ', at), all.size());
    if (in.find(all.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

std::string count_text(uint64_t count) {
  std::string digits = std::to_string(count);
  for (int place = int(digits.size()) - 3; place > 0; place -= 3)
    digits.insert(size_t(place), "\u00a0");  // where no line breaks
  return digits;
}

std::string bytes_text(uint64_t bytes) {
  if (bytes >= 1'000'000'000u) return number_text(double(bytes) * 1e-9, "%.1f GB");
  if (bytes >= 1'000'000u) return number_text(double(bytes) * 1e-6, "%.0f MB");
  if (bytes >= 1000) return number_text(double(bytes) * 1e-3, "%.0f kB");
  return std::to_string(bytes) + " bytes";
}

std::string file_size_text(uint64_t bytes) {
  if (bytes >= 1'000'000 && bytes < 1'000'000'000) return number_text(double(bytes) * 1e-6, "%.1f MB");
  return bytes_text(bytes);
}

std::string duration_text(double seconds) {
  const long whole = std::lround(std::max(seconds, 0.0));
  char text[64];
  if (whole < 60)
    std::snprintf(text, sizeof text, "%ld s", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
  return text;
}

}  // namespace viewer
