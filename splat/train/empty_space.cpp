#include "splat/train/empty_space.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "splat/model/gaussian_rows.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

constexpr size_t kMostLookedAt = 100;
constexpr uint8_t kEmptyPhotos = 2;  // photos that show nothing where a splat is

std::vector<int> transparent_views(const Dataset& dataset) {
  std::vector<int> views;
  for (const int view : dataset.training_views())
    if (dataset.views[size_t(view)].transparent) views.push_back(view);
  return views;
}

// A place at the rim of what is shown is none of it yet: points of a reconstruction lie there.
bool is_empty_around(const TrainingImage& photo, const Pixel& pixel) {
  const int x = int(pixel.x), y = int(pixel.y);
  for (int row = std::max(y - 1, 0); row <= std::min(y + 1, photo.height - 1); ++row)
    for (int column = std::max(x - 1, 0); column <= std::min(x + 1, photo.width - 1); ++column) {
      const size_t at = size_t(row) * size_t(photo.width) + size_t(column);
      if (photo.alpha[at] != 0 || !photo.counts(at)) return false;
    }
  return true;
}

struct Sight {
  uint8_t seen = 0, empty = 0;  // photos, up to kEmptyPhotos
};

// Rows that may show something, ascending.
std::vector<uint32_t> rows_to_keep(const std::vector<Sight>& sights) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < sights.size(); ++row)
    if (sights[row].empty == 0 || sights[row].empty < sights[row].seen) rows.push_back(row);
  return rows;
}

}  // namespace

TrainConfig with_background(const Dataset& dataset, TrainConfig config) {
  if (config.background == BackgroundMode::kAuto && transparent_views(dataset).empty())
    config.background = BackgroundMode::kBlack;
  return config;
}

Status leave_empty_space(const Dataset& dataset, ImageSource& images, ThreadPool& pool, InitialModel& initial) {
  if (dataset.points.size() > 0) return {};
  const std::vector<int> all = transparent_views(dataset);
  const size_t photos = std::min(all.size(), kMostLookedAt);
  std::vector<int> views;
  for (size_t i = 0; i < photos; ++i) views.push_back(all[i * all.size() / photos]);
  std::vector<Sight> sights(initial.splats.size());
  images.prefetch(views);
  for (const int index : views) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(index));
    if (photo->alpha.empty()) continue;
    const View view = dataset.views[size_t(index)].view();
    pool.for_each(sights.size(), [&](size_t row, int) {
      const float* mean = &initial.splats.means[3 * row];
      const auto pixel = pixel_in_frame(view, {mean[0], mean[1], mean[2]});
      Sight& sight = sights[row];
      if (!pixel || sight.empty == kEmptyPhotos) return;
      if (sight.seen < kEmptyPhotos) ++sight.seen;
      sight.empty = uint8_t(sight.empty + is_empty_around(*photo, *pixel));
    });
  }
  const std::vector<uint32_t> rows = rows_to_keep(sights);
  const size_t empty = sights.size() - rows.size();
  if (empty == 0 || rows.empty()) return {};
  initial.splats = gather_rows(initial.splats, rows);
  initial.notes.push_back(std::to_string(empty) + " of them are left out, where photos show that nothing is.");
  return {};
}

}  // namespace splat
