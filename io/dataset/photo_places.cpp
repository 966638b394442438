#include "io/dataset/photo_places.h"

#include <algorithm>
#include <optional>
#include <set>

#include "io/bytes.h"
#include "io/dataset/moved_files.h"
#include "io/files_below.h"
#include "splat/core/counted.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error, splat::Result;

std::vector<std::optional<PhotoFolder::Found>> files_of(const std::vector<Place>& places, Folders& folders) {
  std::vector<std::optional<PhotoFolder::Found>> files(places.size());
  std::set<fs::path> taken;
  for (size_t i = 0; i < places.size(); ++i) {
    const PhotoFolder& listing = folders.at(places[i].folder);
    if (!listing.has(places[i].name)) continue;
    files[i] = PhotoFolder::Found{places[i].name};
    taken.insert(listing.path_of(places[i].name));
  }
  std::map<fs::path, std::vector<size_t>> meant;
  for (size_t i = 0; i < places.size(); ++i) {
    if (files[i]) continue;
    const PhotoFolder& listing = folders.at(places[i].folder);
    files[i] = listing.find(places[i].name, taken);
    if (files[i]) meant[listing.path_of(files[i]->name)].push_back(i);
  }
  for (const auto& [path, records] : meant) {
    size_t longest = 0;
    for (const size_t i : records) longest = std::max(longest, files[i]->common);
    const auto as_good =
        std::count_if(records.begin(), records.end(), [&](size_t i) { return files[i]->common == longest; });
    for (const size_t i : records)
      if (files[i]->common < longest || as_good > 1) files[i].reset();
  }
  return files;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

bool is_beside_photos(const std::string& name) {
  for (const fs::path& part : fs::path(name).parent_path()) {
    const std::string folder = lower(part.string());
    for (const char* other : {"mask", "depth", "segm", "normal"})
      if (folder.starts_with(other)) return true;
  }
  return false;
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

namespace {

// Folders that may hold the photos of a model, the likeliest first: in the folders from the dataset down to the model.
std::vector<fs::path> likely_folders(const fs::path& root, const fs::path& model) {
  std::vector<fs::path> bases{root}, folders;
  for (fs::path base = model; is_below(base, root); base = base.parent_path()) bases.push_back(base);
  for (const fs::path& base : bases)
    for (const char* name : {"images", "input", "photos", "rgb", "frames", "image", "imgs", "color",
                             "undistorted_images", "resized_images", "resized_undistorted_images"})
      folders.push_back(child_of(base, name));
  return folders;
}

// images/ beside sparse/ where the folder of the model itself was given.
std::vector<fs::path> folders_above(const fs::path& root) {
  const fs::path above = fs::absolute(root).lexically_normal().parent_path();
  return {above / "images", above.parent_path() / "images"};
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
    std::vector<Place> places;
    for (const ReconstructionImage& image : images_)
      places.push_back({is_folder(folder) ? folder : divided(folder), image.name});
    const auto files = files_of(places, folders_);
    return size_t(std::count_if(files.begin(), files.end(), [](const auto& file) {
      return file && (file->exact || !is_beside_photos(file->name));
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
    if (fs::path best = place.best_of(candidates); !best.empty()) return best;
  const auto there = std::find_if(likely.begin(), likely.end(), [&](const fs::path& f) { return place.is_there(f); });
  return there == likely.end() ? root : *there;
}

// Photos of a transforms.json that are not where it says: where they lie now.
void find_moved_photos(const fs::path& root, int resolution, std::vector<Place>& places, Folders& folders,
                       PhotoSet& set) {
  MovedFiles files;
  files.fits = [](std::string_view name) { return is_picture(name) && !is_beside_photos(std::string(name)); };
  std::vector<size_t> index, listed;
  std::vector<Place> in_place;
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].folder.has_relative_path())  // else all that this machine has
      listed.push_back(i), in_place.push_back(places[i]);
  const auto there = files_of(in_place, folders);
  std::vector<bool> found_there(places.size(), false);
  for (size_t i = 0; i < listed.size(); ++i)
    if (there[i]) {
      found_there[listed[i]] = true;
      files.taken.insert(folders.at(in_place[i].folder).path_of(there[i]->name).lexically_normal());
    }
  for (size_t i = 0; i < places.size(); ++i) {
    const fs::path written = places[i].folder / places[i].name;
    if (is_divisor_with_folder(resolution) && is_folder(divided_folder(places[i].folder, resolution))) continue;
    if (is_file(written) || found_there[i]) continue;
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
    const fs::path said = files.written[i].lexically_relative(root);
    const bool is_below = !said.empty() && *said.begin() != "..";
    if (moved++ == 0)
      example = "'" + (is_below ? said : files.written[i]).generic_string() + "' as '" +
                found[i].lexically_relative(root).generic_string() + "'";
    places[index[i]] = {found[i].parent_path(), found[i].filename().generic_string()};
  }
  if (moved > 0)
    set.notes.push_back(splat::counted(moved, "photo was found", "photos were found") +
                        " elsewhere than the dataset says, e.g. " + example);
}

}  // namespace

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

}  // namespace io
