#include "app/jobs/mesh/mesh_pictures.h"

#include <algorithm>
#include <utility>

#include "mesh/picture_place.h"

namespace app {
namespace {

constexpr float kEmpty = 0.9f;    // transmittance: more than a gap between splats
constexpr float kCovered = 0.5f;  // transmittance below which a median depth is

}  // namespace

const splat::TrainingImage* MeshPictures::photo(int index) {
  if (index < 0 || photos_ == nullptr) return nullptr;
  const auto taken = photos_->get(index);
  if (taken) return *taken;
  if (problem_.empty()) problem_ = taken.error().message;
  return nullptr;
}

void MeshPictures::read_depth(int index, mesh::DepthMap& map) {
  backend_.forward(map.view, look_);
  backend_.read_depth(splat::DepthKind::kMedian, map.depth);
  backend_.read_transmittance(transmittance_);
  std::vector<uint8_t> empty(transmittance_.size());
  for (size_t p = 0; p < empty.size(); ++p) empty[p] = transmittance_[p] > kEmpty;
  if (const splat::TrainingImage* taken = photo(index); taken && !taken->alpha.empty())
    for (size_t p = 0; p < empty.size(); ++p) empty[p] |= uint8_t(taken->counts(p) && taken->alpha[p] == 0);
  mesh::mark_empty(map, empty);
}

std::vector<uint8_t> MeshPictures::shown(int index) {
  std::vector<uint8_t> shown;
  const splat::TrainingImage* taken = photo(index);
  if (!taken || (taken->mask.empty() && taken->alpha.empty())) return shown;
  for (size_t p = 0; p < taken->rgb.size() / 3; ++p) shown.push_back(taken->shows(p));
  return shown;
}

splat::ImageF MeshPictures::colours(const splat::View& view, int index) {
  const size_t pixels = size_t(view.camera.width) * size_t(view.camera.height);
  image_ = {view.camera.width, view.camera.height, std::vector<float>(3 * pixels)};
  known_.assign(pixels, 0);
  if (const splat::TrainingImage* taken = photo(index)) take_photo(*taken);
  if (std::find(known_.begin(), known_.end(), 0) != known_.end()) {
    add_splats(view);
    mesh::spread_colours(image_, known_);
  }
  return std::move(image_);
}

// Without the background that it is laid over.
void MeshPictures::take_photo(const splat::TrainingImage& photo) {
  const size_t pixels = known_.size();
  for (size_t p = 0; p < pixels; ++p) {
    known_[p] = photo.shows(p);
    const float alpha = photo.alpha.empty() ? 1 : float(photo.alpha[p]) / 255;
    for (size_t c = 0; known_[p] && c < 3; ++c)
      image_.rgb[c * pixels + p] = (float(photo.rgb[c * pixels + p]) / 255 - (1 - alpha) * photo.background[c]) / alpha;
  }
}

void MeshPictures::add_splats(const splat::View& view) {
  backend_.forward(view, look_);
  backend_.read_image(drawn_);
  backend_.read_transmittance(transmittance_);
  const size_t pixels = known_.size();
  for (size_t p = 0; p < pixels; ++p) {
    const float through = transmittance_[p];
    if (known_[p] || through > kCovered) continue;
    known_[p] = 1;
    for (size_t c = 0; c < 3; ++c)
      image_.rgb[c * pixels + p] = (drawn_.rgb[c * pixels + p] - through * look_.background[c]) / (1 - through);
  }
}

}  // namespace app
