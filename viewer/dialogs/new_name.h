// What a new file is called that a file dialog's user names: here alone an ending is added, before it is asked whether
// a file of that name may be replaced. What the dialog answers is written under that name as it is.
#pragma once

#include <filesystem>
#include <string>

#include "viewer/dialogs/folder_list.h"

namespace viewer {

// With the ending of the suggested name, where the name has neither that nor one of these kinds: "garden.v2" becomes
// "garden.v2.ply". kinds: the endings of all that can be written; of several dots, too.
std::filesystem::path with_suggested_ending(std::filesystem::path named, const std::string& suggested,
                                            const FileKinds& kinds);

}  // namespace viewer
