#include <algorithm>
#include <ctime>
#include <filesystem>

#include "studio/window/clicked.h"
#include "studio/window/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/fonts.h"
#include "viewer/widgets/logo.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// px at scale 1
constexpr float kWidest = 1500, kTitlePx = 34, kDropPx = 22, kTileWidth = 200, kDash = 7;

void dashed_frame(ImVec2 low, ImVec2 high, ImU32 colour, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float dash = kDash * scale;
  for (float x = low.x; x < high.x; x += 2 * dash)
    for (const float y : {low.y, high.y}) list.AddLine({x, y}, {std::min(x + dash, high.x), y}, colour, 1.5f * scale);
  for (float y = low.y; y < high.y; y += 2 * dash)
    for (const float x : {low.x, high.x}) list.AddLine({x, y}, {x, std::min(y + dash, high.y)}, colour, 1.5f * scale);
}

void centred(const std::string& text) {
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x - left;
  std::string rest = in_even_lines(text, room).text + "\n";
  for (size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
    const std::string line = rest.substr(0, end);
    ImGui::SetCursorPosX(left + std::max((room - ImGui::CalcTextSize(line.c_str()).x) / 2, 0.0f));
    ImGui::TextUnformatted(line.c_str());
  }
}

// Where files are dropped; the same by buttons.
void drop_zone(Workspace& work, ImVec2 size) {
  const float em = ImGui::GetFontSize();
  ImGui::BeginChild("drop", size, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoScrollbar);
  const ImVec2 low = ImGui::GetWindowPos();
  dashed_frame({low.x + 1, low.y + 1}, {low.x + size.x - 2, low.y + size.y - 2},
               ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.7f), work.appearance.scale);
  ImGui::SetCursorPosY(std::max((size.y - 7.5f * em) / 2, 0.5f * em));
  ImGui::Indent(em);
  ImGui::PushFont(heading_font(), kDropPx);
  centred("Drop splats, photos or a video here");
  ImGui::PopFont();
  ImGui::PushFont(nullptr, kFactPx);
  ImGui::PushStyleColor(ImGuiCol_Text, packed(work.appearance.colours().faint));
  centred("Splats in any format, a run, a COLMAP or transforms.json folder. Cameras of photos are found.");
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::Spacing();
  const float button_width = std::min(9 * em, (size.x - 3 * em) / 2);
  const float row = 2 * button_width + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosX(std::max((size.x - row) / 2, em));
  if (main_button(work.appearance, "Open...", "Choose a file (Ctrl+O)", button_width, 2 * em)) ask_open(work);
  ImGui::SameLine();
  if (button("Open folder...", "Choose a folder of photos, a dataset or a run (Ctrl+Shift+O)", button_width, 2 * em))
    ask_open_folder(work);
  ImGui::Unindent(em);
  ImGui::EndChild();
}

// "3 days ago"; empty: not known.
std::string age_text(int64_t then) {
  constexpr int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const int64_t age = std::time(nullptr) - then;
  const auto ago = [&](int64_t unit, const char* name) {
    const int64_t count = age / unit;
    return std::to_string(count) + " " + name + (count == 1 ? "" : "s") + " ago";
  };
  if (then <= 0 || age < 0) return "";
  if (age < 2 * kMinute) return "just now";
  if (age < kHour) return ago(kMinute, "minute");
  if (age < kDay) return ago(kHour, "hour");
  if (age < 60 * kDay) return ago(kDay, "day");
  return ago(30 * kDay, "month");
}

// As much of the picture as fills the box, a little more of its top than of its bottom.
void filling_picture(PictureTexture& picture, ImVec2 low, ImVec2 size) {
  const float width = float(picture.width()), height = float(picture.height());
  const float scale = std::max(size.x / width, size.y / height);
  const ImVec2 part{size.x / (scale * width), size.y / (scale * height)};
  const ImVec2 from{(1 - part.x) / 2, (1 - part.y) / 3};
  ImGui::GetWindowDrawList()->AddImageRounded(texture_id(picture.texture()), low, {low.x + size.x, low.y + size.y},
                                              from, {from.x + part.x, from.y + part.y}, IM_COL32_WHITE,
                                              ImGui::GetStyle().FrameRounding);
}

