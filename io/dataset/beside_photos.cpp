#include "io/dataset/beside_photos.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "io/bytes.h"
#include "io/dataset/depth_map.h"
#include "io/dataset/moved_files.h"
#include "io/files_below.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status, splat::ThreadPool;

namespace {

constexpr double kUnsaidStretch = 1.02;  // by which width to height may differ from the photo's unsaid

constexpr std::array<std::string_view, 4> kUsual{"masks", "mask", "image_masks", "images_masks"};

// Folders whose names say that masks may be in them.
struct MaskFolders {
  std::vector<fs::path> usual;   // the likeliest first
  std::vector<fs::path> others;  // of masks that may mean something else: what is white in sky_masks/ is the sky
};

// Beside the folder of the photos, in the dataset, and in the folder of the photos.
MaskFolders mask_folders(const fs::path& root, const fs::path& photos, const Folders& in_use) {
  std::error_code ignored;
  std::vector<fs::path> bases{root, photos};
  if (!fs::equivalent(photos, root, ignored)) bases.insert(bases.begin(), photos.parent_path());
  std::map<std::string, std::vector<fs::path>, std::less<>> by_name;
  std::set<fs::path> seen;  // photos may lie in masked_images/
  for (const auto& [folder, listing] : in_use.all()) seen.insert(fs::weakly_canonical(folder, ignored));
  for (const fs::path& base : bases) {
    std::error_code code;
    for (fs::directory_iterator entry(base, code), end; !code && entry != end; entry.increment(code)) {
      const std::string name = lower(entry->path().filename().string());
      if ((name.find("mask") != std::string::npos || name.starts_with("segm")) && entry->is_directory(ignored) &&
          seen.insert(fs::weakly_canonical(entry->path(), ignored)).second)
        by_name[name].push_back(entry->path());
    }
  }
  MaskFolders folders;
  for (const std::string_view name : kUsual)
    if (const auto found = by_name.find(name); found != by_name.end()) {
      folders.usual.insert(folders.usual.end(), found->second.begin(), found->second.end());
      by_name.erase(found);
    }
  for (const auto& [name, paths] : by_name) folders.others.insert(folders.others.end(), paths.begin(), paths.end());
  return folders;
}

bool any_of(const std::vector<fs::path>& paths) {
  return std::any_of(paths.begin(), paths.end(), [](const fs::path& path) { return !path.empty(); });
}

// The photo (by number), among those that one file may be meant for, whose name in the model ends like it for longest;
// none where two are as good.
std::optional<size_t> owner_of(const fs::path& file, const std::vector<size_t>& photos,
                               const Reconstruction& reconstruction, const PhotoSet& set) {
  std::optional<size_t> best;
  size_t longest = 0;
  for (const size_t i : photos) {
    const size_t common = common_end(reconstruction.images[set.photos[i].image].name, file.generic_string());
    if (best && common == longest) best = set.photos.size();  // two
    if (!best || common > longest) best = i, longest = common;
  }
  return best == set.photos.size() ? std::nullopt : best;
}

// For each photo of `set` the file of a folder that has its name, alone or with `mark`; empty: none. No file is for
// two.
std::vector<fs::path> files_named_alike(const PhotoFolder& listing, const char* mark,
                                        const Reconstruction& reconstruction, const std::vector<Place>& places,
                                        const PhotoSet& set) {
  std::vector<fs::path> files(set.photos.size());
  std::map<fs::path, std::vector<size_t>> named, with_other_folders;  // photos, by the file that may be meant
  for (size_t i = 0; i < files.size(); ++i) {
    const size_t image = set.photos[i].image;
    for (const std::string* name : {&reconstruction.images[image].name, &places[image].name}) {
      std::optional<std::string> found = listing.find_mask(*name);
      if (!found) found = listing.find_marked(*name, mark);
      if (found && files[i].empty()) files[i] = listing.path_of(*found);
    }
    if (!files[i].empty()) named[files[i]].push_back(i);
  }
  std::set<fs::path> taken;
  for (const auto& [file, photos] : named) taken.insert(file);
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].empty())
      if (const auto found = listing.find(reconstruction.images[set.photos[i].image].name, taken))
        with_other_folders[listing.path_of(found->name)].push_back(i);
  std::fill(files.begin(), files.end(), fs::path());
  for (const auto* meant : {&named, &with_other_folders})
    for (const auto& [file, photos] : *meant)
      if (const auto owner = owner_of(file, photos, reconstruction, set)) files[*owner] = file;
  return files;
}

