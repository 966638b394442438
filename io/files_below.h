// The files below a folder, without what systems and programs keep there for themselves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace io {

// Whether everything passes over a file or folder of this name: those that begin with a dot (.thumbnails,
// .ipynb_checkpoints, "._a.jpg" of macOS), and the folders that NAS systems, archives and bins leave (@eaDir,
// __MACOSX).
bool is_passed_over(std::string_view file_name);

// Their '/'-separated names below `root`, sorted; at most `depth` folders deep. Links to folders are followed, what may
// not be opened is not there. A folder that does not exist holds nothing. No file is opened.
inline constexpr int kMaxFolderDepth = 8;  // links may form a circle
std::vector<std::string> files_below(const std::filesystem::path& root, int depth = kMaxFolderDepth);

// The entry of a folder that has this name in any case of letters, exactly so where there is one; else folder / name.
std::filesystem::path child_of(const std::filesystem::path& folder, std::string_view name);

// Parts of a '/'-separated name.
std::string_view last_part(std::string_view name);          // "a/b.jpg" -> "b.jpg"
std::string_view without_extension(std::string_view name);  // "a/b.jpg" -> "a/b"; "a/.b" stays
std::string lower(std::string_view text);                   // of ASCII letters alone

// How many parts two names have in common at their ends, by their name_key() (io/name_key.h); the last parts without
// their extensions: 2 of "x/images/a.jpg" and "Images/A.png".
size_t common_end(std::string_view a, std::string_view b);

}  // namespace io
