// What a file dialog lists, without a window: what a folder holds, which of it is shown in which order, what typing
// completes, the places beside it, and new folders. Reading a folder may take as long as its disk does; the rest is
// some milliseconds for 10 000 entries. Names that begin with a dot are left out.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "splat/core/result.h"

namespace viewer {

struct FolderEntry {
  std::string name;
  bool folder = false;
  uint64_t bytes = 0;   // of a file
  int64_t changed = 0;  // s since 1970
};

struct FolderContents {
  std::filesystem::path folder;
  std::vector<FolderEntry> entries;
  std::string problem;  // a sentence: why it cannot be read; empty: it was
};
FolderContents read_folder(const std::filesystem::path& folder, const std::atomic<bool>& stop);

// Endings of the files that an action can open or write, lower case, with their dots; none: every file.
struct FileKinds {
  std::string name;  // "Splats, datasets, meshes"
  std::vector<std::string> endings;
};
inline constexpr const char* kAllFiles = "All files";  // what a dialog calls the rest
// As patterns of file names, for dialogs that tell capitals apart: "*.[pP][lL][yY]".
std::vector<std::string> patterns_of(const FileKinds& kinds);

enum class FolderOrder : uint8_t { kName, kSize, kDate };

struct FolderView {
  FolderOrder order = FolderOrder::kName;
  bool falling = false;
  std::vector<std::string> endings{};  // of files; none: all
  bool folders_only = false;
  std::string typed{};  // is somewhere in a shown name, in capitals or not
};
// Indices of the shown entries: folders first, those that begin with what was typed before others.
std::vector<uint32_t> shown_entries(const std::vector<FolderEntry>& entries, const FolderView& view);

// What is typed, as far as all shown entries go on that begin so; a folder that is the only one with its slash.
std::string completed(const std::vector<FolderEntry>& entries, const std::vector<uint32_t>& shown,
                      const std::string& typed);

struct Place {
  std::string name, tip;
  std::filesystem::path folder;
  friend bool operator==(const Place&, const Place&) = default;
};
// Those that exist, each once: home, the desktop, the folder of what is open, folders of what was open lately.
std::vector<Place> usual_places(const std::filesystem::path& home, const std::filesystem::path& open,
                                const std::vector<std::filesystem::path>& recent);
// Disks and shares that are mounted in these folders or, as desktops do it for each user, in a folder of them.
std::vector<Place> mounted_places(const std::vector<std::filesystem::path>& roots,
                                  const std::function<bool(const std::filesystem::path&)>& is_mounted);
std::vector<Place> mounted_places();  // of this machine; may wait for a disk

splat::Status make_folder(const std::filesystem::path& parent, const std::string& name);  // the error is one sentence
splat::Status make_folders(const std::filesystem::path& folder);                          // with those above it

}  // namespace viewer
