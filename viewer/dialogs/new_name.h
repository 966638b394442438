// What a new file is called that a file dialog's user names.
#pragma once

#include <filesystem>
#include <string>

#include "viewer/dialogs/folder_list.h"

namespace viewer {

// With the ending of the suggested name, where it has none. kinds: endings of several dots.
std::filesystem::path with_suggested_ending(std::filesystem::path named, const std::string& suggested,
                                            const FileKinds& kinds);

}  // namespace viewer
