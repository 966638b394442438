// The three tables of a COLMAP model, one parser per table and encoding. Internal to io/reconstruction; tests and
// fuzzers call it directly. `name` is how errors call the data; `notes` collects what is odd but usable.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/camera.h"
#include "splat/model/dataset.h"

namespace io::colmap {

using Notes = std::vector<std::string>;
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
splat::Status add_camera(Cameras& cameras, uint32_t id, const splat::SourceCamera& camera);
class ImageCollector {
 public:
  explicit ImageCollector(const Cameras& cameras) : cameras_(cameras) {}
  splat::Status add(const ImageFields& fields);
  std::vector<Image> images;

 private:
  const Cameras& cameras_;
  std::set<uint32_t> ids_;
  std::set<std::string> names_;
};
// Its position is kept relative to `origin`.
splat::Status add_point(splat::PointCloud& points, const std::array<double, 3>& xyz, const std::array<uint8_t, 3>& rgb,
                        const std::array<double, 3>& origin);

}  // namespace io::colmap
