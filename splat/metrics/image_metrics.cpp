#include "splat/metrics/image_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/parallel.h"
#include "splat/math/constants.h"
#include "splat/math/ssim.h"
#include "splat/metrics/quantised.h"

namespace splat {
namespace {

constexpr int kChannels = 3;
constexpr int kReach = math::kSsimWindow / 2;  // px

// What was compared in one row of one channel.
struct RowSums {
  double squared_error = 0;
  double ssim = 0;
  size_t counted = 0;
};

// Both pictures as doubles in [0,1]. Where pixels do not count the render is the photo, as in the training loss: they
// add no difference to the windows that reach them.
struct Plane {
  std::vector<double> render, photo;  // [H,W]
};

Plane make_plane(const ImageF& render, const TrainingImage& photo, size_t channel) {
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  Plane plane{std::vector<double>(pixels), std::vector<double>(pixels)};
  for (size_t p = 0; p < pixels; ++p) {
    plane.photo[p] = photo.rgb[channel * pixels + p] / 255.0;
    plane.render[p] = photo.counts(p) ? quantised(render.rgb[channel * pixels + p]) : plane.photo[p];
  }
  return plane;
}

// The five moments along the columns around row y, zero beyond the picture and for kReach pixels on either side.
using MomentRows = std::array<std::vector<double>, 5>;  // [5][W + 2 kReach] in the order of SsimMoments

void vertical_moments(const Plane& plane, int width, int height, int y, std::span<const double> window,
                      MomentRows& rows) {
  for (auto& row : rows) row.assign(size_t(width) + 2 * kReach, 0.0);
  for (int k = 0; k < math::kSsimWindow; ++k) {
    const int source = y + k - kReach;
    if (source < 0 || source >= height) continue;
    const double* render = &plane.render[size_t(source) * size_t(width)];
    const double* photo = &plane.photo[size_t(source) * size_t(width)];
    for (int x = 0; x < width; ++x) {
      const double a = render[x], b = photo[x], w = window[size_t(k)];
      const size_t to = size_t(x + kReach);
      rows[0][to] += w * a;
      rows[1][to] += w * b;
      rows[2][to] += w * a * a;
      rows[3][to] += w * b * b;
      rows[4][to] += w * a * b;
    }
  }
}

double ssim_at(const MomentRows& rows, int x, std::span<const double> window) {
  double m[5] = {};
  for (size_t i = 0; i < 5; ++i)
    for (size_t k = 0; k < window.size(); ++k) m[i] += window[k] * rows[i][size_t(x) + k];
  return math::ssim(math::SsimMoments<double>{m[0], m[1], m[2], m[3], m[4]});
}

}  // namespace

double psnr_of(double mean_squared_error) {
  return std::min(-10 * std::log10(mean_squared_error), kMaxPsnr);  // of no error: infinite
}

ImageMetrics image_metrics(const ImageF& render, const TrainingImage& photo, ThreadPool* pool) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  const int width = photo.width, height = photo.height;
  double window[math::kSsimWindow];
  math::ssim_window(window);

  std::vector<RowSums> sums(size_t(height) * kChannels);
  for (size_t channel = 0; channel < kChannels; ++channel) {
    const Plane plane = make_plane(render, photo, channel);
    for_each(pool, size_t(height), [&](size_t y, int) {
      MomentRows moments;
      vertical_moments(plane, width, height, int(y), window, moments);
      RowSums& sum = sums[channel * size_t(height) + y];
      for (int x = 0; x < width; ++x) {
        const size_t p = y * size_t(width) + size_t(x);
        if (!photo.counts(p)) continue;
        const double difference = plane.render[p] - plane.photo[p];
        sum.squared_error += difference * difference;
        sum.ssim += ssim_at(moments, x, window);
        ++sum.counted;
      }
    });
  }

  RowSums total;
  for (const RowSums& sum : sums) {
    total.squared_error += sum.squared_error;
    total.ssim += sum.ssim;
    total.counted += sum.counted;
  }
  if (total.counted == 0) return {kMaxPsnr, 1};
  return {psnr_of(total.squared_error / double(total.counted)), total.ssim / double(total.counted)};
}

double image_psnr(const ImageF& render, const TrainingImage& photo) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  const size_t width = size_t(photo.width), pixels = width * size_t(photo.height);
  double squared_error = 0;
  size_t counted = 0;
  for (size_t channel = 0; channel < kChannels; ++channel)
    for (size_t first = 0; first < pixels; first += width) {  // summed as above, for the same bits
      double row = 0;
      for (size_t p = first; p < first + width; ++p) {
        if (!photo.counts(p)) continue;
        const double difference = difference_at(render, photo, channel * pixels + p);
        row += difference * difference;
        ++counted;
      }
      squared_error += row;
    }
  return counted == 0 ? kMaxPsnr : psnr_of(squared_error / double(counted));
}

}  // namespace splat
