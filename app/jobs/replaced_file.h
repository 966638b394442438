// What an output may replace. Nobody's file is lost by a slip: an existing file has to be named as the output, and to
// hold what is written anyway, or the user has to insist (--force). Checked before anything is read; leaves no trace.
#pragma once

#include <filesystem>

#include "io/companion.h"
#include "splat/core/result.h"

namespace app {

enum class FileKind {
  kNothing,
  kSplats,
  kPoints,
  kMesh,
  kMaterial,
  kPicture,
  kFilm,
  kScript,
  kOther
};  // nothing: it is empty

// By its content: of a glTF or PLY, what its header says it holds.
FileKind kind_of_file_content(const std::filesystem::path& path);

struct Replacing {
  bool named = true;  // the target is the value of an option, not a word among others
  bool force = false;
};

// An error where `target` is a file that `written` must not replace (it holds something else, it was not named, it is
// write-protected), where it is no file, or where no file of that name can be made.
splat::Status check_replaceable(const std::filesystem::path& target, FileKind written, Replacing allowed);

// What writers are given of that (io/companion.h).
inline io::Beside beside_of(bool force) { return {.replace = force, .otherwise = ", or give --force"}; }

// Pictures are written as PNG: an error where the name says that it is a file of another format.
splat::Status check_picture_name(const std::filesystem::path& target);

}  // namespace app
