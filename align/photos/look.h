// A folder of photos before anything is computed: which can be used, which were taken by the same lens, which are
// blurred, twice there or unreadable. Sub-folders belong to it; masks/ and smaller copies (images_2, ...) do not. Cost:
// every photo is decoded once, JPEGs at a fraction of their size.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/image_file.h"
#include "io/images/exif.h"
#include "splat/core/result.h"

namespace align {

struct Photo {
  std::string name;  // below PhotoSet::root, '/'-separated
  uint64_t file_bytes = 0;
  int64_t modified = 0;  // of the file, ns
  io::ImageSize size;
  io::Exif exif;
  double sharpness = 0;
  int group = 0;  // photos of one group were taken by one lens: same size, make, model, focal length and digital zoom
  std::filesystem::path mask;  // empty: none
};

struct PhotoSet {
  std::filesystem::path root, masks;  // masks: empty where there are none
  std::vector<Photo> photos;          // usable ones, sorted by name
  int groups = 0;
  std::vector<std::string> unreadable;  // "name: why"
  std::vector<std::string> unread;      // names of pictures in formats that are not read (TIFF, raw)
  std::vector<std::string> duplicates;  // "b.jpg (as a.jpg)": the same bytes; left out
  std::vector<std::string> blurred;     // names; used all the same
};

struct LookOptions {
  std::filesystem::path masks;  // empty: masks/ beside the photos
  int threads = 0;              // 0: every core
  std::function<bool()> cancelled;
  std::function<void(size_t done, size_t total)> progress;  // from any thread, one at a time
};

// The folder's own images/ where it has one, as datasets do, else the folder.
std::filesystem::path photo_root(const std::filesystem::path& folder);

// Whether there is at least one picture or camera file that could be meant.
bool has_photos(const std::filesystem::path& folder);

splat::Result<PhotoSet> look_at_photos(const std::filesystem::path& folder, const LookOptions& options);

}  // namespace align
