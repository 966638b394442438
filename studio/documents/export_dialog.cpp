#include <algorithm>
#include <string_view>

#include "studio/window/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// All endings that name a format: another than the chosen one's may be typed, and writing says whether it can be
// written so.
FileKinds splat_kinds(const std::vector<FormatRow>& formats) {
  FileKinds kinds{"Splats", {}};
  for (const FormatRow& format : formats)
    kinds.endings.insert(kinds.endings.end(), format.extensions.begin(), format.extensions.end());
  return kinds;
}

// "scene" of "scene.compressed.ply", the run's folder of its results.
std::string plain_name(const Workspace& work) {
  const std::string name = scene_name(work.received.splats ? work.received.splats->path : work.received.scene_path());
  const std::string plain = name.substr(0, name.find_first_of(".,", 1));
  return plain.empty() ? "scene" : plain;
}

// "scene-chair": of the object's name what every file system takes.
std::string object_file_name(const Workspace& work, uint32_t object) {
  const std::string scene = plain_name(work);
  std::string name = work.edit.scene && object < work.edit.scene->objects.size()
                         ? work.edit.scene->objects[object].object.name
                         : std::to_string(object);
  for (char& c : name)
    if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos || c == ' ') c = '-';
  const bool is_scene = name == scene || name.starts_with(scene + ".");
  return is_scene ? scene + "-rest" : scene + "-" + name;
}

std::string kept(const FormatRow& format) {
  return format.loss.empty() ? "Loses " + format.loses + "." : as_sentence(format.loss) + ".";
}

std::string opened_by(const FormatRow& format) { return "Opens in " + format.opened_by + "."; }

// Asks for them once, and again for another degree.
void want_sizes(Workspace& work) {
  const PredictSizes wanted{work.dialogs.export_degree, work.dialogs.export_object};
  if (work.dialogs.sizes_asked == wanted) return;
  work.dialogs.sizes_asked = wanted;
  work.ask(wanted);
}

std::string size_of(const Dialogs& dialogs, const FormatRow& format, size_t index) {
  if (!dialogs.sizes || dialogs.sizes->of != dialogs.sizes_asked) return "...";
  const std::optional<uint64_t> bytes = dialogs.sizes->bytes.at(index);
  return bytes ? (format.compressed ? "about " : "") + file_size_text(*bytes) : "not known";
}

void format_row(Workspace& work, const FormatRow& format, size_t index, bool wide) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  constexpr auto kWhole = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_NoAutoClosePopups;
  const bool chosen = work.dialogs.export_format == int(index);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  // Over all lines of the row, which is as high as in the last frame.
  float& lines = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(format.name.c_str()), 0);
  if (ImGui::Selectable(("##" + format.name).c_str(), chosen, kWhole, {0, lines}))
    work.dialogs.export_format = int(index);
  note_place(format.name.c_str());
  ImGui::SetCursorScreenPos(at);
  float bottom = at.y;
  const auto cell = [&](const std::string& text, bool faint) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (faint)
      faint_text(work.appearance, text);
    else
      ImGui::TextUnformatted(elided(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleVar();
    bottom = std::max(bottom, ImGui::GetItemRectMax().y);
  };
  const std::string both = format.name + "  " + format.extension;
  const bool fits = format.name == format.extension || ImGui::CalcTextSize(both.c_str()).x > room;
  cell(fits ? format.name : both, false);
  ImGui::TableNextColumn();
  cell(size_of(work.dialogs, format, index), false);
  ImGui::TableNextColumn();
  cell(format.loses, true);
  if (wide && ImGui::TableNextColumn()) cell(format.opened_by, true);
  lines = bottom - at.y;
}

