#include "splat/densify/veil_rows.h"

#include <algorithm>
#include <optional>

#include "splat/core/percentile.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

std::optional<Pixel> pixel_of_row(const View& view, const Ellipsoids& model, size_t row) {
  const float* mean = &model.means[3 * row];
  return pixel_in_frame(view, {mean[0], mean[1], mean[2]});
}

// What is known of a row: views that have it in frame, whether it is near in one, and whether one shows it where
// things are.
struct Sighting {
  uint32_t views = 0;
  bool near = false, stands_on_something = false;
};

// The median depth of the rows in frame, which are counted; none: 0.
double count_in_frame(const View& view, const Ellipsoids& model, std::vector<Sighting>& sightings) {
  std::vector<double> depths;
  for (size_t row = 0; row < model.size(); ++row)
    if (const auto pixel = pixel_of_row(view, model, row)) {
      ++sightings[row].views;
      depths.push_back(pixel->depth);
    }
  return median(std::move(depths));
}

}  // namespace

std::vector<uint32_t> veil_rows(Backend& backend, std::span<const View> views, const RenderSettings& settings,
                                size_t most_views) {
  Ellipsoids model;
  backend.download_ellipsoids(model);
  std::vector<Sighting> sightings(model.size());
  std::vector<double> middle;  // of each view
  for (const View& view : views) middle.push_back(count_in_frame(view, model, sightings));

  std::vector<uint32_t> rows;
  for (size_t row = 0; row < model.size(); ++row)
    if (sightings[row].views > 0 && sightings[row].views <= most_views) rows.push_back(uint32_t(row));
  for (size_t i = 0; i < views.size(); ++i)
    for (const uint32_t row : rows)
      if (const auto pixel = pixel_of_row(views[i], model, row); pixel && pixel->depth < middle[i])
        sightings[row].near = true;
  std::erase_if(rows, [&](uint32_t row) { return !sightings[row].near; });

  std::vector<float> depth;
  for (const View& view : views) {
    bool drawn = false;
    for (const uint32_t row : rows) {
      if (sightings[row].stands_on_something) continue;
      const auto pixel = pixel_of_row(view, model, row);
      if (!pixel) continue;
      if (!drawn) {
        backend.forward(view, settings);
        backend.read_depth(DepthKind::kMedian, depth);
        drawn = true;
      }
      const double there = double(depth[size_t(pixel->y) * size_t(view.camera.width) + size_t(pixel->x)]);
      sightings[row].stands_on_something = !(pixel->depth < kVeilDepth * there);
    }
  }
  std::erase_if(rows, [&](uint32_t row) { return sightings[row].stands_on_something; });
  return rows;
}

}  // namespace splat
