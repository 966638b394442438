// What an output may replace. Nobody's file is lost by a slip: an existing file has to be named as the output, and to
// hold what is written anyway, or the user has to insist (--force). Checked before anything is read; leaves no trace.
#pragma once

#include <filesystem>

#include "splat/core/result.h"

namespace app {

enum class FileKind { kNothing, kSplats, kPoints, kMesh, kMaterial, kPicture, kFilm, kOther };  // nothing: it is empty

// By its content: of a glTF or PLY, what its header says it holds.
FileKind kind_of_file_content(const std::filesystem::path& path);

struct Replacing {
  bool named = true;  // the target is the value of an option, not a word among others
  bool force = false;
};

// An error where `target` is a file that `written` must not replace (it holds something else, it was not named, it is
// write-protected), where it is a folder, or where no file of that name can be made. Pipes and devices pass.
splat::Status check_replaceable(const std::filesystem::path& target, FileKind written, Replacing allowed);

// Pictures are written as PNG: an error where the name says that it is a file of another format.
splat::Status check_picture_name(const std::filesystem::path& target);

}  // namespace app
