// A posed photo set as some other program wrote it: the common result of every reader of this folder. Lenses are still
// distorted, no photo has been opened; io/dataset turns it into a splat::Dataset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/dataset.h"

namespace io {

inline constexpr int kMaxImageSide = 65535;     // px; what JPEG can hold, and a bound on every size read from a file
inline constexpr double kMaxCoordinate = 1e18;  // world units; its square still fits a float

struct ReconstructionImage {
  std::string name;            // '/'-separated path below the image folder, UTF-8 as stored
  int camera_index = 0;        // images with the same index share one physical camera; 0 .. Reconstruction::cameras-1
  splat::SourceCamera camera;  // width and height 0: the photo's own (transforms.json), then see complete_camera()
  struct Pending {             // what follows from the photo's size alone
    bool principal_x = false, principal_y = false;  // the image centre
    std::optional<double> angle_x, angle_y;         // field of view, radians; one alone is for both focal lengths
    bool any() const { return principal_x || principal_y || angle_x || angle_y; }
  } pending;
  splat::Rigid3 cam_from_world;
  std::filesystem::path file_hint;   // the photo (transforms.json); empty: look `name` up below the image folder
  std::filesystem::path mask_hint;   // its mask, where the file names one
  std::filesystem::path depth_hint;  // its depth map, likewise
  double crop_radius_px = 0;         // of `camera`, round the picture's middle: beyond it nothing counts; 0: no bound
  std::optional<double> stated_angle_x;  // radians; a field of view that the file gives beside the focal length
  std::optional<bool> held_out;          // set where the data itself splits training from test views
  bool left_out = false;                 // the data itself neither trains nor tests on it
};

struct Reconstruction {
  std::string format;                       // "COLMAP binary", "COLMAP text", "transforms.json"
  std::filesystem::path source;             // the model folder or the .json file
  std::vector<ReconstructionImage> images;  // at least one; sorted by name; names are unique
  int cameras = 0;                          // distinct cameras among the images
  splat::PointCloud points;                 // may be empty
  std::filesystem::path points_file;        // that a transforms.json names, whether it is there or not; else empty
  std::array<double, 3> origin{0, 0, 0};    // subtracted from all positions (origin.h)
  uint64_t observations = 0;                // 2D points that see a 3D point (COLMAP)
  std::vector<std::string> notes;           // decisions worth telling the user, one sentence each
  std::vector<std::string> warnings;        // the same of what is wrong: left_out.h
};

// For a photo of this size: fills in the camera's size where it is 0, and the parameters that `pending` lists. Does
// nothing to a complete camera.
void complete_camera(ReconstructionImage& image, int width, int height);

}  // namespace io
