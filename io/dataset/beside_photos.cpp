#include "io/dataset/beside_photos.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "io/bytes.h"
#include "io/dataset/depth_map.h"
#include "io/dataset/moved_files.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status, splat::ThreadPool;

namespace {

constexpr double kUnsaidStretch = 1.02;  // by which width to height may differ from the photo's unsaid

// Where masks are looked for: --masks, else masks/ beside the image folder, else masks/ in the dataset.
Result<fs::path> masks_folder(const fs::path& root, const fs::path& photos, const DatasetOptions& options) {
  if (!options.masks_folder.empty()) return named_folder(root, options.masks_folder, "--masks");
  std::error_code ignored;
  const fs::path beside = photos.parent_path() / "masks";
  const bool photos_are_in_root = fs::equivalent(photos, root, ignored);
  return is_folder(beside) && !photos_are_in_root ? beside : root / "masks";
}

// Why nothing in a folder of masks or depth maps is used.
std::string nothing_of_use(const PhotoFolder& listing, const char* what) {
  if (!listing.unread().empty()) return unread_sentence(listing.unread());
  return std::string("no ") + what + " in it has the name of a photo";
}

void note_masks(const PhotoFolder& listing, size_t masks, size_t not_there, PhotoSet& set) {
  const std::string photos = std::to_string(set.photos.size()) + " photos";
  if (not_there > 0)
    set.notes.push_back("the mask files that the dataset names for " + std::to_string(not_there) + " of " + photos +
                        " are not there");
  if (masks > 0 && masks < set.photos.size())
    set.notes.push_back(std::to_string(set.photos.size() - masks) + " of " + photos +
                        " have no mask and count as a whole");
  if (masks == 0 && is_folder(listing.root()))
    set.notes.push_back("'" + listing.root().string() + "' is not used: " + nothing_of_use(listing, "mask"));
}

// Of masks or depth maps that the dataset names and that are not there: where they lie now, by image.
std::map<size_t, fs::path> moved_beside(const fs::path& root, const Reconstruction& reconstruction,
                                        fs::path ReconstructionImage::*hint) {
  MovedFiles files{{}, is_picture, 2};
  std::vector<size_t> index;
  for (size_t i = 0; i < reconstruction.images.size(); ++i) {
    const fs::path& written = reconstruction.images[i].*hint;
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

Status find_masks(const fs::path& root, const Reconstruction& reconstruction, const std::vector<Place>& places,
                  const DatasetOptions& options, ThreadPool& pool, PhotoSet& set) {
  SPLAT_ASSIGN_OR_RETURN(const fs::path folder, masks_folder(root, places.front().folder, options));
  const PhotoFolder listing(folder);
  const auto moved = moved_beside(root, reconstruction, &ReconstructionImage::mask_hint);
  std::vector<fs::path> masks;
  size_t not_there = 0;
  for (PhotoSet::Photo& photo : set.photos) {
    const ReconstructionImage& image = reconstruction.images[photo.image];
    std::error_code ignored;
    if (options.masks_folder.empty() && fs::is_regular_file(image.mask_hint, ignored))
      photo.mask = image.mask_hint;
    else if (options.masks_folder.empty() && moved.contains(photo.image))
      photo.mask = moved.at(photo.image);
    else if (const auto found = listing.find_mask(image.name))
      photo.mask = listing.path_of(*found);
    else if (const auto by_file = listing.find_mask(places[photo.image].name))
      photo.mask = listing.path_of(*by_file);
    not_there += photo.mask.empty() && !image.mask_hint.empty();
    if (!photo.mask.empty()) masks.push_back(photo.mask);
  }
  if (masks.empty() && !options.masks_folder.empty())
    return Error{"the masks of '" + folder.string() + "' cannot be used: " + nothing_of_use(listing, "mask") +
                 " (photo 'a.jpg': mask 'a.png' or 'a.jpg.png')"};
  note_masks(listing, masks.size(), not_there, set);
  check_masks(reconstruction, masks, options, pool, set);
  return {};
}

Status find_depth_maps(const fs::path& root, const Reconstruction& reconstruction, const std::vector<Place>& places,
                       const DatasetOptions& options, ThreadPool& pool, PhotoSet& set) {
  if (options.depths == DepthMaps::kOff) return {};
  const PhotoFolder listing(depths_folder(root, places.front().folder));
  const auto moved = moved_beside(root, reconstruction, &ReconstructionImage::depth_hint);
  std::vector<PhotoSet::Photo*> with_map;
  const ReconstructionImage* lacks = nullptr;
  size_t not_there = 0;
  for (PhotoSet::Photo& photo : set.photos) {
    const ReconstructionImage& image = reconstruction.images[photo.image];
    std::error_code ignored;
    if (fs::is_regular_file(image.depth_hint, ignored))
      photo.depth = image.depth_hint;
    else if (moved.contains(photo.image))
      photo.depth = moved.at(photo.image);
    else if (const auto found = listing.find_mask(image.name))
      photo.depth = listing.path_of(*found);
    else if (const auto by_file = listing.find_mask(places[photo.image].name))
      photo.depth = listing.path_of(*by_file);
    if (!photo.depth.empty()) with_map.push_back(&photo);
    if (photo.depth.empty() && !image.depth_hint.empty() && not_there++ == 0) lacks = &image;
  }
  if (options.depths == DepthMaps::kOn && lacks)
    return Error{"'" + lacks->depth_hint.string() + "', the depth map that the dataset names for '" + lacks->name +
                 "', is not there; --depths auto trains without it"};
  if (options.depths == DepthMaps::kOn && with_map.empty())
    return Error{"no photo has a depth map (--depths on): looked for 'depth_file_path' in transforms.json and for '" +
                 listing.root().string() + "' with the photos' names (photo 'a.jpg': 'a.png')"};
  if (not_there > 0)
    set.notes.push_back("the depth maps that the dataset names for " + std::to_string(not_there) + " of " +
                        std::to_string(set.photos.size()) + " photos are not there");
  if (with_map.empty() && is_folder(listing.root()))
    set.notes.push_back("'" + listing.root().string() + "' is not used: " + nothing_of_use(listing, "depth map"));
  return check_depth_maps(reconstruction, with_map, options, pool, set);
}

}  // namespace io
