// Cameras that other programs have found and that are not read here: recognised, so that nobody looks for them anew
// without knowing, and named with the way in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace io {

// Whether all of these, in small letters and at most 64 bytes long, are in the file, in any case of letters. Reads
// until they are found, since metadata of all photos may come before, or until `most` bytes.
bool file_mentions(const std::filesystem::path& path, const std::vector<const char*>& marks,
                   size_t most = size_t(1) << 28);

// Looks into those of `files` (below `folder`, files_below.h) whose names could be meant. A sentence that
// names what is there and what to do about it; empty: nothing.
std::string cameras_of_other_programs(const std::filesystem::path& folder, const std::vector<std::string>& files);

}  // namespace io
