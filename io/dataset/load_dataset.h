// A folder -> splat::Dataset: finds the reconstruction (COLMAP or transforms.json) and its photos, reads their sizes,
// chooses the training size and the pinhole of every photo, splits off the held-out photos, and panoramas into views
// (panorama.h). No pixel is decoded here: open_images() (image_store.h) does that. Cost: one header read per photo, in
// parallel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace io {

inline constexpr int kDefaultMaxSide = 1600;  // px, INRIA's limit where no resolution is asked for

// Depth maps (depth_map.h). kAuto: where the dataset names them, has a folder depths/ or some beside its photos; kOn:
// an error where there are none.
enum class DepthMaps { kAuto, kOn, kOff };

struct DatasetOptions {
  std::string images_folder;           // below the dataset, or a path; empty: images/ or where the reconstruction says
  std::filesystem::path masks_folder;  // empty: where masks usually are (beside_photos.h)
  bool ignores_transparent = false;    // what is transparent does not count; else it is known to be empty
  std::filesystem::path points_file;   // points to start from instead of the dataset's (point_files.h)
  DepthMaps depths = DepthMaps::kOff;  // only training looks at them
  // 1..8 divide both sides (images_2, images_4, images_8 are used where they fit) and round, 497.5 to 498; more: the
  // longest side's most pixels; 0: full size up to kDefaultMaxSide.
  int resolution = 0;
  bool eval = false;                     // hold out the data's own test split, else every test_every-th by sorted name
  int test_every = 8;                    // the views with index % test_every == 0, as INRIA
  std::vector<std::string> test_images;  // hold out exactly these
  std::vector<std::string> leave_out;    // neither train on these nor hold them out; they stay in the dataset
  int threads = 0;                       // 0: every core

  friend bool operator==(const DatasetOptions&, const DatasetOptions&) = default;
};

splat::Result<splat::Dataset> load_dataset(const std::filesystem::path& path, const DatasetOptions& options);

}  // namespace io
