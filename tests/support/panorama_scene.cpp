#include "tests/support/panorama_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <sstream>

#include "io/image_file.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"

namespace app::test {
namespace {

using splat::ImageF, splat::Rigid3, splat::View;
using Vec = std::array<double, 3>;

// Small against their distance, and thin: what a renderer approximates, and the order it blends in, depend on
// where the camera looks.
splat::Gaussians make_truth() {
  splat::random::Sequence numbers(5, splat::random::kTest);
  splat::Gaussians truth;
  truth.sh_degree = 0;
  truth.resize(1500);
  for (size_t i = 0; i < truth.size(); ++i) {
    const Vec direction{double(numbers.normal()), double(numbers.normal()), double(numbers.normal())};
    const double length = std::hypot(direction[0], direction[1], direction[2]);
    const double distance = 4 + 2 * double(numbers.uniform());
    for (size_t axis = 0; axis < 3; ++axis) {
      truth.means[3 * i + axis] = float(distance / length * direction[axis]);
      truth.log_scales[3 * i + axis] = std::log(0.14f + 0.12f * numbers.uniform());
      truth.sh[3 * i + axis] = float((numbers.uniform() - 0.5) / splat::math::kSh0);
    }
    for (size_t k = 0; k < 4; ++k) truth.quats[4 * i + k] = numbers.normal();
    truth.logit_opacities[i] = float(splat::math::logit(0.1 + 0.2 * double(numbers.uniform())));
  }
  return truth;
}

struct Pose {
  std::array<double, 4> quaternion;  // wxyz
  Rigid3 cam_from_world;
};

// Somewhere near the origin, turned about a slanted axis, differently for each photo.
Pose pose_of(int index) {
  const double half = 0.35 * index, c = std::cos(half), s = std::sin(half);
  const std::array<double, 4> q{c, 0.36 * s, 0.8 * s, 0.48 * s};
  const auto [w, x, y, z] = q;
  Pose pose{q, {}};
  pose.cam_from_world.rotation = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                                  2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                  2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  pose.cam_from_world.translation = {0.5 * std::sin(2.0 * index), 0.3 * std::cos(3.0 * index), 0.4 * std::sin(index)};
  return pose;
}

// Pictures along the six axes, a little wider than a face of a cube.
class Surroundings {
 public:
  Surroundings(splat::Backend& backend, const Rigid3& cam_from_world) {
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vec forward{}, down{};
        forward[size_t(axis)] = sign;
        down[axis == 1 ? 2 : 1] = 1;
        const Vec right{down[1] * forward[2] - down[2] * forward[1], down[2] * forward[0] - down[0] * forward[2],
                        down[0] * forward[1] - down[1] * forward[0]};
        axes_.push_back({right, down, forward});
        View view{{kSide, kSide, float(kFocal), float(kFocal), 0.5f * kSide, 0.5f * kSide}, {}};
        for (size_t r = 0; r < 3; ++r) {
          for (size_t k = 0; k < 3; ++k)
            view.cam_from_world.translation[r] += axes_.back()[r][k] * cam_from_world.translation[k];
          for (size_t c = 0; c < 3; ++c) {
            view.cam_from_world.rotation[3 * r + c] = 0;
            for (size_t k = 0; k < 3; ++k)
              view.cam_from_world.rotation[3 * r + c] += axes_.back()[r][k] * cam_from_world.rotation[3 * k + c];
          }
        }
        backend.forward(view, {});
        backend.read_image(pictures_.emplace_back());
      }
  }

  // Along a direction in the photo's frame; mixed linearly.
  double colour(const Vec& ray, size_t channel) const {
    size_t best = 0;
    Vec seen{};
    for (size_t i = 0; i < axes_.size(); ++i) {
      Vec p{};
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k) p[r] += axes_[i][r][k] * ray[k];
      if (p[2] > seen[2]) best = i, seen = p;
    }
    const double x = kFocal * seen[0] / seen[2] + 0.5 * kSide - 0.5, y = kFocal * seen[1] / seen[2] + 0.5 * kSide - 0.5;
    const int left = int(std::floor(x)), top = int(std::floor(y));
    const double u = x - left, v = y - top;
    const float* plane = &pictures_[best].rgb[channel * size_t(kSide) * size_t(kSide)];
    const auto at = [&](int column, int row) { return double(plane[size_t(row) * kSide + size_t(column)]); };
    return (1 - v) * ((1 - u) * at(left, top) + u * at(left + 1, top)) +
           v * ((1 - u) * at(left, top + 1) + u * at(left + 1, top + 1));
  }

 private:
  static constexpr int kSide = 512;                  // px
  static constexpr double kFocal = 0.5 * 512 / 1.1;  // px
  std::vector<std::array<Vec, 3>> axes_;             // right, down, forward of each picture
  std::vector<ImageF> pictures_;
};

// By COLMAP's formula; every pixel the mean of 3x3 places in it.
splat::Image8 panorama_of(const Surroundings& around, int width, int height) {
  constexpr double kPi = std::numbers::pi;
  constexpr int kSamples = 3;  // each way
  splat::Image8 photo{width, height, 3, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (int s = 0; s < kSamples * kSamples; ++s) {
          const int column = s % kSamples, row = s / kSamples;
          const double azimuth = ((x + (column + 0.5) / kSamples) / width - 0.5) * 2 * kPi;
          const double elevation = (0.5 - (y + (row + 0.5) / kSamples) / height) * kPi;
          sum += around.colour(
              {std::cos(elevation) * std::sin(azimuth), -std::sin(elevation), std::cos(elevation) * std::cos(azimuth)},
              c);
        }
        photo.pixels.push_back(uint8_t(std::lround(255 * std::clamp(sum / (kSamples * kSamples), 0.0, 1.0))));
      }
  return photo;
}

}  // namespace

PanoramaScene::PanoramaScene() : truth_(make_truth()) {
  auto backend = splat::make_cpu_backend();
  (*backend)->upload(truth_);
  std::ostringstream images, points;
  images.precision(17);
  for (int i = 0; i < kPhotos; ++i) {
    const Pose pose = pose_of(i);
    images << i + 1;
    for (const double value : pose.quaternion) images << ' ' << value;
    for (const double value : pose.cam_from_world.translation) images << ' ' << value;
    images << " 1 " << photo_name(i) << "\n\n";
    const Surroundings around(**backend, pose.cam_from_world);
    write("images/" + photo_name(i), io::encode_png(panorama_of(around, kWidth, kHeight)));
  }
  for (size_t i = 0; i < truth_.size(); ++i) {
    points << i + 1;
    for (size_t c = 0; c < 3; ++c) points << ' ' << truth_.means[3 * i + c];
    for (size_t c = 0; c < 3; ++c)
      points << ' ' << int(255 * std::clamp(0.5 + splat::math::kSh0 * double(truth_.sh[3 * i + c]), 0.0, 1.0));
    points << " 0.5\n";
  }
  const std::string size = std::to_string(kWidth) + " " + std::to_string(kHeight);
  write("sparse/0/cameras.txt", "1 EQUIRECTANGULAR " + size + " " + size + "\n");
  write("sparse/0/images.txt", images.str());
  write("sparse/0/points3D.txt", points.str());
}

}  // namespace app::test
