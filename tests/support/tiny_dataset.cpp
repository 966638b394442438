#include "tests/support/tiny_dataset.h"

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"

namespace splat::test {
namespace {

constexpr double kRadius = 4;  // of the camera ring, world units

Gaussians make_truth(const TinyOptions& options) {
  random::Sequence numbers(options.seed, random::kTest);
  Gaussians truth;
  truth.sh_degree = 1;
  truth.resize(size_t(options.splats));
  for (size_t i = 0; i < truth.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      truth.means[3 * i + axis] = 2 * numbers.uniform() - 1;
      truth.log_scales[3 * i + axis] = std::log(0.08f + 0.25f * numbers.uniform());
    }
    for (size_t k = 0; k < 4; ++k) truth.quats[4 * i + k] = numbers.normal();
    truth.logit_opacities[i] = float(math::logit(0.5 + 0.49 * double(numbers.uniform())));
    for (size_t c = 0; c < 3; ++c) truth.sh[12 * i + c] = float((numbers.uniform() - 0.5) / math::kSh0);
    for (size_t c = 3; c < 12; ++c) truth.sh[12 * i + c] = 0.1f * numbers.normal();
  }
  return truth;
}

DatasetView ring_view(const TinyOptions& options, int index) {
  const double angle = 2 * 3.141592653589793 * index / options.views, c = std::cos(angle), s = std::sin(angle);
  const double height = 0.7 * std::sin(2.5 * index);
  DatasetView view;
  view.name = "photo_" + std::to_string(100 + index) + ".png";
  view.camera = {options.width,
                 options.height,
                 1.2f * float(options.width),
                 1.2f * float(options.width),
                 0.5f * float(options.width),
                 0.5f * float(options.height)};
  view.cam_from_world.rotation = {-s, 0, c, 0, 1, 0, -c, 0, -s};  // looks along (-c, 0, -s), y down
  view.cam_from_world.translation = {0, -height, kRadius};
  view.held_out = index % 5 == 0;
  return view;
}

PointCloud points_around(const Gaussians& truth, const TinyOptions& options) {
  random::Sequence numbers(options.seed + 1000, random::kTest);
  PointCloud points;
  for (size_t i = 0; i < truth.size(); ++i)
    for (int k = 0; k < options.points_per_splat; ++k)
      for (size_t axis = 0; axis < 3; ++axis) {
        const float spread = 0.6f * std::exp(truth.log_scales[3 * i + axis]);
        points.xyz.push_back(truth.means[3 * i + axis] + (k == 0 ? 0 : spread * numbers.normal()));
        const double colour = 0.5 + math::kSh0 * double(truth.sh[12 * i + axis]) + 0.1 * double(numbers.normal());
        points.rgb.push_back(uint8_t(255 * std::clamp(colour, 0.0, 1.0)));
      }
  return points;
}

TrainingImage photograph(Backend& backend, const DatasetView& view) {
  backend.forward(view.view(), {});
  ImageF picture;
  backend.read_image(picture);
  TrainingImage photo{picture.width, picture.height, {}, {}};
  for (float value : picture.rgb) photo.rgb.push_back(uint8_t(std::lround(255 * std::clamp(value, 0.0f, 1.0f))));
  return photo;
}

}  // namespace

TinyDataset make_tiny_dataset(const TinyOptions& options) {
  TinyDataset tiny;
  tiny.truth = make_truth(options);
  tiny.dataset.root = "tiny";
  tiny.dataset.format = "made up";
  tiny.dataset.points = points_around(tiny.truth, options);
  const std::unique_ptr<Backend> camera = make_reference_backend();
  camera->upload(tiny.truth);
  for (int i = 0; i < options.views; ++i) {
    tiny.dataset.views.push_back(ring_view(options, i));
    tiny.images.photos.push_back(photograph(*camera, tiny.dataset.views.back()));
  }
  TrainingImage& last = tiny.images.photos.back();
  last.mask.assign(size_t(last.width) * size_t(last.height), 255);
  for (size_t p = 0; p < size_t(last.width) * 6; ++p) {  // the top six rows do not count and hold rubbish
    last.mask[p] = 0;
    for (size_t c = 0; c < 3; ++c) last.rgb[c * last.mask.size() + p] = 200;
  }
  return tiny;
}

}  // namespace splat::test
