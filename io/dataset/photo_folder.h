// The picture files below a folder, found by the names a reconstruction gives them: exactly, else ignoring upper and
// lower case, how accents are written (io/name_key.h), the extension and leading folders, where one file fits best: by
// the longest common end of the two names. Names never lead outside the folder.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace io {

bool is_picture(std::string_view name);         // of a format that is read, by its extension
bool is_unread_picture(std::string_view name);  // of one that cameras and programs write, and that is not read

// Whether a file of `root` is the meta.json of an unpacked SOG (io/splats/sog/sog.h), beside whose pictures it lies.
bool is_unpacked_sog(const std::filesystem::path& root, std::string_view name);

// "'a.tif' is there, in a format that hipsplat does not read: convert it to PNG or JPEG", for one file or for many.
std::string unread_sentence(const std::vector<std::string>& names);

class PhotoFolder {
 public:
  // Lists the folder with its sub-folders; a folder that does not exist is empty. The pictures of an unpacked SOG are
  // no photos.
  explicit PhotoFolder(const std::filesystem::path& root);

  struct Found {
    std::string name;  // below the folder, '/'-separated
    bool exact = true;
    size_t common = 0;  // parts at the ends of the record's name and of the file's path; not counted where exact
  };
  bool has(std::string_view name) const;  // exactly

  // `taken`: files that are others'.
  std::optional<Found> find(std::string_view name, const std::set<std::filesystem::path>& taken = {}) const;

  // For the mask of a photo: its name with any extension in place of, or behind, its own.
  std::optional<std::string> find_mask(std::string_view photo_name) const;

  // For what lies beside a photo and says what it is: "a.mask.png", "a_mask.png", "a.jpg.mask.png" or "mask_a.png" of
  // "a.jpg" and "mask"; "dynamic_mask_a.png", as instant-ngp has it.
  std::optional<std::string> find_marked(std::string_view photo_name, std::string_view mark) const;

  // A picture of that name in a format that is not read here (TIFF, JPEG 2000, raw, ...); null: none.
  const std::string* find_unread(std::string_view name) const;

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path path_of(const std::string& name) const;
  const std::vector<std::string>& names() const { return names_; }    // pictures by extension, sorted
  const std::vector<std::string>& unread() const { return unread_; }  // likewise, of formats that are not read

 private:
  // The one file under a key; null where there is none, or more than one.
  const std::string* unique(const std::multimap<std::string, size_t>& index, const std::string& key) const;

  std::filesystem::path root_;
  std::vector<std::string> names_, unread_;
  std::multimap<std::string, size_t> by_stem_;       // name_key() without extension -> index into names_
  std::multimap<std::string, size_t> by_last_stem_;  // the same of the file name alone
};

}  // namespace io
