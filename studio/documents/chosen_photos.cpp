#include "studio/documents/chosen_photos.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <system_error>

#include "io/dataset/photo_folder.h"
#include "studio/documents/result_place.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

using Links = std::map<std::string, fs::path>;  // name -> photo

// Under their own names; photos of several folders may have the same.
Links links_to(const std::vector<fs::path>& photos) {
  Links links;
  for (const fs::path& photo : photos) {
    std::error_code code;
    const fs::path whole = fs::absolute(photo, code).lexically_normal();
    std::string name = whole.filename().string();
    for (int i = 2; links.contains(name) && links[name] != whole; ++i)
      name = fmt::format("{}_{}{}", whole.stem().string(), i, whole.extension().string());
    links[name] = whole;
  }
  return links;
}

// As many photos as these, and no folder in which more might lie: those of somebody's home are not all read through.
bool is_of_these_alone(const fs::path& folder, size_t photos) {
  std::error_code code;
  size_t count = 0;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    std::error_code no_folder;
    if (!name.starts_with(".") && entry->is_directory(no_folder)) return false;
    count += io::is_picture(name) || io::is_unread_picture(name);
  }
  return !code && count <= photos;
}

bool holds(const fs::path& folder, const Links& links) {
  std::error_code code;
  size_t count = 0;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const auto found = links.find(entry->path().filename().string());
    std::error_code no_link;
    if (found == links.end() || fs::read_symlink(entry->path(), no_link) != found->second) return false;
    ++count;
  }
  return !code && count == links.size();
}

}  // namespace

splat::Result<fs::path> folder_of_photos(const std::vector<fs::path>& photos) {
  const Links links = links_to(photos);
  const fs::path folder = links.begin()->second.parent_path();
  bool one_folder = true;
  for (const auto& [name, photo] : links) one_folder &= photo.parent_path() == folder;
  if (one_folder && is_of_these_alone(folder, links.size())) return folder;
  std::error_code code;
  const std::string name = folder.filename().string() + "_photos";
  fs::path chosen = home_of_results() / name;
  for (int i = 2; fs::exists(chosen, code); ++i) {
    if (holds(chosen, links)) return chosen;
    chosen = home_of_results() / fmt::format("{}_{}", name, i);
  }
  fs::create_directories(chosen, code);
  for (const auto& [link, photo] : links) {
    if (!code) fs::create_symlink(photo, chosen / link, code);
    if (code)
      return splat::Error{fmt::format(
          "the photos could not be brought together in '{}' ({}): move them to a folder by themselves, and open that",
          chosen.string(), code.message())};
  }
  return chosen;
}

}  // namespace studio