struct Tile {
  std::string path, name, below, label;  // label: in the trace
};

// A button with a picture and two lines.
bool draw_tile(Workspace& work, const Tile& tile, ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  const bool pressed = ImGui::InvisibleButton("##open", size, ImGuiButtonFlags_EnableNav);
  const bool pointed = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  note_place(tile.label.c_str());
  tooltip(tile.path.c_str());
  const float line = ImGui::GetTextLineHeight(), pad = ImGui::GetStyle().FramePadding.x;
  const ImVec2 box{size.x, size.y - 2 * line - 2 * pad};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, ImGui::GetColorU32(pointed ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                     ImGui::GetStyle().FrameRounding);
  const auto picture = work.received.recent_pictures.find(tile.path);
  if (picture != work.received.recent_pictures.end())
    filling_picture(picture->second, low, box);
  else
    list.AddRectFilled(low, {high.x, low.y + box.y}, ImGui::GetColorU32(ImGuiCol_PopupBg),
                       ImGui::GetStyle().FrameRounding, ImDrawFlags_RoundTop);
  const float left = low.x + pad, top = low.y + box.y + pad, room = size.x - 2 * pad;
  list.AddText({left, top}, ImGui::GetColorU32(ImGuiCol_Text), elided(tile.name, room).c_str());
  ImGui::PushFont(nullptr, kFactPx);
  list.AddText({left, top + line}, packed(work.appearance.colours().faint), words_within(tile.below, room).c_str());
  ImGui::PopFont();
  return pressed;
}

// Files are dropped at the left, the demo is at the right.
void beginning(Workspace& work, float width, float height) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool demo = !work.program.demo.empty();
  const float right = demo ? std::min(0.34f * width, 1.35f * height) : 0;
  drop_zone(work, {width - (demo ? right + gap : 0), height});
  if (!demo) return;
  ImGui::SameLine();
  const Tile tile{work.program.demo.string(), "Try the demo", "32 photos, ready to train", "Try the demo"};
  if (draw_tile(work, tile, {right, height})) work.open(work.program.demo);
}

void recent_scenes(Workspace& work, float width) {
  if (work.settings.recent.empty()) return;
  ImGui::Spacing();
  ImGui::PushFont(heading_font(), kHeadingPx);
  ImGui::TextUnformatted("Recent");
  ImGui::PopFont();
  const std::vector<std::string> recent = work.settings.recent;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const int columns = std::max(2, int((width + gap) / (kTileWidth * work.appearance.scale + gap)));
  const float side = (width - float(columns - 1) * gap) / float(columns);
  for (size_t i = 0; i < recent.size(); ++i) {
    if (i % size_t(columns) > 0) ImGui::SameLine();
    ImGui::PushID(int(i));
    const std::string name = scene_name(recent[i]);
    const auto opened = work.settings.opened.find(recent[i]);
    const auto about = work.received.about_recent.find(recent[i]);
    const Tile tile{recent[i], name,
                    about != work.received.about_recent.end() ? about->second
                    : opened != work.settings.opened.end()    ? age_text(opened->second)
                                                              : "",
                    "recent " + name};
    if (draw_tile(work, tile, {side, 0.56f * side + 3 * ImGui::GetTextLineHeight()})) work.open(recent[i]);
    menu_of_item(work, {Thing::kRecent, -1, name, recent[i]});
    ImGui::PopID();
  }
}

const char* plain_name(const std::string& backend) {
  return backend == "cpu" ? "CPU" : backend == "hip" ? "AMD GPU" : backend == "cuda" ? "NVIDIA GPU" : backend.c_str();
}

