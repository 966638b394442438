#include <algorithm>
#include <ctime>
#include <filesystem>

#include "studio/window/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kCardWidth = 640, kTitlePx = 34, kHeadingPx = 21;  // px at scale 1

// A button of several lines: what it does in large letters, and one sentence on it.
bool large_button(const Appearance& look, const char* label, const char* what, const char* tip, ImVec2 size,
                  bool main) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const std::string id = std::string("###") + label;
  const bool pressed =
      main ? main_button(look, id.c_str(), tip, size.x, size.y) : button(id.c_str(), tip, size.x, size.y);
  const float room = size.x - 2 * ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 text = main ? IM_COL32_WHITE : ImGui::GetColorU32(ImGuiCol_Text);
  const ImU32 faint = main ? IM_COL32(255, 255, 255, 210) : packed(look.colours().faint);
  const ImVec2 what_size = ImGui::CalcTextSize(what, nullptr, false, room);
  ImGui::PushFont(nullptr, kHeadingPx);
  const float heading = ImGui::GetFontSize(), gap = heading * 0.25f;
  float y = low.y + (size.y - heading - gap - what_size.y) / 2;
  const float x = low.x + (size.x - room) / 2;
  list.AddText({x, y}, text, label);
  ImGui::PopFont();
  list.AddText(nullptr, 0, {x, y + heading + gap}, faint, what, nullptr, room);
  return pressed;
}

void choices(Workspace& work, float width) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, half = (width - gap) / 2, line = ImGui::GetFontSize();
  const ImVec2 large{half, 5.2f * line}, wide{width, 3.8f * line};
  if (large_button(work.appearance, "Open splat file", "View, compare and convert PLY, SPZ, SOG and other formats",
                   "Choose a splat file (Ctrl+O)", large, true))
    ask_open_file(work);
  ImGui::SameLine();
  if (large_button(work.appearance, "Train from photos",
                   "A folder of photos; cameras that are not known are found first", "Choose the folder (Ctrl+Shift+O)",
                   large, true))
    ask_open_dataset(work);
  if (!work.program.demo.empty() &&
      large_button(work.appearance, "Try the demo", "32 photos of a small scene, ready to train",
                   "Opens the dataset that comes with hipsplat", wide, false))
    work.open(work.program.demo);
  faint_text(work.appearance, "Or drop a file or a folder on this window.");
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

// The whole picture in the box, as large as it fits.
void fitted_picture(PictureTexture& picture, ImVec2 low, ImVec2 size) {
  const float scale = std::min(size.x / float(picture.width()), size.y / float(picture.height()));
  const ImVec2 half{0.5f * scale * float(picture.width()), 0.5f * scale * float(picture.height())};
  const ImVec2 middle{low.x + size.x / 2, low.y + size.y / 2};
  ImGui::GetWindowDrawList()->AddImageRounded(texture_id(picture.texture()), {middle.x - half.x, middle.y - half.y},
                                              {middle.x + half.x, middle.y + half.y}, {0, 0}, {1, 1}, IM_COL32_WHITE,
                                              ImGui::GetStyle().FrameRounding);
}

void recent_tile(Workspace& work, const std::string& recent, ImVec2 size) {
  const std::filesystem::path path(recent);
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  if (ImGui::InvisibleButton("##open", size)) work.open(path);
  const bool pointed = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  note_place(("recent " + scene_name(path)).c_str());
  tooltip(recent.c_str());
  const float line = ImGui::GetTextLineHeight(), pad = ImGui::GetStyle().FramePadding.y;
  const ImVec2 box{size.x - 2 * pad, size.y - 2 * line - 3 * pad};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, ImGui::GetColorU32(pointed ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                     ImGui::GetStyle().FrameRounding);
  const auto picture = work.received.recent_pictures.find(recent);
  if (picture != work.received.recent_pictures.end()) fitted_picture(picture->second, {low.x + pad, low.y + pad}, box);
  const auto opened = work.settings.opened.find(recent);
  const std::string age = opened != work.settings.opened.end() ? age_text(opened->second) : "";
  const float top = low.y + box.y + 2 * pad;
  list.AddText({low.x + pad, top}, ImGui::GetColorU32(ImGuiCol_Text), elided(scene_name(path), box.x).c_str());
  list.AddText({low.x + pad, top + line}, packed(work.appearance.colours().faint), elided(age, box.x).c_str());
}

void recent_scenes(Workspace& work, float width) {
  if (work.settings.recent.empty()) return;
  ImGui::Spacing();
  ImGui::TextDisabled("Recent");
  const std::vector<std::string> recent = work.settings.recent;
  const float gap = ImGui::GetStyle().ItemSpacing.x, columns = float(WindowSettings::kPicturedRecent);
  const float side = (width - (columns - 1) * gap) / columns;
  for (size_t i = 0; i < std::min(recent.size(), WindowSettings::kPicturedRecent); ++i) {
    if (i > 0) ImGui::SameLine();
    ImGui::PushID(int(i));
    recent_tile(work, recent[i], {side, 0.75f * side + 2.6f * ImGui::GetTextLineHeight()});
    ImGui::PopID();
  }
}

const char* plain_name(const std::string& backend) {
  return backend == "cpu" ? "CPU" : backend == "hip" ? "AMD GPU" : backend == "cuda" ? "NVIDIA GPU" : backend.c_str();
}

// One line; the details of every device on hover.
void device_line(Workspace& work) {
  ImGui::Spacing();
  if (!work.received.devices) return faint_text(work.appearance, "Looking for devices...");
  std::string details;
  const splat::BackendStatus *gpu = nullptr, *cpu = nullptr;
  for (const splat::BackendStatus& status : work.received.devices->backends) {
    details += std::string(plain_name(status.name)) + ": " + status.reason + "\n";
    if (status.usable) (status.name == "cpu" ? cpu : gpu) = &status;
  }
  details += "OpenGL: " + work.program.gl_renderer +
             (work.program.software_gl ? ", on the processor: the engine's own renderer draws the splats instead" : "");
  const splat::BackendStatus* trains = gpu ? gpu : cpu;
  std::string text = trains ? std::string("Trains on the ") + plain_name(trains->name) : "Nothing here can train";
  if (trains && !trains->devices.empty()) text += ": " + trains->devices.front();
  if (!gpu) text += ". No GPU found";
  const Palette& colours = work.appearance.colours();
  ImGui::BeginGroup();
  coloured_text(trains ? colours.faint : colours.bad, text + ". Point here for details.");
  ImGui::EndGroup();
  tooltip(details.c_str());
}

}  // namespace

void draw_welcome(Workspace& work) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(kCardWidth * work.appearance.scale, room.x - 2 * ImGui::GetFontSize());
  ImGui::SetCursorPos({(ImGui::GetWindowWidth() - width) / 2, std::max(room.y * 0.08f, ImGui::GetFontSize())});
  ImGui::BeginChild("card", {width, 0}, ImGuiChildFlags_NavFlattened);
  ImGui::PushFont(nullptr, kTitlePx);
  ImGui::TextUnformatted("hipsplat");
  ImGui::PopFont();
  faint_text(work.appearance, "Train, view and convert 3D Gaussian splats.");
  ImGui::Spacing();
  ImGui::Spacing();
  choices(work, width);
  recent_scenes(work, width);
  device_line(work);
  faint_text(work.appearance, "F1 shows all keys. hipsplat " + work.program.version);
  ImGui::EndChild();
}

}  // namespace viewer
