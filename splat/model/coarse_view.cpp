#include "splat/model/coarse_view.h"

#include <algorithm>
#include <numeric>

#include "splat/model/resized_camera.h"

namespace splat {
namespace {

struct Squares {
  int divisor, source_width, width;  // width: of the coarse picture
};

constexpr int kMostAdded = UINT16_MAX / UINT8_MAX;  // bytes that 16 bits hold the sum of

// One row of means of squares of a plane; columns: [source_width], scratch: sums over the square's rows, which the
// compiler makes vectors of, so that a byte of the photo costs little.
template <class Sum>
void mean_row(const Squares& s, const uint8_t* source, Sum* columns, uint8_t* out) {
  std::fill_n(columns, s.source_width, Sum(0));
  for (int dy = 0; dy < s.divisor; ++dy, source += s.source_width)
    for (int x = 0; x < s.source_width; ++x) columns[x] = Sum(columns[x] + source[x]);
  const uint64_t area = uint64_t(s.divisor) * uint64_t(s.divisor);
  for (int x = 0; x < s.width; ++x) {
    const uint64_t sum = std::accumulate(columns + x * s.divisor, columns + (x + 1) * s.divisor, area / 2);
    out[x] = uint8_t(sum / area);
  }
}

// 255 where every pixel of the square is set.
void mask_row(const Squares& s, const uint8_t* source, uint8_t* out) {
  std::fill_n(out, s.width, uint8_t(255));
  for (int dy = 0; dy < s.divisor; ++dy, source += s.source_width)
    for (int x = 0; x < s.width; ++x)
      for (int dx = 0; dx < s.divisor; ++dx) out[x] &= source[x * s.divisor + dx] ? 255 : 0;
}

// What does not fill a square at the right and lower border is left out first.
PinholeCamera divided(PinholeCamera camera, int divisor) {
  const int width = camera.width / divisor, height = camera.height / divisor;
  camera.width = width * divisor, camera.height = height * divisor;
  return resized(camera, width, height);
}

}  // namespace

void CoarseView::make(const View& view, const TrainingImage& photo, int divisor, ThreadPool& pool) {
  divisor = std::clamp(divisor, 1, std::max(1, std::min(photo.width, photo.height)));
  view_ = {divided(view.camera, divisor), view.cam_from_world};
  const int width = view_.camera.width, height = view_.camera.height;
  photo_.width = width;
  photo_.height = height;
  photo_.rgb.resize(size_t(3) * width * height);
  photo_.background = photo.background;
  photo_.alpha.resize(photo.alpha.empty() ? 0 : size_t(width) * height);
  photo_.mask.resize(photo.mask.empty() ? 0 : size_t(width) * height);
  photo_.depth.resize(photo.depth.empty() ? 0 : size_t(width) * height);
  if (divisor <= kMostAdded)
    fill(photo, divisor, columns_, pool);
  else
    fill(photo, divisor, wide_columns_, pool);
}

template <class Sum>
void CoarseView::fill(const TrainingImage& photo, int divisor, std::vector<Sum>& columns, ThreadPool& pool) {
  const int width = photo_.width, height = photo_.height;
  columns.resize(size_t(pool.threads()) * size_t(photo.width));
  pool.for_each(size_t(height), [&](size_t y, int thread) {
    const Squares squares{divisor, photo.width, width};
    const size_t source = y * divisor * photo.width, out = y * width;
    Sum* const sums = columns.data() + size_t(thread) * size_t(photo.width);
    for (int channel = 0; channel < 3; ++channel)
      mean_row(squares, photo.rgb.data() + size_t(channel) * photo.width * photo.height + source, sums,
               photo_.rgb.data() + size_t(channel) * width * height + out);
    if (!photo.alpha.empty()) mean_row(squares, photo.alpha.data() + source, sums, photo_.alpha.data() + out);
    if (!photo.mask.empty()) mask_row(squares, photo.mask.data() + source, photo_.mask.data() + out);
    for (int x = 0; x < width && !photo.depth.empty(); ++x)  // a depth between two surfaces is none of either
      photo_.depth[out + size_t(x)] = photo.depth[source + size_t(x) * size_t(divisor)];
  });
}

}  // namespace splat
