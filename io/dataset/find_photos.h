// Pairs the images of a reconstruction with the photo and mask files on disk, and reads the photos' sizes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/dataset/load_dataset.h"
#include "io/image_file.h"
#include "io/reconstruction/left_out.h"
#include "io/reconstruction/reconstruction.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace io {

struct PhotoSet {
  struct Photo {
    size_t image = 0;             // index into Reconstruction::images
    std::filesystem::path path;   // the picture to decode
    std::filesystem::path mask;   // empty: none
    std::filesystem::path depth;  // likewise
    ImageSize size;
    int orientation = 1;  // EXIF's, where only so the photo fits its camera; sizes are those of the turned photo
    int divided_by = 1;   // the picture comes from images_2, images_4 or images_8
    ImageSize full_size;  // of the photo in full, where that is on disk; else `size` times divided_by
  };
  std::vector<Photo> photos;          // in the order of the reconstruction, without the missing ones
  std::vector<std::string> missing;   // names, all
  std::vector<std::string> unusable;  // likewise: the file is there and cannot be read
  LeftOut left_out;                   // those, masks and depth maps, but for what options.leave_out names
  std::vector<std::string> extra;     // names of pictures that no image uses
  std::vector<std::string> notes, warnings;
};

// The sizes of `paths`, read in parallel.
std::vector<splat::Result<ImageSize>> read_sizes(const std::vector<std::filesystem::path>& paths,
                                                 splat::ThreadPool& pool);

bool is_named_in(const std::vector<std::string>& names, const std::string& name);

// Whether a picture of this size has the camera's shape, to a pixel.
bool fits_camera(const splat::SourceCamera& camera, int width, int height);

splat::Result<PhotoSet> find_photos(const std::filesystem::path& root, const Reconstruction& reconstruction,
                                    const DatasetOptions& options, splat::ThreadPool& pool);

}  // namespace io
