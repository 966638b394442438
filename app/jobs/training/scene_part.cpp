#include "app/jobs/training/scene_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/jobs/training/masked_photos.h"
#include "splat/blocks/shares.h"

namespace app {

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

std::unique_ptr<splat::ImageSource> photos_of_part(const ScenePart& part, splat::Backend& backend,
                                                   const splat::Dataset& dataset,
                                                   std::unique_ptr<splat::ImageSource> photos) {
  auto masks = splat::blocks::measure_masks(backend, dataset, part.start, part.fixed);
  const auto mask_out = [masks = std::move(masks)](int view, int width, int height, std::vector<uint8_t>& counts) {
    const splat::blocks::ShareMask& mask = masks[size_t(view)];
    for (size_t y = 0; y < size_t(height); ++y) {
      const uint8_t* row = &mask.counts[y * size_t(mask.height) / size_t(height) * size_t(mask.width)];
      for (size_t x = 0; x < size_t(width); ++x)
        if (row[x * size_t(mask.width) / size_t(width)] == 0) counts[y * size_t(width) + x] = 0;
    }
  };
  return masked_photos(std::move(photos), mask_out);
}

}  // namespace app
