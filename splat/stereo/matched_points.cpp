#include "splat/stereo/matched_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "splat/model/brightness.h"
#include "splat/model/coarse_view.h"
#include "splat/model/pixel.h"
#include "splat/stereo/overlap.h"
#include "splat/stereo/plane_sweep.h"

namespace splat::stereo {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kMostKnown = 50000;  // of the dataset's points that cover squares, evenly spread
constexpr int kSmallestSide = 2 * kSweepSquare;
constexpr size_t kPhotoBytes = 15;  // a pixel: Photo
constexpr size_t kSquareBytes = 4;  // a pixel: Squares with a point or two each, and the best pixels
constexpr size_t kSweepBytes = 48;  // a pixel: sweep_planes() beside its result

struct Photo {
  GreyPhoto grey;
  std::vector<uint8_t> rgb;  // [3,H,W]
  Overlap overlap;
  SweptDepths depths;

  const View& view() const { return grey.view; }
  int width() const { return grey.view.camera.width; }
  int height() const { return grey.view.camera.height; }
  size_t at(int x, int y) const { return size_t(y) * size_t(width()) + size_t(x); }
};

std::vector<int> chosen_views(const Dataset& dataset, const MatchSettings& settings) {
  const std::vector<int> views = dataset.training_views();
  const size_t count = std::min(settings.most_photos, views.size());
  std::vector<int> chosen;
  for (size_t i = 0; i < count; ++i) chosen.push_back(views[i * views.size() / count]);
  return chosen;
}

int divisor_of(int width, int height, const MatchSettings& settings) {
  return (std::max(width, height) + settings.side - 1) / settings.side;
}

// Empty where there is no need to look: all of them.
std::vector<uint8_t> shown_pixels(const TrainingImage& photo) {
  if (photo.alpha.empty()) return photo.mask;
  std::vector<uint8_t> shown(photo.alpha.size());
  for (size_t pixel = 0; pixel < shown.size(); ++pixel) shown[pixel] = photo.shows(pixel) ? 255 : 0;
  return shown;
}

Result<std::vector<Photo>> small_photos(const Dataset& dataset, ImageSource& images, const MatchSettings& settings,
                                        ThreadPool& pool) {
  const std::vector<int> chosen = chosen_views(dataset, settings);
  images.prefetch(chosen);
  std::vector<Photo> photos;
  CoarseView coarse;
  for (const int view : chosen) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(view));
    coarse.make(dataset.views[size_t(view)].view(), *photo, divisor_of(photo->width, photo->height, settings), pool);
    const TrainingImage& small = coarse.photo();
    if (std::min(small.width, small.height) < kSmallestSide) continue;
    const std::vector<uint8_t> grey = brightness(small);
    photos.push_back({{coarse.view(), {grey.begin(), grey.end()}, shown_pixels(small)}, small.rgb, {}, {}});
  }
  return photos;
}

Status find_depths(std::vector<Photo>& photos, std::span<const Point> known, ThreadPool& pool) {
  SPLAT_ASSIGN_OR_RETURN(const cpu::SimdLevel level, cpu::choose_simd_level(cpu::SimdLevel::kAuto));
  const SweepPlane sweep_plane = sweep_plane_of(level);
  std::vector<View> views;
  for (const Photo& photo : photos) views.push_back(photo.view());
  std::vector<Overlap> all = overlaps(views, known, kMatchedOthers, pool);
  for (size_t i = 0; i < photos.size(); ++i) photos[i].overlap = std::move(all[i]);
  pool.for_each(photos.size(), [&](size_t i, int) {
    Photo& photo = photos[i];
    std::vector<const GreyPhoto*> others;
    for (const size_t other : photo.overlap.others) others.push_back(&photos[other].grey);
    if (!others.empty())
      photo.depths = sweep_planes(photo.grey, others, photo.overlap.near, photo.overlap.far, sweep_plane);
  });
  return {};
}

// The depths of points in the squares of a photo.
class Squares {
 public:
  explicit Squares(const View& view)
      : view_(view),
        columns_(size_t((view.camera.width + kMatchedCell - 1) / kMatchedCell)),
        depths_(columns_ * size_t((view.camera.height + kMatchedCell - 1) / kMatchedCell)) {}

  size_t size() const { return depths_.size(); }
  size_t of(double x, double y) const { return size_t(y / kMatchedCell) * columns_ + size_t(x / kMatchedCell); }
  void add(const Point& point) {
    if (const auto pixel = pixel_in_frame(view_, point)) depths_[of(pixel->x, pixel->y)].push_back(float(pixel->depth));
  }
  bool covered(size_t square, double depth) const {
    return std::any_of(depths_[square].begin(), depths_[square].end(),
                       [&](float known) { return std::abs(double(known) - depth) < kSameDepth * depth; });
  }

