// Where a file dialog of the window begins, and which files it lists at first.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "splat/core/result.h"
#include "studio/window/window_settings.h"
#include "viewer/dialogs/file_browser.h"

namespace viewer {

struct EndedFileDialog {
  std::filesystem::path scene, folder;  // what was open, and where the dialog ended
};
using EndedFileDialogs = std::map<std::string, EndedFileDialog>;  // by title

// It begins where the last one of this title ended, if the same scene was open; else where the scene lies: in a dataset
// for what belongs to it, beside it for other scenes and for results, in a run's folder to save what is made of its
// splats; without a scene in the last folder. No kinds: the suggested name's.
FileQuestion file_question(FileQuestion asked, const std::filesystem::path& scene, const WindowSettings& settings,
                           const EndedFileDialogs& ended);

// What was chosen, a new file with its ending. An error: with that it is a file which no dialog has asked about.
splat::Status give_answer(const FileQuestion& asked, const std::filesystem::path& path,
                          const std::function<void(const std::filesystem::path&)>& to);

}  // namespace viewer
