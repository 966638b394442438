#include "splat/metrics/flip.h"

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/parallel.h"
#include "splat/math/srgb.h"
#include "splat/math/vec.h"
#include "splat/metrics/quantised.h"

namespace splat {
namespace {

using Colour = math::Vec3<double>;
using Channel = std::vector<double>;  // [H,W]

// Section 4 of the paper.
constexpr double kColourExponent = 0.7;   // q_c
constexpr double kColourKnee = 0.4;       // p_c: share of the largest colour difference ...
constexpr double kColourAtKnee = 0.95;    // p_t: ... that is mapped to this
constexpr double kFeatureWidth = 0.082;   // w, degrees: a detail that the eye sees best
constexpr double kFeatureExponent = 0.5;  // q_f
constexpr double kReachInDeviations = 3;

constexpr int kFilterReach = 10;  // px, of the widest filter
constexpr int kBandRows = 64;     // of the picture, looked at together: bounds the memory

// ---- colour spaces

const Colour kWhite{0.950428545377181, 1, 1.088900370798128};  // D65, XYZ

Colour xyz_of(const Colour& linear) {
  return {(10135552 * linear.x + 8788810 * linear.y + 4435075 * linear.z) / 24577794,
          (2613072 * linear.x + 8788810 * linear.y + 887015 * linear.z) / 12288897,
          (1425312 * linear.x + 8788810 * linear.y + 70074185 * linear.z) / 73733382};
}

Colour linear_of(const Colour& xyz) {  // the inverse
  return {3.241003275 * xyz.x - 1.537398934 * xyz.y - 0.498615861 * xyz.z,
          -0.969224334 * xyz.x + 1.875930071 * xyz.y + 0.041554224 * xyz.z,
          0.055639423 * xyz.x - 0.204011202 * xyz.y + 1.057148933 * xyz.z};
}

// Brightness, red to green, blue to yellow: linear in XYZ, so that it can be blurred.
Colour opponent_of(const Colour& xyz) {
  const double x = xyz.x / kWhite.x, y = xyz.y / kWhite.y, z = xyz.z / kWhite.z;
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Colour xyz_of_opponent(const Colour& opponent) {
  const double y = (opponent.x + 16) / 116;
  return {(y + opponent.y / 500) * kWhite.x, y * kWhite.y, (y - opponent.z / 200) * kWhite.z};
}

// CIE L*a*b* with colours that fade in the dark (Hunt's effect).
Colour lab_of(const Colour& xyz) {
  const auto f = [](double t) {
    constexpr double kDelta = 6.0 / 29;
    return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3 * kDelta * kDelta) + 4.0 / 29;
  };
  const double x = f(xyz.x / kWhite.x), y = f(xyz.y / kWhite.y), z = f(xyz.z / kWhite.z);
  const double lightness = 116 * y - 16;
  return {lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z)};
}

// HyAB, to the power of q_c.
double colour_distance(const Colour& a, const Colour& b) {
  return std::pow(std::abs(a.x - b.x) + std::hypot(a.y - b.y, a.z - b.z), kColourExponent);
}

// The largest colour distance there is, green to blue, and the mapping of distances to [0,1].
double colour_difference(const Colour& a, const Colour& b) {
  static const double kLargest = colour_distance(lab_of(xyz_of({0, 1, 0})), lab_of(xyz_of({0, 0, 1})));
  const double knee = kColourKnee * kLargest, distance = colour_distance(a, b);
  if (distance < knee) return kColourAtKnee / knee * distance;
  return kColourAtKnee + (distance - knee) / (kLargest - knee) * (1 - kColourAtKnee);
}

// ---- filters

struct Size {
  int width, height;
  size_t pixels() const { return size_t(width) * size_t(height); }
};

// Taps at -reach..reach.
using Taps = std::vector<double>;

template <class F>
Taps taps_of(int reach, const F& f) {
  Taps taps;
  for (int i = -reach; i <= reach; ++i) taps.push_back(f(double(i)));
  return taps;
}

class Rows {
 public:
  Rows(Size size, ThreadPool* pool) : size_(size), pool_(pool) {}
  Size size() const { return size_; }

  template <class F>
  void for_each(const F& row) const {
    splat::for_each(pool_, size_t(size_.height), [&](size_t y, int) { row(int(y)); });
  }

