#include "io/dataset/photo_folder.h"

#include <algorithm>
#include <set>
#include <span>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/image_file.h"
#include "io/name_key.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

bool has_extension(std::string_view name, std::span<const std::string_view> extensions) {
  const std::string extension = lower(name.substr(without_extension(name).size()));
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

constexpr std::string_view kHeif[] = {".heic", ".heif", ".hif", ".avif"};

}  // namespace

bool is_picture(std::string_view name) {
  constexpr std::string_view kRead[] = {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".bmp", ".tga"};
  return has_extension(name, kRead) || (reads_heif() && has_extension(name, kHeif));
}

bool is_unread_picture(std::string_view name) {
  constexpr std::string_view kUnread[] = {".tif", ".tiff", ".jp2", ".j2k", ".jxl", ".jxr", ".gif", ".ppm",
                                          ".pgm", ".pbm",  ".pnm", ".pam", ".pfm", ".exr", ".hdr", ".psd",
                                          ".dng", ".cr2",  ".cr3", ".crw", ".nef", ".arw", ".orf", ".rw2",
                                          ".raf", ".pef",  ".srw", ".x3f", ".3fr", ".iiq"};
  return has_extension(name, kUnread) || (!reads_heif() && has_extension(name, kHeif));
}

bool is_unpacked_sog(const fs::path& root, std::string_view name) {
  if (last_part(name) != "meta.json") return false;
  const fs::path folder = (root / fs::path(name)).parent_path();
  for (const char* picture : {"means_l.webp", "means_l.png"})
    if (is_file(folder / picture)) return true;
  return false;
}

std::string unread_sentence(const std::vector<std::string>& names) {
  if (names.size() == 1)
    return in_quotes(names.front()) + " is there, in a format that hipsplat does not read: convert it to PNG or JPEG";
  return std::to_string(names.size()) + " pictures are there in a format that hipsplat does not read (" +
         first_names(names) + "): convert them to PNG or JPEG";
}

PhotoFolder::PhotoFolder(const fs::path& root) : root_(root) {
  std::vector<std::string> files = files_below(root);
  std::set<std::string> sogs;  // their folders
  for (const std::string& name : files)
    if (is_unpacked_sog(root, name)) sogs.insert(name.substr(0, name.size() - last_part(name).size()));
  for (std::string& name : files) {
    if (!sogs.empty() && sogs.contains(name.substr(0, name.size() - last_part(name).size()))) continue;
    if (is_picture(name))
      names_.push_back(std::move(name));
    else if (is_unread_picture(name))
      unread_.push_back(std::move(name));
  }
  for (size_t i = 0; i < names_.size(); ++i) {
    by_stem_.emplace(name_key(without_extension(names_[i])), i);
    by_last_stem_.emplace(name_key(without_extension(last_part(names_[i]))), i);
  }
  // A camera's raw picture beside its JPEG is nothing that would be missed.
  std::erase_if(unread_, [&](const std::string& name) { return by_stem_.contains(name_key(without_extension(name))); });
}

fs::path PhotoFolder::path_of(const std::string& name) const { return root_ / fs::path(name); }

const std::string* PhotoFolder::unique(const std::multimap<std::string, size_t>& index, const std::string& key) const {
  const auto [begin, end] = index.equal_range(key);
  return begin != end && std::next(begin) == end ? &names_[begin->second] : nullptr;
}

bool PhotoFolder::has(std::string_view name) const { return std::binary_search(names_.begin(), names_.end(), name); }

std::optional<PhotoFolder::Found> PhotoFolder::find(std::string_view name, const std::set<fs::path>& taken) const {
  if (has(name)) return Found{std::string(name), true};
  const std::string stem = name_key(without_extension(name));
  const std::string* best = nullptr;  // null after several as good: a guess could be the wrong photo
  size_t longest = 0;
  for (const auto& [index, key] :
       {std::pair(&by_stem_, stem), std::pair(&by_last_stem_, std::string(last_part(stem)))}) {
    const auto [begin, end] = index->equal_range(key);
    for (auto it = begin; it != end; ++it) {
      const fs::path path = path_of(names_[it->second]);
      if (!taken.empty() && taken.contains(path)) continue;
      const size_t common = common_end(name, path.generic_string());
      best = common > longest ? &names_[it->second] : common == longest ? nullptr : best;
      longest = std::max(longest, common);
    }
    if (longest > 0) break;
  }
  return best ? std::optional(Found{*best, false, longest}) : std::nullopt;
}

const std::string* PhotoFolder::find_unread(std::string_view name) const {
  const std::string* best = nullptr;
  size_t longest = 0;
  for (const std::string& candidate : unread_)
    if (const size_t common = common_end(name, candidate); common > longest) best = &candidate, longest = common;
  return best;
}

std::optional<std::string> PhotoFolder::find_mask(std::string_view photo_name) const {
  if (has(photo_name)) return std::string(photo_name);
  if (const std::string* found = unique(by_stem_, name_key(photo_name))) return *found;
  if (const std::string* found = unique(by_stem_, name_key(without_extension(photo_name)))) return *found;
  return std::nullopt;
}

std::optional<std::string> PhotoFolder::find_marked(std::string_view photo_name, std::string_view mark) const {
  const std::string name = name_key(photo_name), stem(without_extension(name)), last(last_part(stem)), word(mark);
  const std::string folder = stem.substr(0, stem.size() - last.size());
  for (const std::string& key :
       {stem + '.' + word, stem + '_' + word, stem + '-' + word, name + '.' + word, name + '_' + word,
        folder + word + '_' + last, folder + "dynamic_" + word + '_' + last})
    if (const std::string* found = unique(by_stem_, key)) return *found;
  return std::nullopt;
}

}  // namespace io
