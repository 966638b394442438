#include "io/images/resize.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"

namespace io {

using splat::Image8;

namespace {

// The source interval an output pixel covers, as whole pixels with a weight at either end. Weights in 1/kOne.
constexpr uint32_t kOne = 1 << 8;

struct Span {
  int first, last;                     // source pixels, inclusive
  uint32_t first_weight, last_weight;  // of those two; pixels in between weigh kOne
};

std::vector<Span> make_spans(double factor, int count, int source_size) {
  std::vector<Span> spans(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double begin = std::min(i * factor, source_size - 1e-6),
                 end = std::min((i + 1) * factor, double(source_size));
    const int first = int(begin + 1e-9), last = std::max(first, int(std::ceil(end - 1e-9)) - 1);
    const auto weight = [&](int pixel) {
      return uint32_t(std::lround(kOne * (std::min(end, pixel + 1.0) - std::max(begin, double(pixel)))));
    };
    spans[size_t(i)] = {first, last, std::max(1u, weight(first)), std::max(1u, weight(last))};
  }
  return spans;
}

uint32_t weight_at(const Span& span, int pixel) {
  return pixel == span.first ? span.first_weight : pixel == span.last ? span.last_weight : kOne;
}

// One source row summed along x: [width][channels + 1], with colours times alpha where there is alpha; the last value
// is the sum of weights.
template <int kChannels>
void sum_row(const uint8_t* row, const std::vector<Span>& spans, std::vector<uint64_t>& sums, uint32_t row_weight) {
  constexpr bool kAlpha = kChannels == 2 || kChannels == 4;
  for (size_t i = 0; i < spans.size(); ++i) {
    uint64_t sum[kChannels] = {}, weights = 0;
    for (int x = spans[i].first; x <= spans[i].last; ++x) {
      const uint8_t* pixel = row + size_t(x) * kChannels;
      const uint64_t weight = weight_at(spans[i], x);
      const uint64_t colour_weight = kAlpha ? weight * pixel[kChannels - 1] : weight;
      for (int c = 0; c < kChannels - (kAlpha ? 1 : 0); ++c) sum[c] += colour_weight * pixel[c];
      if (kAlpha) sum[kChannels - 1] += colour_weight;
      weights += weight;
    }
    for (int c = 0; c < kChannels; ++c) sums[i * (kChannels + 1) + size_t(c)] += row_weight * sum[c];
    sums[i * (kChannels + 1) + kChannels] += row_weight * weights;
  }
}

template <int kChannels>
void write_row(const std::vector<uint64_t>& sums, uint8_t* out, int width) {
  constexpr bool kAlpha = kChannels == 2 || kChannels == 4;
  for (int i = 0; i < width; ++i) {
    const uint64_t* sum = &sums[size_t(i) * (kChannels + 1)];
    const uint64_t weights = sum[kChannels], divisor = kAlpha ? sum[kChannels - 1] : weights;
    for (int c = 0; c < kChannels - (kAlpha ? 1 : 0); ++c)
      out[i * kChannels + c] = uint8_t(divisor ? (sum[c] + divisor / 2) / divisor : 0);
    if (kAlpha) out[i * kChannels + kChannels - 1] = uint8_t((sum[kChannels - 1] + weights / 2) / weights);
  }
}

template <int kChannels>
void reduce(const Image8& image, const std::vector<Span>& columns, const std::vector<Span>& rows, Image8& result) {
  std::vector<uint64_t> sums;
  const size_t source_stride = size_t(image.width) * kChannels, stride = size_t(result.width) * kChannels;
  for (int j = 0; j < result.height; ++j) {
    const Span& span = rows[size_t(j)];
    sums.assign(size_t(result.width) * (kChannels + 1), 0);
    for (int y = span.first; y <= span.last; ++y)
      sum_row<kChannels>(&image.pixels[size_t(y) * source_stride], columns, sums, weight_at(span, y));
    write_row<kChannels>(sums, &result.pixels[size_t(j) * stride], result.width);
  }
}

}  // namespace

Image8 reduce_area(const Image8& image, double factor_x, double factor_y, int width, int height) {
  SPLAT_CHECK(factor_x >= 1 && factor_y >= 1 && width > 0 && height > 0);
  Image8 result{width, height, image.channels, {}};
  result.pixels.resize(size_t(width) * size_t(height) * size_t(image.channels));
  const std::vector<Span> columns = make_spans(factor_x, width, image.width);
  const std::vector<Span> rows = make_spans(factor_y, height, image.height);
  switch (image.channels) {
    case 1:
      reduce<1>(image, columns, rows, result);
      break;
    case 2:
      reduce<2>(image, columns, rows, result);
      break;
    case 3:
      reduce<3>(image, columns, rows, result);
      break;
    case 4:
      reduce<4>(image, columns, rows, result);
      break;
    default:
      splat::check_failed(__FILE__, __LINE__, "1 to 4 channels", std::to_string(image.channels));
  }
  return result;
}

Image8 resize_area(const Image8& image, int width, int height) {
  return reduce_area(image, double(image.width) / width, double(image.height) / height, width, height);
}

}  // namespace io
