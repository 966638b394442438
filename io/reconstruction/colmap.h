// COLMAP models (cameras, images, points3D; .bin or .txt; format of COLMAP 3.x, rigs and frames beside them ignored).
// Layout: https://colmap.github.io/format.html. Every camera model of splat/model/camera.h; counts are checked against
// the file's size before any allocation; errors name file and byte (binary) or line (text).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/reconstruction/reconstruction.h"
#include "splat/core/result.h"

namespace io {

struct ColmapLocation {
  std::filesystem::path folder;    // holds cameras.* and images.*
  std::vector<std::string> notes;  // which of several models was taken and why
};

// Looks for a model in sparse/ and sparse/N, the folder itself and its N, colmap/sparse/ and colmap/sparse/N, in any
// case of letters; the first of these places that has any is used, there the model with the most registered images.
// Nothing found: nullopt. A model that lacks one of its files is found only when there is no better one; read_colmap()
// then says what is missing. Where these places hold none: io/dataset/find_cameras.h.
std::optional<ColmapLocation> find_colmap_model(const std::filesystem::path& root);

// A folder with some of a model's files.
struct ColmapFolder {
  std::filesystem::path folder;
  bool complete = false;  // cameras and images are both there, in one encoding
  uint64_t images = 0;    // registered
};
std::optional<ColmapFolder> colmap_folder(const std::filesystem::path& folder);

// The names of a model's images, sorted; empty where it cannot be read.
std::vector<std::string> colmap_image_names(const std::filesystem::path& model_folder);

// Reads one model folder; binary files are preferred. A missing or empty points3D is a note, not an error.
splat::Result<Reconstruction> read_colmap(const std::filesystem::path& model_folder);

}  // namespace io
