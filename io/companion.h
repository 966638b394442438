// Files that a writer adds beside the one that was named: index.spz of index.html, the material and the texture of an
// .obj, NAME.scene.json of splats. One that is there is replaced only where this program wrote it for the file of that
// name that is there now: the two know each other by a stamp, of size and checksum, that one of them holds of the
// other. Cost: the file is read once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace io {

// What lies beside a file that is written, and was not written with it.
struct Beside {
  bool replace = false;          // the user insists
  std::string_view otherwise{};  // behind a refusal: how to insist, ", or give --force"
};

// An error where something stands under that name that is no file: a folder, a pipe, a socket, a device, or a link to
// one. AtomicFile asks; what writes by another program, or after long work, asks first.
splat::Status check_place_of_file(const std::filesystem::path& target);

std::string stamp_of(std::string_view bytes);
std::string stamp_of_file(const std::filesystem::path& path);  // empty: it is none, or cannot be read

// An error where `companion` may not be replaced. stamp: of what was written with the `main` file that is there; empty:
// nothing is known of that.
splat::Status check_companion(const std::filesystem::path& companion, const std::filesystem::path& main,
                              std::string_view stamp, const Beside& beside);
splat::Error not_of(const std::filesystem::path& companion, const std::filesystem::path& main, const Beside& beside);

// What stands in the first bytes of `file` between `before` and the next `end`; empty: nothing.
std::string noted_in(const std::filesystem::path& file, std::string_view before, char end);

}  // namespace io
