#include "studio/window/file_question.h"

#include <system_error>

#include "studio/documents/result_place.h"
#include "viewer/dialogs/new_name.h"
#include "viewer/scene_name.h"

namespace studio {

namespace fs = std::filesystem;

FileQuestion file_question(FileQuestion asked, const FilePlaces& places, const WindowSettings& settings) {
  std::error_code code;
  const fs::path& scene = places.scene;
  const bool dataset = fs::is_directory(scene, code), saves = asked.kind == FileDialogKind::kSaveFile;
  const bool beside = asked.kind == FileDialogKind::kOpenAny || is_folder(asked.kind);
  asked.open = dataset ? scene : scene.parent_path();
  for (const std::string& path : settings.recent) asked.recent.push_back(fs::path(path).parent_path());
  const auto before = places.ended.find(asked.title);
  fs::path last, usual;
  if (before != places.ended.end() && before->second.scene == scene) last = before->second.folder;
  if (scene.empty())
    usual = settings.last_folder;
  else if (saves && !dataset)
    usual = folder_of_results(scene);
  else
    usual = dataset && !beside ? scene : scene.parent_path();
  if (saves)
    asked.folder = place_for_results({last, places.run, usual}, places.refused);
  else
    asked.folder = last.empty() ? usual : last;
  const std::string ending = fs::path(asked.suggested).extension().string();
  if (asked.kinds.endings.empty() && !ending.empty()) asked.kinds = {ending.substr(1) + " files", {ending}};
  return asked;
}

splat::Status give_answer(const FileQuestion& asked, const fs::path& path,
                          const std::function<void(const fs::path&)>& to) {
  const bool names = asked.kind == FileDialogKind::kSaveFile;
  const fs::path whole = names ? with_suggested_ending(path, asked.suggested, asked.kinds) : path;
  std::error_code code;
  if (whole != path && fs::exists(whole, code))
    return splat::Error{"'" + whole.string() + "' is there already: give its whole name to write over it"};
  to(whole);
  return {};
}

}  // namespace studio
