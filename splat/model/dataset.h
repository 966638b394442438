// A posed photo set, as read by io/ and used by train/. Holds no pixels: those come from an ImageSource.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "splat/model/camera.h"

namespace splat {

struct PointCloud {
  std::vector<float> xyz;          // [M,3] world
  std::vector<uint8_t> rgb;        // [M,3]
  size_t left_out = 0;             // further points of the file, whose position was not finite or absurdly large
  std::array<double, 3> origin{};  // that xyz is counted from; 0 but for a file in doubles, far from 0
  size_t size() const { return rgb.size() / 3; }
};

// At most `most` of the points, evenly spread over their list.
inline std::vector<std::array<double, 3>> some_points(const PointCloud& points, size_t most) {
  const size_t count = std::min(points.size(), most);
  std::vector<std::array<double, 3>> some;
  for (size_t i = 0; i < count; ++i) {
    const float* p = &points.xyz[3 * (i * points.size() / count)];
    some.push_back({p[0], p[1], p[2]});
  }
  return some;
}

struct DatasetView {
  std::string name;                  // image path below the image folder, '/'-separated, UTF-8; views are sorted by it
  std::string photo;                 // of a panorama's face: the image path, name says which face; else empty
  std::filesystem::path image_path;  // the file that is decoded (may lie in images_2/ and the like)
  std::filesystem::path mask_path;   // empty: none
  std::filesystem::path depth_path;  // of a depth map, a grey PNG of 16 bits; empty: none
  SourceCamera source;               // as reconstructed, at the size the reconstruction was made with
  int file_width = 0, file_height = 0;  // px, of the file at image_path, as it is turned by photo_orientation
  int photo_orientation = 1;            // EXIF's, by which the picture is turned when it is read; 1: as stored
  bool file_has_alpha = false;
  bool ignores_transparent = false;  // what is transparent does not count; else it is known to be empty
  bool transparent = false;          // has pixels known to be empty: seen when the photos are opened
  double crop_radius_px = 0;         // of `source`, round the picture's middle: beyond it nothing counts; 0: no bound
  Rigid3 cam_from_world;
  PinholeCamera camera;    // what training sees: undistorted, and the whole photo resized to camera.width x height
  int panorama_face = -1;  // index into io::panorama_faces(); -1: the photo as a whole
  bool held_out = false;   // kept for evaluation, never trained on
  bool left_out = false;   // neither trained on nor evaluated

  const std::string& photo_name() const { return photo.empty() ? name : photo; }
  View view() const { return {camera, cam_from_world}; }
};

struct Dataset {
  std::filesystem::path root;
  std::string format;                       // "COLMAP binary", "COLMAP text", "transforms.json"
  std::vector<DatasetView> views;           // sorted by name
  PointCloud points;                        // may be empty: random initialisation
  std::vector<std::string> notes;           // decisions worth telling the user, one sentence each
  std::vector<std::string> warnings;        // the same of what is wrong with the data, and of what is left out for it
  std::vector<std::string> missing_images;  // registered but not on disk, all of them
  std::vector<std::string> extra_images;    // on disk but not registered
  // Position + origin = position in the input, or in the reference system with this EPSG code (0: not known).
  std::array<double, 3> origin{0, 0, 0};
  int epsg = 0;
  double metres_per_unit = 0;               // 0: not known
  std::array<double, 3> view_up{0, -1, 0};  // mean of the cameras' up directions: navigation only, never training

  std::vector<int> training_views() const { return select(false); }
  std::vector<int> held_out_views() const { return select(true); }

 private:
  std::vector<int> select(bool held_out) const {
    std::vector<int> indices;
    for (size_t i = 0; i < views.size(); ++i)
      if (views[i].held_out == held_out && !views[i].left_out) indices.push_back(int(i));
    return indices;
  }
};

}  // namespace splat
