#include "io/dataset/divided_photos.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace io {

namespace fs = std::filesystem;
using splat::ThreadPool;

namespace {

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
    std::vector<Place> divided = places;
    for (Place& place : divided) place.folder = divided_folder(place.folder, divisor_);
    const auto files = files_of(divided, folders);
    for (size_t i = 0; i < places.size(); ++i) {
      const PhotoFolder& listing = folders.at(divided[i].folder);
      const auto& found = files[i];
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

}  // namespace

void use_divided_photos(const Reconstruction& reconstruction, int divisor, const std::vector<Place>& places,
                        Folders& folders, ThreadPool& pool, PhotoSet& set) {
  DividedPhotos(reconstruction, divisor, pool).use(places, folders, set);
}

}  // namespace io
