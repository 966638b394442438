// Files that are not what their name says, or of formats that hipsplat does not read: one table of sentences, for
// splats, photos, models and whatever else is opened.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace io {

// A sentence for what stands for a file and never is one: a Git LFS pointer, a web page or an error message of a server
// that was stored in its place. `start`: its first bytes. Asked of everything that is read.
splat::Status check_is_the_file(std::string_view start, const std::string& name);

// What a file is that no reader has recognised, by its first bytes, else by its name: "is a USD scene, which hipsplat
// does not read yet". Empty: nothing is known of it.
std::string what_it_is(std::string_view start, const std::filesystem::path& name);

}  // namespace io
