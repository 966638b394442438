// Where the photos of a reconstruction should lie: the folder that it names, one of the usual ones, or where they were
// moved since. Internal to io/dataset.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/dataset/find_photos.h"
#include "io/dataset/photo_folder.h"

namespace io {

// Where an image of the reconstruction lies: a folder, and its name below it.
struct Place {
  std::filesystem::path folder;
  std::string name;
};

// The folders in use, each listed once.
class Folders {
 public:
  const PhotoFolder& at(const std::filesystem::path& folder) {
    return folders_.try_emplace(folder, folder).first->second;
  }
  const std::map<std::filesystem::path, PhotoFolder>& all() const { return folders_; }

 private:
  std::map<std::filesystem::path, PhotoFolder> folders_;
};

// The files of records, one for one: a file that one has by its exact name is nobody else's, and of several that could
// mean one it is that with the longest common end; where two are as good, neither has it.
std::vector<std::optional<PhotoFolder::Found>> files_of(const std::vector<Place>& places, Folders& folders);

bool is_folder(const std::filesystem::path& path);
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// Whether a picture lies in a folder of masks, depths and the like: it is none of the photos.
bool is_beside_photos(const std::string& name);

bool is_divisor_with_folder(int resolution);
std::filesystem::path divided_folder(const std::filesystem::path& folder, int divisor);  // images -> images_4

// A folder that the user named by `option`: below the dataset, else as it stands.
splat::Result<std::filesystem::path> named_folder(const std::filesystem::path& root, const std::filesystem::path& name,
                                                  const char* option);

// One for each image of the reconstruction.
splat::Result<std::vector<Place>> places_of(const std::filesystem::path& root, const Reconstruction& reconstruction,
                                            const DatasetOptions& options, Folders& folders, PhotoSet& set);

}  // namespace io