// Why nothing in a folder of masks or depth maps is used.
std::string nothing_of_use(const PhotoFolder& listing, const char* what) {
  if (!listing.unread().empty()) return unread_sentence(listing.unread());
  return std::string("no ") + what + " in it has the name of a photo";
}

void note_masks(size_t masks, size_t not_there, PhotoSet& set) {
  const std::string photos = std::to_string(set.photos.size()) + " photos";
  if (not_there > 0)
    set.warnings.push_back("the mask files that the dataset names for " + std::to_string(not_there) + " of " + photos +
                           " are not there");
  if (masks > 0 && masks < set.photos.size())
    set.notes.push_back(std::to_string(set.photos.size() - masks) + " of " + photos +
                        " have no mask and count as a whole");
}

constexpr const char* kMaskNames = " (photo 'a.jpg': mask 'a.png', 'a.jpg.png' or 'a_mask.png')";

// Names the folders of masks that no mask in use is from.
void warn_of_unused(const MaskFolders& folders, const std::vector<fs::path>& masks,
                    const Reconstruction& reconstruction, const std::vector<Place>& places, PhotoSet& set) {
  for (const fs::path& folder : folders.usual)
    if (std::none_of(masks.begin(), masks.end(), [&](const fs::path& mask) { return is_below(mask, folder); }))
      if (const PhotoFolder listing(folder); !any_of(files_named_alike(listing, "mask", reconstruction, places, set)))
        set.warnings.push_back("'" + folder.string() + "' is not used: " + nothing_of_use(listing, "mask") +
                               (listing.unread().empty() ? kMaskNames : ""));
  for (const fs::path& folder : folders.others)
    if (masks.empty() && any_of(files_named_alike(PhotoFolder(folder), "mask", reconstruction, places, set)))
      set.warnings.push_back(
          "'" + folder.string() + "' has pictures with the names of photos and is not used: --masks " +
          in_quotes(folder.filename().string()) + " takes them for masks, in which black is left out");
}

// Where masks or depth maps that are not where the dataset names them lie now, by image.
std::map<size_t, fs::path> moved_beside(const fs::path& root, const Reconstruction& reconstruction,
                                        fs::path ReconstructionImage::*hint) {
  MovedFiles files;
  files.fits = is_picture;
  files.least = 2;
  std::vector<size_t> index;
  for (size_t i = 0; i < reconstruction.images.size(); ++i) {
    const fs::path& written = reconstruction.images[i].*hint;
    if (is_file(written)) files.taken.insert(written.lexically_normal());
    if (written.empty() || is_file(written)) continue;
    files.written.push_back(written);
    index.push_back(i);
  }
  const std::vector<fs::path> found = find_moved(root, files);
  std::map<size_t, fs::path> moved;
  for (size_t i = 0; i < found.size(); ++i)
    if (!found[i].empty()) moved[index[i]] = found[i];
  return moved;
}

// A mask spans the whole photo, whatever its own size. One of another shape may have been resized, as what finds masks
// in squares does; where it is twice as wide or high, or a pixel of it covers all too much, it is of something else.
bool may_be_resized(const ImageSize& mask, const ImageSize& photo) {
  constexpr double kMostStretch = 2, kCoarsest = 32;  // px of the photo for one of the mask
  const double x = double(photo.width) / mask.width, y = double(photo.height) / mask.height;
  return std::max(x, y) <= kMostStretch * std::min(x, y) && std::max(x, y) < kCoarsest;
}