// Rows above the rest of the dialog, which scroll where the window is low.
void format_table(Workspace& work) {
  const std::vector<FormatRow>& formats = work.received.devices->formats;
  work.dialogs.export_format = std::clamp(work.dialogs.export_format, 0, int(formats.size()) - 1);
  const float em = ImGui::GetFontSize(), window = ImGui::GetMainViewport()->Size.y;
  const bool wide = ImGui::GetContentRegionAvail().x > 36 * em, high = window > 28 * em;
  ImGui::SetNextWindowSizeConstraints({0, 4 * em}, {FLT_MAX, std::max(4 * em, window - (high ? 19 : 12) * em)});
  ImGui::BeginChild("formats", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
  constexpr auto kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
  if (ImGui::BeginTable(wide ? "wide" : "narrow", wide ? 4 : 3, kFlags)) {
    ImGui::TableSetupColumn("Format", ImGuiTableColumnFlags_WidthFixed, (wide ? 12 : 7.5f) * em);
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, 6.5f * em);
    ImGui::TableSetupColumn("Loses", ImGuiTableColumnFlags_WidthStretch);
    if (wide) ImGui::TableSetupColumn("Opens in", ImGuiTableColumnFlags_WidthStretch);
    ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, ImVec4(0, 0, 0, 0));  // else it looks chosen, as a row
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    for (size_t i = 0; i < formats.size(); ++i) format_row(work, formats[i], i, wide);
    ImGui::EndTable();
  }
  ImGui::EndChild();
  if (!high) return;
  ImGui::Spacing();
  const float lines = wide ? 4.0f : 6.0f;  // of the longest: the dialog must not jump from format to format
  ImGui::BeginChild("kept", {0, lines * ImGui::GetTextLineHeight()});
  const FormatRow& chosen = formats[size_t(work.dialogs.export_format)];
  const bool plays = chosen.extension == ".html" && !work.path.keys.empty();
  faint_text(work.appearance,
             kept(chosen) + (wide ? "" : " " + opened_by(chosen)) + (plays ? " It plays the camera path." : ""));
  ImGui::EndChild();
}

bool makes_a_page(const Workspace& work) {
  const size_t format = size_t(work.dialogs.export_format);
  const auto& devices = work.received.devices;
  return devices && format < devices->formats.size() && devices->formats[format].extension == ".html";
}

void ask_where(Workspace& work) {
  const std::string ending = work.received.devices->formats[size_t(work.dialogs.export_format)].extension;
  std::string name = plain_name(work) + ending;
  const std::optional<uint32_t> object = work.dialogs.export_object;
  if (object)
    name = object_file_name(work, *object) + ending;
  else if (work.received.splats && work.received.splats->path.filename() == name)
    name = plain_name(work) + "-copy" + ending;
  const auto save = [&work, object](const std::filesystem::path& path) {
    work.ask(ExportSplats{path, work.dialogs.export_degree, object, work.edit.measure.metres_per_unit().value_or(0),
                          work.path});
  };
  const char* title = makes_a_page(work) ? "Save web page" : "Save splats";
  work.ask_file(FileDialog::Kind::kSaveFile, title, name, save, splat_kinds(work.received.devices->formats));
}

}  // namespace

void draw_export_dialog(Workspace& work) {
  const char* title = makes_a_page(work) ? "Share as a web page###export" : "Save splats###export";
  if (!begin_modal(title, work.dialogs.show_export, 46)) return;
  want_sizes(work);
  format_table(work);
  {
    Row row("SH degree", "Higher degrees of view-dependent colour are left out: smaller files. Default all there is");
    const int most = work.received.sh_degree();
    int degree = std::min(work.dialogs.export_degree, most);
    if (degree_choice(work.appearance, &degree, most))
      work.dialogs.export_degree = degree == most ? splat::kMaxShDegree : degree;
  }
  ImGui::Spacing();
  const bool save = save_or_cancel(work.appearance, "Choose the file; another extension selects another format",
                                   work.dialogs.confirmed, work.dialogs.show_export);
  ImGui::EndPopup();
  if (save) ask_where(work);
}

}  // namespace studio
