#include "io/reconstruction/own_split.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/json.h"
#include "io/name_key.h"
#include "io/names.h"
#include "io/text.h"
#include "splat/core/counted.h"

namespace io {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in_text(const std::string& text, const std::string& name) {
  std::vector<std::string> names;
  const auto utf8 = as_utf8(text, name);
  LineReader lines(utf8 ? *utf8 : std::string_view(), name);
  while (lines.next())
    if (const std::string_view line = trimmed(lines.line()); !line.empty() && line.front() != '#')
      names.emplace_back(line);
  return names;
}

std::vector<std::string> names_in_json(const std::string& text, const std::string& name) {
  std::vector<std::string> names;
  const auto json = parse_json(text, name);
  if (!json || !json->is_object()) return names;
  const auto list = json->find("test");
  if (list == json->end() || !list->is_array()) return names;
  for (const auto& entry : *list)
    if (entry.is_string()) names.push_back(entry.get<std::string>());
  return names;
}

// Photos by their keys: with the whole name, and by the file's alone where one has it. No extension: lists lack it.
class PhotosByName {
 public:
  explicit PhotosByName(const Reconstruction& reconstruction) {
    for (size_t i = 0; i < reconstruction.images.size(); ++i) {
      const std::string name = name_key(without_extension(reconstruction.images[i].name));
      photos_.emplace(name, i);
      if (last_part(name) != name) photos_.emplace(std::string(last_part(name)), i);
    }
  }
  // The photo's number; none where no photo or several could be meant.
  std::optional<size_t> find(const std::string& name) const {
    for (const std::string_view written : {std::string_view(name), without_extension(name)}) {
      const auto [begin, end] = photos_.equal_range(name_key(written));
      if (begin != end && std::next(begin) == end) return begin->second;
    }
    return std::nullopt;
  }

 private:
  std::multimap<std::string, size_t> photos_;
};

// Whether the list names any photo.
bool hold_out_by(const fs::path& file, Reconstruction& reconstruction) {
  const auto text = read_file(file);
  if (!text) return false;
  const bool json = file.extension() == ".json";
  const std::vector<std::string> names =
      json ? names_in_json(*text, file.string()) : names_in_text(*text, file.string());
  const PhotosByName photos(reconstruction);
  std::vector<size_t> held_out;
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (const auto photo = photos.find(name))
      held_out.push_back(*photo);
    else
      unknown.push_back(name);
  }
  if (held_out.empty()) return false;
  for (ReconstructionImage& image : reconstruction.images) image.held_out = false;
  for (const size_t photo : held_out) reconstruction.images[photo].held_out = true;
  reconstruction.notes.push_back(
      "the " + splat::counted(held_out.size(), "photo", "photos") + " that '" + file.string() +
      "' names are the data's own test split: --eval holds them out, else they are trained on");
  if (!unknown.empty())
    reconstruction.warnings.push_back(splat::counted(unknown.size(), "name", "names") + " of '" + file.string() +
                                      "' without a photo in the reconstruction: " + first_names(unknown));
  return true;
}

}  // namespace

void add_own_split(const fs::path& root, Reconstruction& reconstruction) {
  if (std::any_of(reconstruction.images.begin(), reconstruction.images.end(),
                  [](const ReconstructionImage& image) { return image.held_out.has_value(); }))
    return;
  std::error_code ignored;
  const fs::path& source = reconstruction.source;
  const fs::path own = fs::is_directory(source, ignored) ? source : source.parent_path();
  std::vector<fs::path> folders{own};
  if (own != root) folders.push_back(own.parent_path());
  folders.push_back(root);
  for (const fs::path& folder : folders)
    for (const char* name : {"test.txt", "train_test_lists.json"})
      if (const fs::path file = child_of(folder, name); is_file(file) && hold_out_by(file, reconstruction)) return;
}

}  // namespace io
