#include "io/files_below.h"

#include <algorithm>
#include <array>

#include "io/name_key.h"

namespace io {

namespace fs = std::filesystem;

bool is_passed_over(std::string_view file_name) {
  constexpr std::array<std::string_view, 5> kOfSystems{"@eadir", "__macosx", "#recycle", "$recycle.bin",
                                                       "system volume information"};
  return file_name.starts_with('.') ||
         std::find(kOfSystems.begin(), kOfSystems.end(), lower(file_name)) != kOfSystems.end();
}

std::vector<std::string> files_below(const fs::path& root, int depth) {
  const auto options = fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
  std::vector<std::string> names;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(root, options, code), end; !code && entry != end; entry.increment(code)) {
    const bool passed_over = is_passed_over(entry->path().filename().string());
    if (passed_over || entry.depth() >= depth) entry.disable_recursion_pending();
    std::error_code ignored;
    if (!passed_over && entry->is_regular_file(ignored))
      names.push_back(entry->path().lexically_relative(root).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path child_of(const fs::path& folder, std::string_view name) {
  fs::path exact = folder / name;
  std::error_code code, ignored;
  if (fs::exists(exact, ignored)) return exact;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (lower(entry->path().filename().string()) == lower(name)) found.push_back(entry->path());
  return found.empty() ? exact : *std::min_element(found.begin(), found.end());
}

std::string_view last_part(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

std::string_view without_extension(std::string_view name) {
  const size_t dot = last_part(name).rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, name.size() - last_part(name).size() + dot);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return result;
}

size_t common_end(std::string_view a, std::string_view b) {
  a = without_extension(a), b = without_extension(b);
  size_t parts = 0;
  while (!a.empty() && !b.empty() && name_key(last_part(a)) == name_key(last_part(b))) {
    ++parts;
    a.remove_suffix(std::min(a.size(), last_part(a).size() + 1));
    b.remove_suffix(std::min(b.size(), last_part(b).size() + 1));
  }
  return parts;
}

}  // namespace io
