#include "io/dataset/find_photos.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "io/bytes.h"
#include "io/dataset/depth_map.h"
#include "io/dataset/moved_files.h"
#include "io/dataset/photo_folder.h"
#include "io/files_below.h"
#include "io/images/exif.h"
#include "io/images/upright.h"
#include "io/reconstruction/colmap.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status, splat::ThreadPool;

namespace {

constexpr double kUnsaidStretch = 1.02;  // by which width to height may differ from the photo's unsaid

// Where an image of the reconstruction should be: a folder, and its name below it.
struct Place {
  fs::path folder;
  std::string name;
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

bool is_divisor_with_folder(int resolution) { return resolution == 2 || resolution == 4 || resolution == 8; }

// images -> images_4
fs::path divided_folder(const fs::path& folder, int divisor) {
  return folder.parent_path() / (folder.filename().string() + "_" + std::to_string(divisor));
}

// A folder that the user named: below the dataset, else as it stands.
Result<fs::path> named_folder(const fs::path& root, const fs::path& name, const char* option) {
  if (is_folder(root / name)) return root / name;
  if (is_folder(name)) return name;
  return Error{"there is no folder '" + name.string() + "' (" + option + "), neither in '" + root.string() +
               "' nor from here"};
}

// The folders in use, each listed once.
class Folders {
 public:
  const PhotoFolder& at(const fs::path& folder) { return folders_.try_emplace(folder, folder).first->second; }
  const std::map<fs::path, PhotoFolder>& all() const { return folders_; }

 private:
  std::map<fs::path, PhotoFolder> folders_;
};

// Folders that may hold the photos of a model, the likeliest first: in the folders from the dataset down to the model.
std::vector<fs::path> likely_folders(const fs::path& root, const fs::path& model) {
  std::vector<fs::path> bases{root}, folders;
  for (fs::path base = model; is_below(base, root); base = base.parent_path()) bases.push_back(base);
  for (const fs::path& base : bases)
    for (const char* name :
         {"images", "input", "photos", "rgb", "frames", "image", "imgs", "color", "undistorted_images"})
      folders.push_back(child_of(base, name));
  return folders;
}

// images/ beside sparse/ where the folder of the model itself was given.
std::vector<fs::path> folders_above(const fs::path& root) {
  const fs::path above = fs::absolute(root).lexically_normal().parent_path();
  return {above / "images", above.parent_path() / "images"};
}

// A picture in a folder of masks or depths is none of the photos.
bool is_beside_photos(const std::string& name) {
  for (const fs::path& part : fs::path(name).parent_path()) {
    const std::string folder = lower(part.string());
    for (const char* other : {"mask", "depth", "segm", "normal"})
      if (folder.starts_with(other)) return true;
  }
  return false;
}

// The folder of `candidates` with most of the model's photos; empty: none has any.
class PhotoPlace {
 public:
  PhotoPlace(const Reconstruction& reconstruction, int resolution, Folders& folders)
      : images_(reconstruction.images), resolution_(resolution), folders_(folders) {}

  fs::path best_of(const std::vector<fs::path>& candidates) {
    fs::path best;
    size_t most = 0;
    for (const fs::path& folder : candidates)
      if (const size_t found = photos_in(folder); found > most) most = found, best = folder;
    return best;
  }
  bool is_there(const fs::path& folder) const { return is_folder(folder) || is_folder(divided(folder)); }

 private:
  fs::path divided(const fs::path& folder) const {
    return is_divisor_with_folder(resolution_) ? divided_folder(folder, resolution_) : folder;
  }
  size_t photos_in(const fs::path& folder) {
    if (!is_there(folder)) return 0;
    const PhotoFolder& listing = folders_.at(is_folder(folder) ? folder : divided(folder));
    return size_t(std::count_if(images_.begin(), images_.end(), [&](const ReconstructionImage& image) {
      const auto found = listing.find(image.name);
      return found && (found->exact || !is_beside_photos(found->name));
    }));
  }

