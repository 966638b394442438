#include "tests/support/scene_on_disk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "io/image_file.h"

namespace app::test {
namespace {

// wxyz; the rotations of the tiny dataset turn about the vertical axis only.
std::array<double, 4> quaternion_of(const std::array<double, 9>& r) {
  const double w = std::sqrt(std::max(0.0, 1 + r[0] + r[4] + r[8])) / 2;
  const double y = std::sqrt(std::max(0.0, 1 - r[0] + r[4] - r[8])) / 2;
  return {w, 0, std::copysign(y, r[2] - r[6]), 0};
}

splat::Image8 interleaved(const splat::TrainingImage& photo) {
  splat::Image8 image{photo.width, photo.height, 3, {}};
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  for (size_t p = 0; p < pixels; ++p)
    for (size_t c = 0; c < 3; ++c) image.pixels.push_back(photo.rgb[c * pixels + p]);
  return image;
}

}  // namespace

SceneOnDisk::SceneOnDisk(const std::string& name) : name_(name) {
  const splat::test::TinyDataset tiny = splat::test::make_tiny_dataset();
  std::ostringstream images, points, cameras;
  images.precision(17);
  points.precision(9);
  for (size_t i = 0; i < tiny.dataset.views.size(); ++i) {
    const splat::DatasetView& view = tiny.dataset.views[i];
    images << i + 1;
    for (double value : quaternion_of(view.cam_from_world.rotation)) images << ' ' << value;
    for (double value : view.cam_from_world.translation) images << ' ' << value;
    images << " 1 " << view.name << "\n\n";
    write("images/" + view.name, io::encode_png(interleaved(tiny.images.photos[i])));
  }
  const splat::PointCloud& cloud = tiny.dataset.points;
  for (size_t i = 0; i < cloud.size(); ++i) {
    points << i + 1;
    for (size_t c = 0; c < 3; ++c) points << ' ' << cloud.xyz[i * 3 + c];
    for (size_t c = 0; c < 3; ++c) points << ' ' << int(cloud.rgb[i * 3 + c]);
    points << " 0.5\n";
  }
  const splat::PinholeCamera& camera = tiny.dataset.views[0].camera;
  cameras << "1 PINHOLE " << camera.width << ' ' << camera.height << ' ' << camera.fx << ' ' << camera.fy << ' '
          << camera.cx << ' ' << camera.cy << '\n';
  write("sparse/0/cameras.txt", cameras.str());
  write("sparse/0/images.txt", images.str());
  write("sparse/0/points3D.txt", points.str());
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace app::test
