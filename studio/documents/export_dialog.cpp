#include <algorithm>
#include <cctype>
#include <string_view>

#include "studio/window/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

// As the user named it, when that names a format (writing says whether it can be written so); else with the chosen
// one's extension.
std::filesystem::path with_ending(const std::filesystem::path& path, const std::vector<FormatRow>& formats,
                                  const std::string& chosen) {
  const std::string name = lower(path.filename().string());
  for (const FormatRow& format : formats)
    for (const std::string& extension : format.extensions)
      if (name.ends_with(extension)) return path;
  return std::filesystem::path(path.string() + chosen);
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

std::string kept(const FormatRow& format) { return format.loss.empty() ? "Keeps everything." : format.loss + "."; }

void format_list(Workspace& work) {
  const std::vector<FormatRow>& formats = work.received.devices->formats;
  work.dialogs.export_format = std::clamp(work.dialogs.export_format, 0, int(formats.size()) - 1);
  for (size_t i = 0; i < formats.size(); ++i) {
    if (ImGui::RadioButton(formats[i].name.c_str(), work.dialogs.export_format == int(i)))
      work.dialogs.export_format = int(i);
    tooltip((kept(formats[i]) + " Default " + formats.front().name).c_str());
    if (formats[i].name == formats[i].extension) continue;
    ImGui::SameLine(12 * ImGui::GetFontSize());
    ImGui::TextDisabled("%s", formats[i].extension.c_str());
  }
  ImGui::Spacing();
  constexpr float kLines = 4;  // of the longest sentence: the dialog must not jump from format to format
  ImGui::BeginChild("kept", {0, kLines * ImGui::GetTextLineHeight()});
  faint_text(work.appearance, kept(formats[size_t(work.dialogs.export_format)]));
  ImGui::EndChild();
}

void ask_where(Workspace& work) {
  const std::string ending = work.received.devices->formats[size_t(work.dialogs.export_format)].extension;
  std::string name = plain_name(work) + ending;
  const std::optional<uint32_t> object = work.dialogs.export_object;
  if (object)
    name = object_file_name(work, *object) + ending;
  else if (work.received.splats && work.received.splats->path.filename() == name)
    name = plain_name(work) + "-copy" + ending;
  work.ask_file(FileDialog::Kind::kSaveFile, "Save splats", name, [&work, ending, object](const auto& path) {
    work.ask(ExportSplats{with_ending(path, work.received.devices->formats, ending), work.dialogs.export_degree, object,
                          work.edit.measure.metres_per_unit().value_or(0)});
  });
}

}  // namespace

void draw_export_dialog(Workspace& work) {
  if (!begin_modal("Save splats", work.dialogs.show_export)) return;
  format_list(work);
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

}  // namespace viewer
