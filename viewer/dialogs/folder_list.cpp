#include "viewer/dialogs/folder_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>

#include "splat/core/lower_case.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLongestName = 255;  // bytes, of all usual file systems
constexpr size_t kRecentPlaces = 5;

bool is_folder_there(const fs::path& path) {
  std::error_code code;
  return !path.empty() && fs::is_directory(path, code);
}

// Another file system begins there.
bool begins_a_file_system(const fs::path& path) {
  struct stat about {
  }, above{};
  return stat(path.c_str(), &about) == 0 && stat(path.parent_path().c_str(), &above) == 0 &&
         about.st_dev != above.st_dev;
}

void add_place(std::vector<Place>& places, const std::string& name, const fs::path& folder) {
  const auto same = [&](const Place& place) { return place.folder == folder; };
  if (!is_folder_there(folder) || std::any_of(places.begin(), places.end(), same)) return;
  places.push_back({name, folder.string(), folder});
}

std::string last_name(const fs::path& folder) {
  return folder.has_filename() ? folder.filename().string() : folder.string();
}

// Those of one name get that of the folder above before it.
void tell_apart(std::vector<Place>& places) {
  const std::vector<Place> plain = places;
  for (Place& place : places) {
    const auto same = [&](const Place& other) { return other.name == place.name; };
    if (std::count_if(plain.begin(), plain.end(), same) > 1 && place.folder.has_parent_path())
      place.name = last_name(place.folder.parent_path()) + "/" + place.name;
  }
}

std::string name_problem(const fs::path& parent, const std::string& name) {
  std::error_code code;
  if (name.empty()) return "the new folder needs a name";
  if (name.find('/') != std::string::npos) return "a folder's name cannot have a '/'";
  if (name.front() == '.') return "a name that begins with a dot would be hidden here";
  if (name.size() > kLongestName) return "a folder's name has 255 bytes at most";
  if (fs::exists(parent / name, code)) return "'" + name + "' is there already";
  return {};
}

}  // namespace

FolderContents read_folder(const fs::path& folder, const std::atomic<bool>& stop) {
  FolderContents contents{folder, {}, {}};
  std::error_code code;
  fs::directory_iterator files(folder, code);
  for (; !code && !stop && files != fs::directory_iterator(); files.increment(code)) {
    FolderEntry entry{files->path().filename().string()};
    if (entry.name.starts_with(".")) continue;
    if (struct stat about{}; stat(files->path().c_str(), &about) == 0) {
      entry.folder = S_ISDIR(about.st_mode);
      entry.bytes = entry.folder ? 0 : uint64_t(about.st_size);
      entry.changed = about.st_mtime;
    }
    contents.entries.push_back(std::move(entry));
  }
  if (code) contents.problem = "'" + folder.string() + "' cannot be read: " + code.message();
  return contents;
}

std::vector<std::string> patterns_of(const FileKinds& kinds) {
  std::vector<std::string> patterns;
  for (const std::string& ending : kinds.endings) {
    std::string& pattern = patterns.emplace_back("*");
    for (const char c : ending) {
      const char capital = char(std::toupper(static_cast<unsigned char>(c)));
      pattern += capital == c ? std::string{c} : std::string{'[', c, capital, ']'};
    }
  }
  return patterns;
}

std::vector<uint32_t> shown_entries(const std::vector<FolderEntry>& entries, const FolderView& view) {
  const std::string typed = splat::lower_case(view.typed);
  std::vector<std::string> names(entries.size());
  std::vector<uint32_t> shown;
  const auto has_ending = [&](const std::string& name) {
    return view.endings.empty() || std::any_of(view.endings.begin(), view.endings.end(),
                                               [&](const std::string& ending) { return name.ends_with(ending); });
  };
  for (size_t i = 0; i < entries.size(); ++i) {
    names[i] = splat::lower_case(entries[i].name);
    const bool of_kind = entries[i].folder || (!view.folders_only && has_ending(names[i]));
    if (of_kind && names[i].find(typed) != std::string::npos) shown.push_back(uint32_t(i));
  }
  std::sort(shown.begin(), shown.end(), [&](uint32_t a, uint32_t b) {
    const FolderEntry &one = entries[a], &other = entries[b];
    if (one.folder != other.folder) return one.folder;
    const bool begins = names[a].starts_with(typed);
    if (begins != names[b].starts_with(typed)) return begins;
    if (view.order == FolderOrder::kSize && one.bytes != other.bytes) return (one.bytes < other.bytes) != view.falling;
    if (view.order == FolderOrder::kDate && one.changed != other.changed)
      return (one.changed < other.changed) != view.falling;
    const int order = names[a] != names[b] ? names[a].compare(names[b]) : one.name.compare(other.name);
    return view.falling && view.order == FolderOrder::kName ? order > 0 : order < 0;
  });
  return shown;
}

std::string completed(const std::vector<FolderEntry>& entries, const std::vector<uint32_t>& shown,
                      const std::string& typed) {
  const FolderEntry* first = nullptr;
  std::string common;
  size_t count = 0;
  for (const uint32_t index : shown) {
    const std::string& name = entries[index].name;
    if (!splat::lower_case(name).starts_with(splat::lower_case(typed))) continue;
    if (++count == 1) first = &entries[index], common = name;
    size_t same = 0;
    while (same < std::min(common.size(), name.size()) && common[same] == name[same]) ++same;
    while (same > 0 && same < name.size() && (name[same] & 0xc0) == 0x80) --same;  // a letter of several bytes, whole
    common.resize(same);
  }
  if (count == 1 && first->folder) return common + "/";
  return common.size() > typed.size() ? common : typed;
}

std::vector<Place> usual_places(const fs::path& home, const fs::path& open, const std::vector<fs::path>& recent) {
  std::vector<Place> places;
  add_place(places, "Home", home);
  add_place(places, "Desktop", home.empty() ? fs::path() : home / "Desktop");
  add_place(places, last_name(open), open);
  const size_t most = places.size() + kRecentPlaces;
  for (const fs::path& folder : recent)
    if (places.size() < most) add_place(places, last_name(folder), folder);
  tell_apart(places);
  return places;
}

std::vector<Place> mounted_places(const std::vector<fs::path>& roots,
                                  const std::function<bool(const fs::path&)>& is_mounted) {
  std::vector<Place> places;
  const auto folders_in = [](const fs::path& root) {
    std::vector<fs::path> folders;
    std::error_code code;
    for (fs::directory_iterator at(root, code), end; !code && at != end; at.increment(code))
      if (std::error_code no; at->is_directory(no)) folders.push_back(at->path());
    std::sort(folders.begin(), folders.end());
    return folders;
  };
  for (const fs::path& root : roots)
    for (const fs::path& folder : folders_in(root)) {
      if (is_mounted(folder)) {
        add_place(places, last_name(folder), folder);
        continue;
      }
      for (const fs::path& inner : folders_in(folder))
        if (is_mounted(inner)) add_place(places, last_name(inner), inner);
    }
  return places;
}

std::vector<Place> mounted_places() { return mounted_places({"/media", "/mnt", "/run/media"}, begins_a_file_system); }

splat::Status make_folder(const fs::path& parent, const std::string& name) {
  if (std::string problem = name_problem(parent, name); !problem.empty()) return splat::Error{std::move(problem)};
  return make_folders(parent / name);
}

splat::Status make_folders(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) return {};
  return splat::Error{"the folder '" + folder.string() + "' cannot be made: " + code.message()};
}

}  // namespace viewer