  const std::vector<ReconstructionImage>& images_;
  int resolution_;
  Folders& folders_;
};

// Where none of the model's photos is anywhere, the first of the likely folders that is there.
fs::path usual_folder(const fs::path& root, const Reconstruction& reconstruction, int resolution, Folders& folders) {
  PhotoPlace place(reconstruction, resolution, folders);
  const std::vector<fs::path> likely = likely_folders(root, reconstruction.source);
  for (const std::vector<fs::path>& candidates : {likely, folders_above(root), {root}})
    if (const fs::path best = place.best_of(candidates); !best.empty()) return best;
  const auto there = std::find_if(likely.begin(), likely.end(), [&](const fs::path& f) { return place.is_there(f); });
  return there == likely.end() ? root : *there;
}

// Photos of a transforms.json that are not where it says: where they lie now.
void find_moved_photos(const fs::path& root, int resolution, std::vector<Place>& places, Folders& folders,
                       PhotoSet& set) {
  MovedFiles files{{}, [](std::string_view name) { return is_picture(name) && !is_beside_photos(std::string(name)); }};
  std::vector<size_t> index;
  for (size_t i = 0; i < places.size(); ++i) {
    const fs::path written = places[i].folder / places[i].name;
    if (is_divisor_with_folder(resolution) && is_folder(divided_folder(places[i].folder, resolution))) continue;
    const bool may_be_listed = places[i].folder.has_relative_path();  // else all that this machine has
    if (is_file(written) || (may_be_listed && folders.at(places[i].folder).find(places[i].name))) continue;
    files.written.push_back(written);
    index.push_back(i);
  }
  // Some are in place: what is missing among them was never made, unless a folder's name says otherwise.
  if (index.size() < places.size()) files.least = 2;
  const std::vector<fs::path> found = find_moved(root, files);
  size_t moved = 0;
  std::string example;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].empty()) continue;
    if (moved++ == 0)
      example = "'" + files.written[i].string() + "' as '" + found[i].lexically_relative(root).generic_string() + "'";
    places[index[i]] = {found[i].parent_path(), found[i].filename().generic_string()};
  }
  if (moved > 0)
    set.notes.push_back(std::to_string(moved) + " photos were found elsewhere than the dataset says, e.g. " + example);
}

Result<std::vector<Place>> places_of(const fs::path& root, const Reconstruction& reconstruction,
                                     const DatasetOptions& options, Folders& folders, PhotoSet& set) {
  std::optional<fs::path> folder;
  if (!options.images_folder.empty()) {
    SPLAT_ASSIGN_OR_RETURN(folder, named_folder(root, options.images_folder, "--images"));
  }
  std::vector<Place> places;
  const bool hinted = !reconstruction.images.front().file_hint.empty();
  const fs::path usual = folder   ? *folder
                         : hinted ? root
                                  : usual_folder(root, reconstruction, options.resolution, folders);
  for (const ReconstructionImage& image : reconstruction.images) {
    if (!folder && !image.file_hint.empty())
      places.push_back({image.file_hint.parent_path(), image.file_hint.filename().generic_string()});
    else
      places.push_back({usual, image.name});
  }
  if (!folder && hinted) find_moved_photos(root, options.resolution, places, folders, set);
  return places;
}

// The sizes of `paths`, read in parallel.
std::vector<Result<ImageSize>> read_sizes(const std::vector<fs::path>& paths, ThreadPool& pool) {
  std::vector<Result<ImageSize>> sizes(paths.size(), Error{""});
  pool.for_each(paths.size(), [&](size_t i, int) { sizes[i] = read_image_size(paths[i]); });
  return sizes;
}

// Pictures of images_2 and the like in place of the full ones: only where every image of the reconstruction that is
// there in full is there too, at a size that fits.
class DividedPhotos {
 public:
  DividedPhotos(const Reconstruction& reconstruction, int divisor, ThreadPool& pool)
      : reconstruction_(reconstruction), divisor_(divisor), pool_(pool) {}

  // Replaces the paths and sizes of `set`, or leaves it as it is with a note that says why.
  void use(const std::vector<Place>& places, Folders& folders, PhotoSet& set) {
    const fs::path folder = divided_folder(places.front().folder, divisor_);
    if (!is_folder(folder)) return;
    std::vector<PhotoSet::Photo> photos;
    std::vector<fs::path> paths;
    std::vector<const PhotoSet::Photo*> full_of(places.size(), nullptr);
    for (const PhotoSet::Photo& photo : set.photos) full_of[photo.image] = &photo;
    for (size_t i = 0; i < places.size(); ++i) {
      const PhotoFolder& listing = folders.at(divided_folder(places[i].folder, divisor_));
      const auto found = listing.find(places[i].name);
      const PhotoSet::Photo* full = full_of[i];
      if (!found && !full) continue;  // missing in both
      if (!found) return reject(folder, set, "it lacks '" + places[i].name + "'");
      PhotoSet::Photo photo;
      if (full) photo = *full;
      photo.image = i;
      photo.path = listing.path_of(found->name);
      photo.divided_by = divisor_;
      photos.push_back(photo);
      paths.push_back(photo.path);
    }
    const auto sizes = read_sizes(paths, pool_);
    for (size_t i = 0; i < photos.size(); ++i) {
      if (!sizes[i]) return reject(folder, set, sizes[i].error().message);
      const ImageSize& small = *sizes[i];
      if (!fits(photos[i], small))
        return reject(folder, set,
                      "'" + paths[i].filename().string() + "' there is " + std::to_string(small.width) + "x" +
                          std::to_string(small.height) + " pixels, which is not 1/" + std::to_string(divisor_));
      photos[i].size = small;
      if (photos[i].full_size.width == 0)
        photos[i].full_size = {small.width * divisor_, small.height * divisor_, small.channels};
    }
    set.photos = std::move(photos);
    set.notes.push_back("the photos are read from '" + folder.filename().string() + "'");
    accept(places, set);
  }