 private:
  View view_;
  size_t columns_;
  std::vector<std::vector<float>> depths_;
};

Point point_of(const Photo& photo, int x, int y) {
  return point_at(photo.view(), {x + 0.5, y + 0.5, 1 / double(photo.depths.inverse[photo.at(x, y)])});
}

bool another_agrees(const std::vector<Photo>& photos, const Photo& photo, const Point& point) {
  return std::any_of(photo.overlap.others.begin(), photo.overlap.others.end(), [&](size_t index) {
    const Photo& other = photos[index];
    const auto pixel = pixel_in_frame(other.view(), point);
    if (other.depths.inverse.empty() || !pixel) return false;
    const float inverse = other.depths.inverse[other.at(int(pixel->x), int(pixel->y))];
    return inverse > 0 && std::abs(1 / pixel->depth - double(inverse)) < kAgreeingSteps * other.depths.step;
  });
}

// The pixel of each square that looks most alike in the other photos and where one of them agrees; -1: none.
std::vector<int> best_pixels(const std::vector<Photo>& photos, const Photo& photo, const Squares& squares) {
  std::vector<int> best(squares.size(), -1);
  for (int y = 0; y < photo.height(); ++y)
    for (int x = 0; x < photo.width(); ++x) {
      const size_t at = photo.at(x, y);
      int& present = best[squares.of(x, y)];
      if (photo.depths.inverse[at] == 0) continue;
      if (present >= 0 && photo.depths.score[size_t(present)] >= photo.depths.score[at]) continue;
      if (another_agrees(photos, photo, point_of(photo, x, y))) present = int(at);
    }
  return best;
}

PointCloud spread(const PointCloud& points, size_t most) {
  if (points.size() <= most) return points;
  PointCloud some;
  for (size_t i = 0; i < most; ++i) {
    const size_t at = 3 * (i * points.size() / most);
    some.xyz.insert(some.xyz.end(), &points.xyz[at], &points.xyz[at] + 3);
    some.rgb.insert(some.rgb.end(), &points.rgb[at], &points.rgb[at] + 3);
  }
  return some;
}

}  // namespace

Result<PointCloud> matched_points(const Dataset& dataset, ImageSource& images, const MatchSettings& settings,
                                  ThreadPool& pool, const PointCloud& guessed) {
  PointCloud added;
  if (chosen_views(dataset, settings).empty()) return added;
  SPLAT_ASSIGN_OR_RETURN(std::vector<Photo> photos, small_photos(dataset, images, settings, pool));
  const std::vector<Point> known = some_points(dataset.points, kMostKnown);
  SPLAT_TRY(find_depths(photos, known.empty() ? some_points(guessed, kMostKnown) : known, pool));

  std::vector<Squares> squares;
  for (const Photo& photo : photos) squares.emplace_back(photo.view());
  std::vector<std::vector<int>> best(photos.size());
  pool.for_each(photos.size(), [&](size_t i, int) {
    for (const Point& point : known) squares[i].add(point);
    if (!photos[i].depths.inverse.empty()) best[i] = best_pixels(photos, photos[i], squares[i]);
  });
  for (size_t i = 0; i < photos.size(); ++i) {
    pool.end_if_asked();
    for (size_t square = 0; square < best[i].size(); ++square) {
      if (best[i][square] < 0) continue;
      const Photo& photo = photos[i];
      const size_t at = size_t(best[i][square]);
      if (squares[i].covered(square, 1 / double(photo.depths.inverse[at]))) continue;
      const Point point = point_of(photo, int(at) % photo.width(), int(at) / photo.width());
      for (Squares& of : squares) of.add(point);
      for (size_t axis = 0; axis < 3; ++axis) {
        added.xyz.push_back(float(point[axis]));
        added.rgb.push_back(photo.rgb[axis * photo.grey.grey.size() + at]);
      }
    }
  }
  return spread(added, settings.most_points);
}

size_t matching_bytes(const Dataset& dataset, const MatchSettings& settings, int threads) {
  const std::vector<int> chosen = chosen_views(dataset, settings);
  size_t pixels = 0, largest = 0;
  for (const int view : chosen) {
    const PinholeCamera& camera = dataset.views[size_t(view)].camera;
    const int divisor = divisor_of(camera.width, camera.height, settings);
    const size_t here = size_t(camera.width / divisor) * size_t(camera.height / divisor);
    pixels += here;
    largest = std::max(largest, here);
  }
  if (pixels == 0) return 0;
  const size_t sweeps = std::min(size_t(threads > 0 ? threads : available_cores()), chosen.size());
  return pixels * kPhotoBytes + std::max(pixels * kSquareBytes, sweeps * largest * kSweepBytes) +
         std::min(dataset.points.size(), kMostKnown) * sizeof(Point);
}

}  // namespace splat::stereo
