#include "align/photos/look.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "align/photos/sharpness.h"
#include "io/bytes.h"
#include "io/dataset/photo_folder.h"
#include "splat/core/fnv1a.h"
#include "splat/core/parallel.h"
#include "splat/core/percentile.h"

namespace align {

namespace fs = std::filesystem;
using splat::Error, splat::Result;

namespace {

constexpr double kBlurred = 0.25;  // of the median sharpness

bool is_side_folder(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('/'));
  if (first.size() == name.size()) return false;  // a file at the top
  return first == "masks" || first == "mask" || first == "images_2" || first == "images_4" || first == "images_8";
}

std::vector<std::string> without_side_folders(const std::vector<std::string>& all) {
  std::vector<std::string> names;
  std::copy_if(all.begin(), all.end(), std::back_inserter(names),
               [](const std::string& name) { return !is_side_folder(name); });
  return names;
}

// Nor is a photo what lies beside one and says that it is its mask or depth map.
std::vector<std::string> without_marked(std::vector<std::string> names, const io::PhotoFolder& folder) {
  std::set<std::string> marked;
  for (const std::string& name : names)
    for (const char* mark : {"mask", "depth"})
      if (const auto found = folder.find_marked(name, mark)) marked.insert(*found);
  std::erase_if(names, [&](const std::string& name) { return marked.contains(name); });
  return names;
}

// One photo as it is looked at.
struct Seen {
  Photo photo;
  uint64_t hash = 0;
  std::string problem;
};

Seen see(const fs::path& root, const std::string& name) {
  Seen seen;
  seen.photo.name = name;
  const fs::path path = root / name;
  std::error_code code;
  seen.photo.file_bytes = fs::file_size(path, code);
  seen.photo.modified = int64_t(fs::last_write_time(path, code).time_since_epoch().count());
  const Result<std::string> bytes = io::read_file(path);
  if (!bytes) {
    seen.problem = bytes.error().message;
    return seen;
  }
  auto size = io::image_size(*bytes, name);
  if (!size) {
    seen.problem = size.error().message;
    return seen;
  }
  const int reduction = std::max(1, std::max(size->width, size->height) / kSharpnessSide);
  auto read = io::decode_reduced_image(*bytes, name, reduction);
  if (!read) {
    seen.problem = read.error().message;
    return seen;
  }
  seen.photo.size = *size;
  seen.photo.exif = io::parse_exif(*bytes);
  seen.photo.sharpness = look_at(read->image).sharpness;
  seen.hash = splat::fnv1a(*bytes);
  return seen;
}

// Phones zoom by cropping as well, which the focal length does not show: the ratio does, or its equivalent on film.
void group_by_lens(PhotoSet& set) {
  constexpr double kZoomSteps = 20;  // of the ratio: it is not always written as exactly 1
  std::map<std::tuple<int, int, std::string, std::string, double, int, int64_t>, int> groups;
  for (Photo& photo : set.photos) {
    const io::Exif& exif = photo.exif;
    const auto key = std::tuple(photo.size.width, photo.size.height, exif.make, exif.model, exif.focal_mm,
                                exif.equivalent_mm, int64_t(std::llround(kZoomSteps * exif.zoom)));
    photo.group = groups.emplace(key, int(groups.size())).first->second;
  }
  set.groups = int(groups.size());
}

void name_blurred(PhotoSet& set) {
  std::vector<double> values;
  for (const Photo& photo : set.photos) values.push_back(photo.sharpness);
  const double median = splat::median(std::move(values));
  for (const Photo& photo : set.photos)
    if (photo.sharpness < kBlurred * median) set.blurred.push_back(photo.name);
}

void find_masks(PhotoSet& set, const fs::path& given, const fs::path& folder) {
  std::error_code ignored;
  set.masks = given;
  for (const fs::path& candidate : {folder / "masks", folder / "mask", set.root.parent_path() / "masks"})
    if (set.masks.empty() && candidate.parent_path() != "" && fs::is_directory(candidate, ignored))
      set.masks = candidate;
  if (set.masks.empty()) return;
  const io::PhotoFolder masks(set.masks);
  for (Photo& photo : set.photos)
    if (const auto name = masks.find_mask(photo.name)) photo.mask = masks.path_of(*name);
}

void sort_out(std::vector<Seen>& seen, PhotoSet& set) {
  std::map<std::pair<uint64_t, uint64_t>, std::string> first_of;
  for (Seen& one : seen) {
    if (!one.problem.empty()) {
      set.unreadable.push_back(one.problem);
      continue;
    }
    const auto [first, is_new] = first_of.try_emplace({one.hash, one.photo.file_bytes}, one.photo.name);
    if (!is_new)
      set.duplicates.push_back(one.photo.name + " (as " + first->second + ")");
    else
      set.photos.push_back(std::move(one.photo));
  }
}

}  // namespace

fs::path photo_root(const fs::path& folder) {
  std::error_code ignored;
  const fs::path images = folder / "images";
  return fs::is_directory(images, ignored) && !without_side_folders(io::PhotoFolder(images).names()).empty() ? images
                                                                                                             : folder;
}

bool has_photos(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return false;
  const io::PhotoFolder photos(photo_root(folder));
  return !without_side_folders(photos.names()).empty() || !without_side_folders(photos.unread()).empty();
}

Result<PhotoSet> look_at_photos(const fs::path& folder, const LookOptions& options) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return Error{"there is no folder '" + folder.string() + "'"};
  PhotoSet set;
  set.root = photo_root(folder);
  const io::PhotoFolder all(set.root);
  const std::vector<std::string> names = without_marked(without_side_folders(all.names()), all);
  std::vector<Seen> seen(names.size());
  std::mutex telling;
  size_t done = 0;
  splat::ThreadPool pool(options.threads);
  pool.for_each(names.size(), [&](size_t i, int) {
    if (options.cancelled && options.cancelled()) return;
    seen[i] = see(set.root, names[i]);
    const std::lock_guard lock(telling);
    if (options.progress) options.progress(++done, names.size());
  });
  if (options.cancelled && options.cancelled()) return Error{"looking at the photos was cancelled"};
  sort_out(seen, set);
  set.unread = without_side_folders(all.unread());
  group_by_lens(set);
  name_blurred(set);
  find_masks(set, options.masks, folder);
  return set;
}

}  // namespace align