 private:
  void reject(const fs::path& folder, PhotoSet& set, const std::string& why) const {
    set.notes.push_back("'" + folder.filename().string() + "' is not used: " + why);
  }

  // Within one pixel of the full size divided, however that was rounded.
  bool fits(const PhotoSet::Photo& photo, const ImageSize& small) const {
    const splat::SourceCamera& camera = reconstruction_.images[photo.image].camera;
    const int width = photo.size.width ? photo.size.width : camera.width;
    const int height = photo.size.height ? photo.size.height : camera.height;
    const auto near = [&](int part, int whole) {  // 0: nobody says how large the photo is in full
      return whole == 0 || std::abs(part * divisor_ - whole) <= divisor_;
    };
    return near(small.width, width) && near(small.height, height);
  }

  void accept(const std::vector<Place>& places, PhotoSet& set) const {
    std::set<size_t> found;
    for (const PhotoSet::Photo& photo : set.photos) found.insert(photo.image);
    set.missing.clear();
    for (size_t i = 0; i < places.size(); ++i)
      if (!found.contains(i)) set.missing.push_back(reconstruction_.images[i].name);
  }

  const Reconstruction& reconstruction_;
  int divisor_;
  ThreadPool& pool_;
};

// The folder between `root` and the photo, if any, that is a dataset of its own: COLMAP writes undistorted photos with
// a model of theirs into dense/0, beside the sparse/0 of the photos as they were taken.
std::optional<fs::path> dataset_around(const fs::path& photo, const fs::path& root, const fs::path& model) {
  for (fs::path folder = photo.parent_path(); is_below(folder, root); folder = folder.parent_path())
    if (folder != model && !is_below(model, folder) && find_colmap_model(folder)) return folder;
  return std::nullopt;
}

// An error where photos that were found under another name than the model's belong to another model.
Status check_owner(const fs::path& root, const Reconstruction& reconstruction, const fs::path& photo) {
  const auto other = dataset_around(photo, root, reconstruction.source);
  if (!other) return {};
  return Error{"the photos of '" + reconstruction.source.string() + "' are not there; those in '" +
               photo.parent_path().string() + "' belong to another model, in '" + other->string() + "': use '" +
               other->string() + "', or name the folder of the photos by --images"};
}

// Paths of all photos that exist; lists the rest as missing, and of these in `unread` what is there all the same.
// Returns the first that was found under another name; empty: none.
fs::path find_files(const Reconstruction& reconstruction, const std::vector<Place>& places, Folders& folders,
                    std::set<fs::path>& used, std::vector<std::string>& unread, PhotoSet& set) {
  size_t renamed = 0;
  std::string example;
  fs::path example_path;
  for (size_t i = 0; i < places.size(); ++i) {
    const PhotoFolder& listing = folders.at(places[i].folder);
    const auto found = listing.find(places[i].name);
    if (!found) {
      set.missing.push_back(reconstruction.images[i].name);
      if (const std::string* name = listing.find_unread(places[i].name)) unread.push_back(*name);
      continue;
    }
    PhotoSet::Photo photo;
    photo.image = i;
    photo.path = listing.path_of(found->name);
    used.insert(photo.path);
    set.photos.push_back(std::move(photo));
    if (found->exact || renamed++ > 0) continue;
    example = "'" + places[i].name + "' as '" + found->name + "'";
    example_path = set.photos.back().path;
  }
  if (renamed)
    set.notes.push_back(std::to_string(renamed) + " photos were found under a slightly different name, e.g. " +
                        example);
  return example_path;
}

void list_extra(const fs::path& root, const Folders& folders, const std::set<fs::path>& used, PhotoSet& set) {
  for (const auto& [folder, listing] : folders.all()) {
    std::error_code ignored;
    if (fs::equivalent(folder, root, ignored)) continue;  // photos beside everything else: not all pictures are photos
    for (const std::string& name : listing.names())
      if (!used.contains(listing.path_of(name))) set.extra.push_back(name);
  }
}