// Takes away the masks that cannot be used; `masks` are those of the photos that have one, in their order.
void check_masks(const Reconstruction& reconstruction, const std::vector<fs::path>& masks,
                 const DatasetOptions& options, ThreadPool& pool, PhotoSet& set) {
  const std::vector<Result<ImageSize>> sizes = read_sizes(masks, pool);
  std::vector<std::string> stretched;
  size_t next = 0;
  for (PhotoSet::Photo& photo : set.photos) {
    if (photo.mask.empty()) continue;
    const Result<ImageSize>& size = sizes[next++];
    const std::string& name = reconstruction.images[photo.image].name;
    const ImageSize& full = photo.full_size;
    if (size && may_be_resized(*size, full)) {
      const double shape = double(size->width) / size->height * full.height / full.width;
      if (std::max(shape, 1 / shape) > kUnsaidStretch) stretched.push_back(name);
      continue;
    }
    if (!is_named_in(options.leave_out, name))
      set.left_out.add("mask", name,
                       !size ? size.error().message
                             : "'" + photo.mask.string() + "' is " + std::to_string(size->width) + "x" +
                                   std::to_string(size->height) + " pixels, the photo " + std::to_string(full.width) +
                                   "x" + std::to_string(full.height));
    photo.mask.clear();
  }
  if (!stretched.empty())
    set.warnings.push_back(std::to_string(stretched.size()) +
                           " masks have another shape than their photos and are "
                           "stretched over them: " +
                           first_names(stretched));
}

// "a.depth.png" beside the photo "a.png", for each photo; empty: there is none, or it is a photo itself.
std::vector<fs::path> files_beside(const char* mark, const std::vector<Place>& places, const PhotoSet& set,
                                   Folders& listings) {
  std::set<fs::path> photos;
  for (const PhotoSet::Photo& photo : set.photos) photos.insert(photo.path);
  std::vector<fs::path> files;
  for (const PhotoSet::Photo& photo : set.photos) {
    const Place& place = places[photo.image];
    const PhotoFolder& listing = listings.at(place.folder);
    const auto found = listing.find_marked(place.name, mark);
    files.push_back(found && !photos.contains(listing.path_of(*found)) ? listing.path_of(*found) : fs::path());
  }
  return files;
}

// depths/ beside the image folder, else in the dataset.
fs::path depths_folder(const fs::path& root, const fs::path& photos) {
  std::error_code ignored;
  const fs::path beside = photos.parent_path() / "depths";
  const bool photos_are_in_root = fs::equivalent(photos, root, ignored);
  return is_folder(beside) && !photos_are_in_root ? beside : root / "depths";
}

// Takes away those that cannot be used, unless --depths on makes them an error.
Status check_depth_maps(const Reconstruction& reconstruction, const std::vector<PhotoSet::Photo*>& photos,
                        const DatasetOptions& options, ThreadPool& pool, PhotoSet& set) {
  std::vector<std::optional<Error>> errors(photos.size());
  pool.for_each(photos.size(), [&](size_t i, int) {
    const PhotoSet::Photo& photo = *photos[i];
    if (const Status usable =
            check_depth_map(photo.depth, photo.full_size.width, photo.full_size.height, photo.orientation);
        !usable)
      errors[i] = usable.error();
  });
  for (size_t i = 0; i < photos.size(); ++i) {
    if (!errors[i]) continue;
    const std::string& name = reconstruction.images[photos[i]->image].name;
    photos[i]->depth.clear();
    if (is_named_in(options.leave_out, name)) continue;
    if (options.depths == DepthMaps::kOn) return *errors[i];
    set.left_out.add("depth map", name, errors[i]->message);
  }
  return {};
}

}  // namespace

bool is_usual_mask_folder(const fs::path& folder) {
  return std::find(kUsual.begin(), kUsual.end(), lower(folder.filename().string())) != kUsual.end();
}

