// The three tables of a COLMAP model, one parser per table and encoding. Internal to io/reconstruction; tests and
// fuzzers call it directly. `name` is how errors call the data; `notes` collects what is odd but usable. A record whose
// numbers cannot be used is left out (left_out.h); a file whose records cannot be separated is an error.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/reconstruction/left_out.h"
#include "splat/core/result.h"
#include "splat/model/camera.h"
#include "splat/model/dataset.h"

namespace io::colmap {

struct Notes {
  std::vector<std::string> notes, warnings;
  LeftOut left_out;
  std::map<uint32_t, std::string> unusable_cameras;  // why, by id
};
using Cameras = std::map<uint32_t, splat::SourceCamera>;  // by camera id

struct Image {
  uint32_t id = 0, camera_id = 0;
  std::string name;
  splat::Rigid3 cam_from_world;
};
struct Images {
  std::vector<Image> images;
  uint64_t observations = 0;
};

splat::Result<Cameras> parse_cameras_bin(std::string_view bytes, const std::string& name, Notes& notes);
splat::Result<Cameras> parse_cameras_txt(std::string_view text, const std::string& name, Notes& notes);
splat::Result<Images> parse_images_bin(std::string_view bytes, const std::string& name, const Cameras& cameras,
                                       Notes& notes);
splat::Result<Images> parse_images_txt(std::string_view text, const std::string& name, const Cameras& cameras,
                                       Notes& notes);
splat::Result<splat::PointCloud> parse_points_bin(std::string_view bytes, const std::string& name, Notes& notes,
                                                  const std::array<double, 3>& origin = {});
splat::Result<splat::PointCloud> parse_points_txt(std::string_view text, const std::string& name, Notes& notes,
                                                  const std::array<double, 3>& origin = {});

// How many images a file registers, without reading it whole; 0 for what is no such file.
uint64_t count_images_bin(std::string_view first_bytes, uint64_t file_bytes);
uint64_t count_images_txt(std::string_view text);

// What both encodings must hold, so that both refuse the same. Errors are the problem alone, without file and position.
struct ImageFields {
  uint32_t id = 0, camera_id = 0;
  std::array<double, 4> quaternion{};   // wxyz, any length but 0
  std::array<double, 3> translation{};  // of cam_from_world
  std::string_view name;
};
class ImageCollector {
 public:
  ImageCollector(const Cameras& cameras, const Notes& notes) : cameras_(cameras), notes_(notes) {}
  splat::Status add(const ImageFields& fields);
  std::vector<Image> images;

 private:
  const Cameras& cameras_;
  const Notes& notes_;
  std::set<uint32_t> ids_;
  std::set<std::string> names_;
};
std::string label_of(const ImageFields& fields);  // its name, or its id where it has none
void leave_out_camera(uint32_t id, const splat::Error& why, Notes& notes);
// Why there is not one: the first that was left out, else `none_there`.
splat::Error nothing_left(const std::string& kind, const std::string& none_there, const Notes& notes);
// Its position is kept relative to `origin`.
splat::Status add_point(splat::PointCloud& points, const std::array<double, 3>& xyz, const std::array<double, 3>& rgb,
                        const std::array<double, 3>& origin);

}  // namespace io::colmap
