#include "app/run/scene_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "splat/blocks/shares.h"

namespace app {
namespace {

class MaskedPhotos : public splat::ImageSource {
 public:
  MaskedPhotos(std::unique_ptr<splat::ImageSource> photos, std::vector<splat::blocks::ShareMask> masks)
      : photos_(std::move(photos)), masks_(std::move(masks)) {}

  splat::Result<const splat::TrainingImage*> get(int view) override {
    SPLAT_ASSIGN_OR_RETURN(const splat::TrainingImage* photo, photos_->get(view));
    const splat::blocks::ShareMask& mask = masks_[size_t(view)];
    if (std::find(mask.counts.begin(), mask.counts.end(), 0) == mask.counts.end()) return photo;
    masked_ = *photo;
    const size_t width = size_t(photo->width), height = size_t(photo->height);
    if (masked_.mask.empty()) masked_.mask.assign(width * height, 255);
    for (size_t y = 0; y < height; ++y) {
      const uint8_t* row = &mask.counts[y * size_t(mask.height) / height * size_t(mask.width)];
      for (size_t x = 0; x < width; ++x)
        if (row[x * size_t(mask.width) / width] == 0) forget(y * width + x);
    }
    return &masked_;
  }
  void prefetch(std::span<const int> upcoming) override { photos_->prefetch(upcoming); }

 private:
  void forget(size_t pixel) {
    masked_.mask[pixel] = 0;
    if (!masked_.depth.empty()) masked_.depth[pixel] = 0;
  }

  std::unique_ptr<splat::ImageSource> photos_;
  std::vector<splat::blocks::ShareMask> masks_;  // by view
  splat::TrainingImage masked_;
};

}  // namespace

splat::Status keep_views_of(const ScenePart& part, splat::Dataset& dataset) {
  std::vector<splat::DatasetView> kept;
  for (splat::DatasetView& view : dataset.views)
    if (std::binary_search(part.views.begin(), part.views.end(), view.name)) kept.push_back(std::move(view));
  dataset.views = std::move(kept);
  dataset.points = {};
  if (dataset.views.size() == part.views.size()) return {};
  return splat::Error{fmt::format("'{}' has {} of the {} photos of this block: it is not the dataset of the plan",
                                  dataset.root.string(), dataset.views.size(), part.views.size())};
}

std::vector<splat::PhotoColour> held_colours(const ScenePart& part, const splat::Dataset& dataset) {
  if (part.colours.empty()) return {};
  std::map<std::string, splat::PhotoColour> by_name;
  for (const ScenePart::Colour& colour : part.colours) by_name[colour.view] = colour.colour;
  std::vector<splat::PhotoColour> colours;
  for (const splat::DatasetView& view : dataset.views) colours.push_back(by_name[view.name]);
  return colours;
}

std::unique_ptr<splat::ImageSource> masked_photos(const ScenePart& part, splat::Backend& backend,
                                                  const splat::Dataset& dataset,
                                                  std::unique_ptr<splat::ImageSource> photos) {
  auto masks = splat::blocks::measure_masks(backend, dataset, part.start, part.fixed);
  return std::make_unique<MaskedPhotos>(std::move(photos), std::move(masks));
}

}  // namespace app