// Turns what fits its camera only as its EXIF orientation says: photos that were posed upright and are stored on their
// side. Whoever posed them has then turned all that say so, those by half a turn too, whose sizes do not show it.
void turn_upright(const Reconstruction& reconstruction, ThreadPool& pool, PhotoSet& set) {
  const auto lies_on_side = [&](const PhotoSet::Photo& photo) {
    const splat::SourceCamera& camera = reconstruction.images[photo.image].camera;
    return camera.width > 0 && !fits_camera(camera, photo.size.width, photo.size.height) &&
           fits_camera(camera, photo.size.height, photo.size.width);
  };
  if (std::none_of(set.photos.begin(), set.photos.end(), lies_on_side)) return;
  std::vector<int> orientations(set.photos.size(), 1);
  pool.for_each(set.photos.size(), [&](size_t i, int) { orientations[i] = read_exif(set.photos[i].path).orientation; });
  bool any = false;
  for (size_t i = 0; i < set.photos.size(); ++i) any |= lies_on_side(set.photos[i]) && swaps_sides(orientations[i]);
  size_t turned = 0;
  for (size_t i = 0; any && i < set.photos.size(); ++i) {
    PhotoSet::Photo& photo = set.photos[i];
    const splat::SourceCamera& camera = reconstruction.images[photo.image].camera;
    const bool sides = swaps_sides(orientations[i]);
    if (orientations[i] == 1 || (sides && !fits_camera(camera, photo.size.height, photo.size.width))) continue;
    photo.orientation = orientations[i];
    if (sides) std::swap(photo.size.width, photo.size.height), std::swap(photo.full_size.width, photo.full_size.height);
    ++turned;
  }
  if (turned > 0)
    set.notes.push_back(std::to_string(turned) +
                        " photos are turned as their EXIF orientation says: only so they fit their cameras");
}

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

bool is_named_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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

// As masks: a file that the dataset names, or of the photo's name in the folder.
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

// Reads the photos' sizes, and takes out those that cannot be read.
void read_photo_sizes(const Reconstruction& reconstruction, const std::vector<Place>& places,
                      const DatasetOptions& options, Folders& folders, ThreadPool& pool, PhotoSet& set) {
  std::vector<fs::path> paths;
  for (const PhotoSet::Photo& photo : set.photos) paths.push_back(photo.path);
  const std::vector<Result<ImageSize>> sizes = read_sizes(paths, pool);
  std::map<size_t, std::string> unusable;  // why, by image
  std::vector<PhotoSet::Photo> readable;
  for (size_t i = 0; i < sizes.size(); ++i) {
    PhotoSet::Photo& photo = set.photos[i];
    if (!sizes[i]) {
      unusable.emplace(photo.image, sizes[i].error().message);
      continue;
    }
    photo.size = photo.full_size = *sizes[i];
    readable.push_back(std::move(photo));
  }
  set.photos = std::move(readable);
  if (is_divisor_with_folder(options.resolution))
    DividedPhotos(reconstruction, options.resolution, pool).use(places, folders, set);
  for (const PhotoSet::Photo& photo : set.photos) unusable.erase(photo.image);  // there at a half, say
  for (const auto& [image, why] : unusable) {
    const std::string& name = reconstruction.images[image].name;
    std::erase(set.missing, name);
    set.unusable.push_back(name);
    if (!is_named_in(options.leave_out, name)) set.left_out.add("photo", name, why);
  }
}

}  // namespace

bool fits_camera(const splat::SourceCamera& camera, int width, int height) {
  return std::abs(height - double(camera.height) * width / camera.width) <= 1 ||
         std::abs(width - double(camera.width) * height / camera.height) <= 1;
}

Result<PhotoSet> find_photos(const fs::path& root, const Reconstruction& reconstruction, const DatasetOptions& options,
                             ThreadPool& pool) {
  PhotoSet set;
  Folders folders;
  SPLAT_ASSIGN_OR_RETURN(const std::vector<Place> places, places_of(root, reconstruction, options, folders, set));
  std::set<fs::path> used;
  std::vector<std::string> unread;
  const fs::path renamed = find_files(reconstruction, places, folders, used, unread, set);
  if (!renamed.empty() && options.images_folder.empty()) SPLAT_TRY(check_owner(root, reconstruction, renamed));
  list_extra(root, folders, used, set);

  read_photo_sizes(reconstruction, places, options, folders, pool, set);
  if (set.photos.empty() && set.left_out.count("photo") > 0) return Error{set.left_out.first_reason("photo")};
  if (set.photos.empty() && !unread.empty())
    return Error{"none of the " + std::to_string(places.size()) +
                 " photos of the reconstruction can be read: " + unread_sentence(unread)};
  if (!unread.empty()) set.notes.push_back(unread_sentence(unread));
  if (set.photos.empty())
    return Error{"none of the " + std::to_string(places.size()) + " photos of the reconstruction is in '" +
                 places.front().folder.string() + "' (the first would be '" + places.front().name +
                 "'): name their folder by --images"};
  turn_upright(reconstruction, pool, set);
  SPLAT_TRY(find_masks(root, reconstruction, places, options, pool, set));
  SPLAT_TRY(find_depth_maps(root, reconstruction, places, options, pool, set));
  return set;
}

}  // namespace io
