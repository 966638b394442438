#include "io/dataset/panorama.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/core/check.h"
#include "splat/math/equirectangular.h"
#include "splat/model/camera_models.h"

namespace io {

using splat::DatasetView, splat::Error, splat::Image8, splat::PinholeCamera, splat::Rigid3, splat::Status;
using splat::TrainingImage, splat::math::Vec2, splat::math::Vec3;

namespace {

// Rows: the face's x (right), y (down) and z (forward) in the photo's axes.
constexpr std::array<PanoramaFace, 6> kFaces{{
    {"front", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {"right", {0, 0, -1, 0, 1, 0, 1, 0, 0}},
    {"back", {-1, 0, 0, 0, 1, 0, 0, 0, -1}},
    {"left", {0, 0, 1, 0, 1, 0, -1, 0, 0}},
    {"up", {1, 0, 0, 0, 0, 1, 0, -1, 0}},
    {"down", {1, 0, 0, 0, 0, -1, 0, 1, 0}},
}};

Rigid3 turned(const std::array<double, 9>& rotation, const Rigid3& cam_from_world) {
  Rigid3 result;
  for (size_t r = 0; r < 3; ++r) {
    result.translation[r] = 0;
    for (size_t k = 0; k < 3; ++k) result.translation[r] += rotation[3 * r + k] * cam_from_world.translation[k];
    for (size_t c = 0; c < 3; ++c) {
      result.rotation[3 * r + c] = 0;
      for (size_t k = 0; k < 3; ++k)
        result.rotation[3 * r + c] += rotation[3 * r + k] * cam_from_world.rotation[3 * k + c];
    }
  }
  return result;
}

// The part of the photo that one pixel of a face sees: a box of at least one pixel, so that its mean is the linear
// mix of four pixels where the photo is coarser than the face.
struct Box {
  double x, y;           // px, its middle
  double width, height;  // px
};

Box box_at(const Image8& photo, const PanoramaFace& face, const PinholeCamera& camera, double u, double v) {
  const std::array<double, 9>& r = face.face_from_photo;
  const Vec3<double> right{r[0], r[1], r[2]}, down{r[3], r[4], r[5]}, forward{r[6], r[7], r[8]};
  const Vec3<double> ray = u * right + v * down + forward;
  const Vec2<double> position = splat::math::equirectangular_from_ray(ray);
  const splat::math::EquirectangularGradients gradients = splat::math::equirectangular_gradients(ray);
  const auto extent = [&](const Vec3<double>& gradient, int side) {
    const double by_column = dot(gradient, right) / camera.fx, by_row = dot(gradient, down) / camera.fy;
    return std::clamp(side * std::sqrt(by_column * by_column + by_row * by_row), 1.0, double(side));
  };
  return {position.x * photo.width, position.y * photo.height, extent(gradients.x, photo.width),
          extent(gradients.y, photo.height)};
}

// Sums of the values, times the area of each within the box. `Channels` of `pixels` are interleaved.
template <int kChannels>
void add_box(const uint8_t* pixels, int width, int height, const Box& box, std::array<float, kChannels>& sums) {
  const double top = box.y - 0.5 * box.height, bottom = box.y + 0.5 * box.height;
  for (int y = int(std::floor(top)); y < bottom; ++y) {
    const float row_weight = float(std::min(bottom, y + 1.0) - std::max(top, double(y)));
    const bool over_pole = y < 0 || y >= height;  // goes on there half a turn away
    const int row = std::clamp(y < 0 ? -1 - y : y >= height ? 2 * height - 1 - y : y, 0, height - 1);
    const double left = box.x - 0.5 * box.width + (over_pole ? 0.5 * width : 0), right = left + box.width;
    const uint8_t* first = pixels + size_t(row) * size_t(width) * kChannels;
    for (int x = int(std::floor(left)); x < right; ++x) {
      const float weight = row_weight * float(std::min(right, x + 1.0) - std::max(left, double(x)));
      const int column = x < 0 ? x + width : x >= width ? x - width : x;
      const uint8_t* pixel = first + size_t(column) * kChannels;
      for (size_t c = 0; c < kChannels; ++c) sums[c] += weight * float(pixel[c]);
    }
  }
}

// The mean of a plane of the photo's size.
float mean_of(const std::vector<uint8_t>& plane, const Image8& picture, const Box& box) {
  std::array<float, 1> sum{};
  add_box<1>(plane.data(), picture.width, picture.height, box, sum);
  return sum[0] / float(box.width * box.height);
}

template <int kChannels>
void cut(const SourcePhoto& photo, const PanoramaFace& face, const PinholeCamera& camera, TrainingImage& result) {
  const Image8& picture = photo.picture;
  const size_t pixels = size_t(camera.width) * size_t(camera.height);
  for (int row = 0; row < camera.height; ++row)
    for (int column = 0; column < camera.width; ++column) {
      const Box box =
          box_at(picture, face, camera, (column + 0.5 - camera.cx) / camera.fx, (row + 0.5 - camera.cy) / camera.fy);
      const float area = float(box.width * box.height);
      const size_t i = size_t(row) * size_t(camera.width) + size_t(column);
      std::array<float, kChannels> colour{};
      add_box<kChannels>(picture.pixels.data(), picture.width, picture.height, box, colour);
      for (size_t c = 0; c < 3; ++c)
        result.rgb[c * pixels + i] = uint8_t(std::min(255.0f, colour[kChannels == 3 ? c : 0] / area + 0.5f));
      if (!photo.keep.empty()) result.mask[i] = mean_of(photo.keep, picture, box) >= 128 ? 255 : 0;
      if (!photo.alpha.empty()) result.alpha[i] = uint8_t(std::min(255.0f, mean_of(photo.alpha, picture, box) + 0.5f));
    }
}

}  // namespace

std::span<const PanoramaFace> panorama_faces() { return kFaces; }

std::string face_name(const std::string& photo, const PanoramaFace& face) {
  const size_t slash = photo.rfind('/'), dot = photo.rfind('.');
  const size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const size_t end = dot == std::string::npos || dot <= begin ? photo.size() : dot;
  return photo.substr(0, end) + "." + std::string(face.name) + photo.substr(end);
}

int panorama_face_side(int width) { return std::max(1, int(std::lround(width / std::numbers::pi))); }

PinholeCamera panorama_face_camera(int side) {
  const float half = 0.5f * float(side);
  return {side, side, half, half, half, half};
}

Status split_panoramas(std::vector<DatasetView>& views) {
  std::vector<DatasetView> split;
  for (DatasetView& view : views) {
    if (!camera_model_info(view.source.model).is_panorama()) {
      split.push_back(std::move(view));
      continue;
    }
    for (size_t i = 0; i < kFaces.size(); ++i) {
      DatasetView face = view;
      face.photo = view.name;
      face.name = face_name(view.name, kFaces[i]);
      face.panorama_face = int(i);
      face.cam_from_world = turned(kFaces[i].face_from_photo, view.cam_from_world);
      split.push_back(std::move(face));
    }
  }
  views = std::move(split);
  std::sort(views.begin(), views.end(), [](const DatasetView& a, const DatasetView& b) { return a.name < b.name; });
  for (size_t i = 1; i < views.size(); ++i)
    if (views[i].name == views[i - 1].name)
      return Error{"the photos '" + views[i - 1].photo_name() + "' and '" + views[i].photo_name() +
                   "' would both have a view '" + views[i].name + "': rename one of them"};
  return {};
}

TrainingImage cut_panorama_face(const SourcePhoto& photo, const PanoramaFace& face, const PinholeCamera& camera) {
  const Image8& picture = photo.picture;
  SPLAT_CHECK(picture.channels == 1 || picture.channels == 3);
  const size_t pixels = size_t(camera.width) * size_t(camera.height);
  for (const std::vector<uint8_t>* plane : {&photo.keep, &photo.alpha})
    SPLAT_CHECK(plane->empty() || plane->size() == size_t(picture.width) * size_t(picture.height));
  TrainingImage result{camera.width, camera.height, std::vector<uint8_t>(3 * pixels),
                       std::vector<uint8_t>(photo.keep.empty() ? 0 : pixels)};
  result.alpha.resize(photo.alpha.empty() ? 0 : pixels);
  if (picture.channels == 3)
    cut<3>(photo, face, camera, result);
  else
    cut<1>(photo, face, camera, result);
  if (std::find(result.mask.begin(), result.mask.end(), 0) == result.mask.end()) result.mask.clear();
  return result;
}

}  // namespace io
