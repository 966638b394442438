#include "io/dataset/photo_folder.h"

#include <algorithm>
#include <array>

#include "io/image_file.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxDepth = 8;  // sub-folders; symbolic links to folders are followed and may form a circle

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return result;
}

std::string_view without_extension(std::string_view name) {
  const size_t slash = name.rfind('/'), dot = name.rfind('.');
  const size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return dot == std::string_view::npos || dot <= begin ? name : name.substr(0, dot);
}

std::string_view file_name(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool is_picture(std::string_view name) {
  constexpr std::array<std::string_view, 6> kExtensions{".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tga"};
  const std::string extension = lower(name.substr(without_extension(name).size()));
  if (std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end()) return true;
  return reads_heif() && (extension == ".heic" || extension == ".heif" || extension == ".avif");
}

}  // namespace

PhotoFolder::PhotoFolder(const fs::path& root) : root_(root) {
  const auto options = fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(root, options, code), end; !code && entry != end; entry.increment(code)) {
    if (entry.depth() >= kMaxDepth) entry.disable_recursion_pending();
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    std::string name = entry->path().lexically_relative(root).generic_string();
    if (is_picture(name)) names_.push_back(std::move(name));
  }
  std::sort(names_.begin(), names_.end());
  for (size_t i = 0; i < names_.size(); ++i) {
    by_stem_.emplace(lower(without_extension(names_[i])), i);
    by_last_stem_.emplace(lower(without_extension(file_name(names_[i]))), i);
  }
}

fs::path PhotoFolder::path_of(const std::string& name) const { return root_ / fs::path(name); }

const std::string* PhotoFolder::unique(const std::multimap<std::string, size_t>& index, const std::string& key) const {
  const auto [begin, end] = index.equal_range(key);
  return begin != end && std::next(begin) == end ? &names_[begin->second] : nullptr;
}

std::optional<PhotoFolder::Found> PhotoFolder::find(std::string_view name) const {
  if (std::binary_search(names_.begin(), names_.end(), name)) return Found{std::string(name), true};
  const std::string stem = lower(without_extension(name));
  if (const std::string* found = unique(by_stem_, stem)) return Found{*found, false};
  if (by_stem_.contains(stem)) return std::nullopt;  // several: a guess could be the wrong photo
  if (const std::string* found = unique(by_last_stem_, std::string(file_name(stem)))) return Found{*found, false};
  return std::nullopt;
}

std::optional<std::string> PhotoFolder::find_mask(std::string_view photo_name) const {
  if (std::binary_search(names_.begin(), names_.end(), photo_name)) return std::string(photo_name);
  if (const std::string* found = unique(by_stem_, lower(photo_name))) return *found;
  if (const std::string* found = unique(by_stem_, lower(without_extension(photo_name)))) return *found;
  return std::nullopt;
}

}  // namespace io
