// Where a file dialog of the window begins, and which files it lists at first.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "splat/core/result.h"
#include "studio/window/window_settings.h"
#include "viewer/dialogs/file_browser.h"

namespace studio {

struct EndedFileDialog {
  std::filesystem::path scene, folder;  // what was open, and where the dialog ended
};
using EndedFileDialogs = std::map<std::string, EndedFileDialog>;  // by title

struct FilePlaces {
  std::filesystem::path scene;              // what is open; empty: nothing
  std::filesystem::path run;                // the folder of its run; empty: it has none
  EndedFileDialogs ended;                   // so far
  std::set<std::filesystem::path> refused;  // folders in which something could not be written
};

// It begins where the last one of this title ended, if the same scene was open; else where the scene lies: in a dataset
// for what belongs to it, beside it for other scenes and for results, in a run's folder to save what is made of its
// splats; without a scene in the last folder. What is saved is proposed where it can be written (result_place.h). No
// kinds: the suggested name's.
FileQuestion file_question(FileQuestion asked, const FilePlaces& places, const WindowSettings& settings);

// What was chosen, a new file with its ending. An error: with that it is a file which no dialog has asked about.
splat::Status give_answer(const FileQuestion& asked, const std::filesystem::path& path,
                          const std::function<void(const std::filesystem::path&)>& to);

}  // namespace studio