struct DeviceWords {
  std::string text = "Looking for devices...", details;
  std::array<float, 4> colour{};
};

DeviceWords device_words(const Workspace& work) {
  const Palette& colours = work.appearance.colours();
  DeviceWords words;
  words.colour = colours.faint;
  if (!work.received.devices) return words;
  const splat::BackendStatus *gpu = nullptr, *cpu = nullptr;
  for (const splat::BackendStatus& status : work.received.devices->backends) {
    words.details += std::string(plain_name(status.name)) + ": " + status.reason + "\n";
    if (status.usable) (status.name == "cpu" ? cpu : gpu) = &status;
  }
  words.details +=
      "OpenGL: " + work.program.gl_renderer +
      (work.program.software_gl ? ", on the processor: the engine's own renderer draws the splats instead" : "");
  const splat::BackendStatus* trains = gpu ? gpu : cpu;
  words.text = trains ? plain_name(trains->name) : "Nothing here can train";
  if (trains && !trains->devices.empty()) words.text += ": " + trains->devices.front();
  if (!gpu) words.text += " (no GPU)";
  words.colour = gpu ? colours.good : cpu ? colours.warning : colours.bad;
  return words;
}

// What trains, with a light; all devices by a click.
void device_chip(Workspace& work, float room) {
  const DeviceWords words = device_words(work);
  const float light = 0.28f * ImGui::GetFontSize(), pad = ImGui::GetStyle().FramePadding.x + 3 * light;
  const std::string text = elided(words.text, room - 2 * pad);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ImGui::GetFrameHeight() / 2);
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad - 2 * light;
  if (button("###device", words.details.c_str(), width)) ImGui::OpenPopup("devices");
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled({low.x + pad - 2 * light, low.y + ImGui::GetFrameHeight() / 2}, light, packed(words.colour));
  list.AddText({low.x + pad, low.y + ImGui::GetStyle().FramePadding.y}, ImGui::GetColorU32(ImGuiCol_Text),
               text.c_str());
  if (!ImGui::BeginPopup("devices")) return;
  ImGui::TextUnformatted(in_lines(words.details, std::min(room, 30 * ImGui::GetFontSize())).text.c_str());
  ImGui::EndPopup();
}

// At the bottom, however little is above it.
void footer(Workspace& work, float width) {
  const std::string right = "F1: all keys     hipsplat " + work.program.version;
  ImGui::PushFont(nullptr, kFactPx);
  const float size = ImGui::CalcTextSize(right.c_str()).x;
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY() + ImGui::GetStyle().ItemSpacing.y,
                                ImGui::GetWindowHeight() - 1.4f * ImGui::GetFrameHeight()));
  device_chip(work, width - size - 2 * ImGui::GetFontSize());
  ImGui::SameLine(width - size);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", right.c_str());
  ImGui::PopFont();
}

}  // namespace

void draw_welcome(Workspace& work) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize(), width = std::min(kWidest * work.appearance.scale, room.x - 2 * em);
  ImGui::SetCursorPos({(ImGui::GetWindowWidth() - width) / 2, em});
  ImGui::BeginChild("card", {width, 0}, ImGuiChildFlags_NavFlattened);
  ImGui::PushFont(heading_font(), kTitlePx);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 logo = ImGui::GetCursorScreenPos();
  draw_logo(*ImGui::GetWindowDrawList(), logo.x, logo.y, line);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.3f * line);
  ImGui::TextUnformatted("hipsplat");
  ImGui::PopFont();
  faint_text(work.appearance, "Train, view and convert 3D Gaussian splats.");
  ImGui::Spacing();
  const bool first = work.settings.recent.empty();
  const float inside = ImGui::GetContentRegionAvail().x;
  beginning(work, inside, std::clamp((first ? 0.7f : 0.3f) * room.y, 9 * em, (first ? 42.0f : 15.0f) * em));
  recent_scenes(work, inside);
  footer(work, inside);
  ImGui::EndChild();
}

}  // namespace studio
