#include "io/dataset/find_photos.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "io/dataset/beside_photos.h"
#include "io/dataset/divided_photos.h"
#include "io/dataset/photo_places.h"
#include "io/files_below.h"
#include "io/images/exif.h"
#include "io/images/upright.h"
#include "io/reconstruction/colmap.h"
#include "io/text.h"
#include "splat/core/counted.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status, splat::ThreadPool;

namespace {

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
  const auto files = files_of(places, folders);
  for (size_t i = 0; i < places.size(); ++i) {
    const PhotoFolder& listing = folders.at(places[i].folder);
    const auto& found = files[i];
    if (!found) {
      set.missing.push_back(reconstruction.images[i].name);
      if (const std::string* name = listing.find_unread(places[i].name)) unread.push_back(*name);
      continue;
    }
    PhotoSet::Photo photo;
    photo.image = i;
    photo.path = listing.path_of(found->name);
    used.insert(photo.path);
    for (const char* mark : {"mask", "depth"})
      if (const auto beside = listing.find_marked(places[i].name, mark)) used.insert(listing.path_of(*beside));
    set.photos.push_back(std::move(photo));
    if (found->exact || renamed++ > 0) continue;
    example = "'" + places[i].name + "' as '" + found->name + "'";
    example_path = set.photos.back().path;
  }
  if (renamed)
    set.notes.push_back(splat::counted(renamed, "photo was found", "photos were found") +
                        " under a slightly different name, e.g. " + example);
  return example_path;
}

void list_extra(const fs::path& root, const Folders& folders, const std::set<fs::path>& used, PhotoSet& set) {
  for (const auto& [folder, listing] : folders.all()) {
    std::error_code ignored;
    if (fs::equivalent(folder, root, ignored)) continue;  // photos beside everything else: not all pictures are photos
    for (const std::string& name : listing.names())
      if (!used.contains(listing.path_of(name)) && !is_beside_photos(name)) set.extra.push_back(name);
  }
}

// Where the size does not show whether photos were posed as they are stored or upright, it is said how they are taken.
void note_kept_orientations(const Reconstruction& reconstruction, const std::vector<int>& orientations, PhotoSet& set) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < set.photos.size(); ++i) {
    const PhotoSet::Photo& photo = set.photos[i];
    const ReconstructionImage& image = reconstruction.images[photo.image];
    if (orientations[i] == 1 || photo.orientation != 1 || image.camera.width == 0) continue;
    if (!swaps_sides(orientations[i]) || fits_camera(image.camera, photo.size.height, photo.size.width))
      kept.push_back(image.name);
  }
  if (!kept.empty())
    set.notes.push_back(
        splat::counted(kept.size(), "photo has", "photos have") +
        " an EXIF orientation and would fit turned as well as stored; taken as stored: " + first_names(kept) +
        " (where the cameras were found from turned photos, turn the files: " + "mogrify -auto-orient)");
}

// Turns what fits its camera only as its EXIF orientation says: photos that were posed upright and are stored on their
// side. Whoever posed them has then turned all that say so, those by half a turn too, whose sizes do not show it.
void turn_upright(const Reconstruction& reconstruction, ThreadPool& pool, PhotoSet& set) {
  const auto lies_on_side = [&](const PhotoSet::Photo& photo) {
    const splat::SourceCamera& camera = reconstruction.images[photo.image].camera;
    return camera.width > 0 && !fits_camera(camera, photo.size.width, photo.size.height) &&
           fits_camera(camera, photo.size.height, photo.size.width);
  };
  const bool some_lie = std::any_of(set.photos.begin(), set.photos.end(), lies_on_side);
  std::vector<int> orientations(set.photos.size(), 1);
  pool.for_each(set.photos.size(), [&](size_t i, int) {
    const fs::path& path = set.photos[i].path;
    const std::string extension = lower(path.extension().string());
    const bool heif = extension.starts_with(".hei") || extension == ".hif" || extension == ".avif";  // read as a whole
    if (some_lie || !heif) orientations[i] = read_exif(path).orientation;
  });
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
    set.notes.push_back(splat::counted(turned, "photo is", "photos are") +
                        " turned as their EXIF orientation says: only so they fit their cameras");
  note_kept_orientations(reconstruction, orientations, set);
}

void report_odd_profiles(const PhotoSet& set, std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  for (const PhotoSet::Photo& photo : set.photos)
    if (photo.size.odd_profile) names.push_back(photo.path.filename().string());
  if (!names.empty())
    warnings.push_back("the colour profile of " + splat::counted(names.size(), "photo") + " cannot be read (" +
                       first_names(names) + "): colours are taken as sRGB there");
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
    use_divided_photos(reconstruction, options.resolution, places, folders, pool, set);
  for (const PhotoSet::Photo& photo : set.photos) unusable.erase(photo.image);  // there at a half, say
  for (const auto& [image, why] : unusable) {
    const std::string& name = reconstruction.images[image].name;
    std::erase(set.missing, name);
    set.unusable.push_back(name);
    if (!is_named_in(options.leave_out, name)) set.left_out.add("photo", name, why);
  }
}

}  // namespace

// The sizes of `paths`, read in parallel.
std::vector<Result<ImageSize>> read_sizes(const std::vector<fs::path>& paths, ThreadPool& pool) {
  std::vector<Result<ImageSize>> sizes(paths.size(), Error{""});
  pool.for_each(paths.size(), [&](size_t i, int) { sizes[i] = read_image_size(paths[i]); });
  return sizes;
}

bool is_named_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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
  report_odd_profiles(set, set.warnings);
  if (set.photos.empty() && set.left_out.count("photo") > 0) return Error{set.left_out.first_reason("photo")};
  if (set.photos.empty() && !unread.empty())
    return Error{"none of the " + std::to_string(places.size()) +
                 " photos of the reconstruction can be read: " + unread_sentence(unread)};
  if (!unread.empty()) set.warnings.push_back(unread_sentence(unread));
  if (set.photos.empty())
    return Error{"none of the " + std::to_string(places.size()) + " photos of the reconstruction is in '" +
                 places.front().folder.string() + "' (the first would be '" + places.front().name +
                 "'): name their folder by --images"};
  turn_upright(reconstruction, pool, set);
  SPLAT_TRY(find_masks(root, reconstruction, places, options, folders, pool, set));
  SPLAT_TRY(find_depth_maps(root, reconstruction, places, options, folders, pool, set));
  return set;
}

}  // namespace io