Status find_masks(const fs::path& root, const Reconstruction& reconstruction, const std::vector<Place>& places,
                  const DatasetOptions& options, Folders& listings, ThreadPool& pool, PhotoSet& set) {
  const bool by_option = !options.masks_folder.empty();
  MaskFolders folders;
  if (by_option) {
    SPLAT_ASSIGN_OR_RETURN(const fs::path folder, named_folder(root, options.masks_folder, "--masks"));
    folders.usual.push_back(folder);
  } else {
    folders = mask_folders(root, places.front().folder, listings);
  }
  std::vector<fs::path> alike(set.photos.size());
  for (size_t i = 0; i < folders.usual.size() && !any_of(alike); ++i)
    alike = files_named_alike(PhotoFolder(folders.usual[i]), "mask", reconstruction, places, set);
  if (by_option && !any_of(alike))
    return Error{"the masks of '" + folders.usual.front().string() +
                 "' cannot be used: " + nothing_of_use(PhotoFolder(folders.usual.front()), "mask") + kMaskNames};
  const auto moved = moved_beside(root, reconstruction, &ReconstructionImage::mask_hint);
  const std::vector<fs::path> beside = files_beside("mask", places, set, listings);
  std::vector<fs::path> masks;
  size_t not_there = 0;
  for (size_t i = 0; i < set.photos.size(); ++i) {
    PhotoSet::Photo& photo = set.photos[i];
    const fs::path& hint = reconstruction.images[photo.image].mask_hint;
    std::error_code ignored;
    if (!by_option && fs::is_regular_file(hint, ignored))
      photo.mask = hint;
    else if (!by_option && moved.contains(photo.image))
      photo.mask = moved.at(photo.image);
    else
      photo.mask = by_option || !alike[i].empty() ? alike[i] : beside[i];
    not_there += photo.mask.empty() && !hint.empty();
    if (!photo.mask.empty()) masks.push_back(photo.mask);
  }
  note_masks(masks.size(), not_there, set);
  warn_of_unused(folders, masks, reconstruction, places, set);
  check_masks(reconstruction, masks, options, pool, set);
  return {};
}

Status find_depth_maps(const fs::path& root, const Reconstruction& reconstruction, const std::vector<Place>& places,
                       const DatasetOptions& options, Folders& listings, ThreadPool& pool, PhotoSet& set) {
  if (options.depths == DepthMaps::kOff) return {};
  const PhotoFolder listing(depths_folder(root, places.front().folder));
  const auto moved = moved_beside(root, reconstruction, &ReconstructionImage::depth_hint);
  const std::vector<fs::path> alike = files_named_alike(listing, "depth", reconstruction, places, set);
  const std::vector<fs::path> beside = files_beside("depth", places, set, listings);
  std::vector<PhotoSet::Photo*> with_map;
  const ReconstructionImage* lacks = nullptr;
  size_t not_there = 0;
  for (size_t i = 0; i < set.photos.size(); ++i) {
    PhotoSet::Photo& photo = set.photos[i];
    const ReconstructionImage& image = reconstruction.images[photo.image];
    std::error_code ignored;
    if (fs::is_regular_file(image.depth_hint, ignored))
      photo.depth = image.depth_hint;
    else if (moved.contains(photo.image))
      photo.depth = moved.at(photo.image);
    else
      photo.depth = alike[i].empty() ? beside[i] : alike[i];
    if (!photo.depth.empty()) with_map.push_back(&photo);
    if (photo.depth.empty() && !image.depth_hint.empty() && not_there++ == 0) lacks = &image;
  }
  if (options.depths == DepthMaps::kOn && lacks)
    return Error{"'" + lacks->depth_hint.string() + "', the depth map that the dataset names for '" + lacks->name +
                 "', is not there; --depths auto trains without it"};
  if (options.depths == DepthMaps::kOn && with_map.empty())
    return Error{"no photo has a depth map (--depths on): looked for 'depth_file_path' in transforms.json, for '" +
                 listing.root().string() + "' with the photos' names (photo 'a.jpg': 'a.png'), and for 'a.depth.png' " +
                 "beside the photo"};
  if (not_there > 0)
    set.warnings.push_back("the depth maps that the dataset names for " + std::to_string(not_there) + " of " +
                           std::to_string(set.photos.size()) + " photos are not there");
  if (with_map.empty() && is_folder(listing.root()))
    set.warnings.push_back("'" + listing.root().string() + "' is not used: " + nothing_of_use(listing, "depth map"));
  return check_depth_maps(reconstruction, with_map, options, pool, set);
}

}  // namespace io