  // along[x] of every row, then across[y] of every column; the border's pixels are repeated beyond it.
  Channel filtered(const Channel& in, const Taps& along, const Taps& across) const {
    Channel half(size_.pixels()), out(size_.pixels());
    const int reach_x = int(along.size()) / 2, reach_y = int(across.size()) / 2;
    for_each([&](int y) {
      const size_t row = size_t(y) * size_t(size_.width);
      for (int x = 0; x < size_.width; ++x) {
        double sum = 0;
        for (int k = -reach_x; k <= reach_x; ++k)
          sum += along[size_t(k + reach_x)] * in[row + size_t(std::clamp(x + k, 0, size_.width - 1))];
        half[row + size_t(x)] = sum;
      }
    });
    for_each([&](int y) {
      double* const to = &out[size_t(y) * size_t(size_.width)];
      for (int k = -reach_y; k <= reach_y; ++k) {
        const double* const from = &half[size_t(std::clamp(y + k, 0, size_.height - 1)) * size_t(size_.width)];
        const double tap = across[size_t(k + reach_y)];
        for (int x = 0; x < size_.width; ++x) to[x] += tap * from[x];
      }
    });
    return out;
  }

 private:
  Size size_;
  ThreadPool* pool_;
};

// a sqrt(pi / b) exp(-pi^2 d^2 / b) at d degrees: the eye's contrast sensitivity by frequency, as a blur.
struct Sensitivity {
  double a, b;
};
constexpr Sensitivity kBrightness{1, 0.0047}, kRedGreen{1, 0.0053}, kBlueYellow{34.1, 0.04},
    kBlueYellowNarrow{13.5, 0.025};

// The sum of these Gaussians, which adds up to 1.
Channel blurred(const Rows& rows, const Channel& in, std::span<const Sensitivity> sensitivities) {
  const double pi = std::numbers::pi;
  const int reach = int(std::ceil(kReachInDeviations * std::sqrt(kBlueYellow.b / (2 * pi * pi)) * kPixelsPerDegree));
  SPLAT_CHECK_LE(reach, kFilterReach);
  Channel out(in.size());
  double whole = 0;
  for (const Sensitivity& s : sensitivities) {
    const Taps taps = taps_of(reach, [&](double i) {
      const double degrees = i / kPixelsPerDegree;
      return std::exp(-pi * pi * degrees * degrees / s.b);
    });
    const double weight = s.a * std::sqrt(pi / s.b), sum = std::accumulate(taps.begin(), taps.end(), 0.0);
    whole += weight * sum * sum;
    const Channel part = rows.filtered(in, taps, taps);
    for (size_t p = 0; p < out.size(); ++p) out[p] += weight * part[p];
  }
  for (double& value : out) value /= whole;
  return out;
}

// ---- both halves of the metric

struct Features {
  Channel edges, points;  // [H,W]
};

struct Perceived {
  std::vector<Colour> colours;  // [H,W] L*a*b* of the blurred picture
  Features features;
};

// First and second derivatives of a Gaussian, with positive and negative parts that add up to 1 and -1, and how strong
// they answer in any direction.
Features features_of(const Rows& rows, const Channel& brightness) {
  const double deviation = 0.5 * kFeatureWidth * kPixelsPerDegree;
  const int reach = int(std::ceil(kReachInDeviations * deviation));
  SPLAT_CHECK_LE(reach, kFilterReach);
  const Taps gaussian = taps_of(reach, [&](double x) { return std::exp(-x * x / (2 * deviation * deviation)); });
  const double across = std::accumulate(gaussian.begin(), gaussian.end(), 0.0);
  const auto strength = [&](const auto& derivative) {
    Taps taps =
        taps_of(reach, [&](double x) { return derivative(x) * std::exp(-x * x / (2 * deviation * deviation)); });
    double positive = 0, negative = 0;
    for (const double tap : taps) (tap > 0 ? positive : negative) += tap * across;
    for (double& tap : taps) tap /= tap > 0 ? positive : -negative;
    const Channel x = rows.filtered(brightness, taps, gaussian), y = rows.filtered(brightness, gaussian, taps);
    Channel both(x.size());
    for (size_t p = 0; p < both.size(); ++p) both[p] = std::hypot(x[p], y[p]);
    return both;
  };
  return {strength([](double x) { return -x; }),
          strength([&](double x) { return x * x / (deviation * deviation) - 1; })};
}

// Filters a picture in sRGB, [3][H,W].
Perceived perceived(const Rows& rows, const std::array<Channel, 3>& srgb) {
  const size_t pixels = rows.size().pixels();
  const int width = rows.size().width;
  std::array<Channel, 3> opponent{Channel(pixels), Channel(pixels), Channel(pixels)};
  Channel brightness(pixels);
  rows.for_each([&](int y) {
    for (size_t p = size_t(y) * size_t(width), end = p + size_t(width); p < end; ++p) {
      const Colour c = opponent_of(xyz_of({math::linear_from_srgb(srgb[0][p]), math::linear_from_srgb(srgb[1][p]),
                                           math::linear_from_srgb(srgb[2][p])}));
      opponent[0][p] = c.x, opponent[1][p] = c.y, opponent[2][p] = c.z;
      brightness[p] = (c.x + 16) / 116;
    }
  });
  const Channel y = blurred(rows, opponent[0], std::array{kBrightness});
  const Channel x = blurred(rows, opponent[1], std::array{kRedGreen});
  const Channel z = blurred(rows, opponent[2], std::array{kBlueYellow, kBlueYellowNarrow});
  Perceived out{std::vector<Colour>(pixels), features_of(rows, brightness)};
  rows.for_each([&](int row) {
    for (size_t p = size_t(row) * size_t(width), end = p + size_t(width); p < end; ++p) {
      const Colour c = linear_of(xyz_of_opponent({y[p], x[p], z[p]}));
      out.colours[p] =
          lab_of(xyz_of({std::clamp(c.x, 0.0, 1.0), std::clamp(c.y, 0.0, 1.0), std::clamp(c.z, 0.0, 1.0)}));
    }
  });
  return out;
}

double difference_at(const Perceived& a, const Perceived& b, size_t p) {
  const double edges = std::abs(a.features.edges[p] - b.features.edges[p]);
  const double points = std::abs(a.features.points[p] - b.features.points[p]);
  const double features = std::pow(std::max(edges, points) / std::numbers::sqrt2, kFeatureExponent);
  return std::pow(colour_difference(a.colours[p], b.colours[p]), 1 - features);
}

struct Sum {
  double differences = 0;
  size_t counted = 0;
};

// Over rows [from, to). They are looked at with the rows around them that the filters reach.
Sum sum_of_band(const ImageF& render, const TrainingImage& photo, int from, int to, ThreadPool* pool) {
  const size_t width = size_t(photo.width), pixels = width * size_t(photo.height);
  const int first = from - kFilterReach;
  const Rows rows({photo.width, to + kFilterReach - first}, pool);
  std::array<Channel, 3> ours, theirs;
  for (size_t c = 0; c < 3; ++c)
    for (int y = first; y < to + kFilterReach; ++y)
      for (size_t p = size_t(std::clamp(y, 0, photo.height - 1)) * width, end = p + width; p < end; ++p) {
        theirs[c].push_back(photo.rgb[c * pixels + p] / 255.0);
        ours[c].push_back(photo.counts(p) ? quantised(render.rgb[c * pixels + p]) : theirs[c].back());
      }
  const Perceived a = perceived(rows, ours), b = perceived(rows, theirs);
  std::vector<Sum> sums(size_t(to - first));
  rows.for_each([&](int row) {
    const int y = first + row;
    if (y < from || y >= to) return;
    for (size_t x = 0; x < width; ++x)
      if (photo.counts(size_t(y) * width + x)) {
        sums[size_t(row)].differences += difference_at(a, b, size_t(row) * width + x);
        ++sums[size_t(row)].counted;
      }
  });
  Sum total;
  for (size_t row = size_t(from - first); row < sums.size(); ++row)
    total.differences += sums[row].differences, total.counted += sums[row].counted;
  return total;
}

}  // namespace

double flip(const ImageF& render, const TrainingImage& photo, ThreadPool* pool) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  Sum total;
  for (int y = 0; y < photo.height; y += kBandRows) {
    const Sum band = sum_of_band(render, photo, y, std::min(y + kBandRows, photo.height), pool);
    total.differences += band.differences, total.counted += band.counted;
  }
  return total.counted == 0 ? 0 : total.differences / double(total.counted);
}

}  // namespace splat
