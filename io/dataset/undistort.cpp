#include "io/dataset/undistort.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/core/check.h"
#include "splat/core/parallel.h"

namespace io {

using splat::Image8, splat::Lens, splat::PinholeCamera, splat::ThreadPool, splat::TrainingImage;

namespace {

constexpr double kRadians = std::numbers::pi / 180;
const double kMaxSlope = std::tan(0.5 * kMaxFieldOfViewDeg * kRadians);  // |x/z| at the limit of the field of view

// A lens with the radius beyond which its formula must not be used.
struct UsableLens {
  const Lens& lens;
  double radius2;  // of normalised coordinates, squared

  explicit UsableLens(const Lens& of) : lens(of) {
    const double limit = 1.1 * std::hypot(kMaxSlope, kMaxSlope);
    const double radius = std::visit([&](const auto& d) { return splat::math::fold_radius(d, limit); }, of.distortion);
    radius2 = radius * radius;
  }
};

// Calls body(x, y, valid) with the photo position of the centre of each pixel (column, row) of the pinhole picture, for
// the columns first, first+step, ...
template <class Distortion, class Body>
void for_row(const UsableLens& usable, const Distortion& distortion, const PinholeCamera& camera, double row,
             double first, double step, const Body& body) {
  const Lens& lens = usable.lens;
  const double v = (row + 0.5 - camera.cy) / camera.fy;
  for (double column = first; column < camera.width; column += step) {
    const double u = (column + 0.5 - camera.cx) / camera.fx;
    const splat::math::Vec2<double> d = splat::math::distort(distortion, u, v);
    const double x = lens.fx * d.x + lens.cx, y = lens.fy * d.y + lens.cy;
    const bool valid = u * u + v * v <= usable.radius2 && x >= 0 && y >= 0 && x <= lens.width && y <= lens.height;
    body(x, y, valid);
  }
}

// The part of the pinhole picture that has no source, from a grid of samples.
double blank_fraction(const UsableLens& usable, const PinholeCamera& camera) {
  constexpr int kSamples = 64;  // each way
  int blank = 0, total = 0;
  std::visit(
      [&](const auto& distortion) {
        const double step_x = double(camera.width) / kSamples, step_y = double(camera.height) / kSamples;
        for (int j = 0; j < kSamples; ++j)
          for_row(usable, distortion, camera, (j + 0.5) * step_y - 0.5, 0.5 * step_x - 0.5, step_x,
                  [&](double, double, bool valid) {
                    blank += !valid;
                    ++total;
                  });
      },
      usable.lens.distortion);
  return double(blank) / total;
}

// The pinhole of the photo's size, principal point and focal ratio, `zoom` times its focal length.
PinholeCamera pinhole_at(const Lens& lens, double zoom) {
  return {lens.width, lens.height, float(zoom * lens.fx), float(zoom * lens.fy), float(lens.cx), float(lens.cy)};
}

// Normalised coordinates of a photo position that the pinhole can show at all.
std::optional<std::array<double, 2>> visible_ray(const UsableLens& usable, double x, double y) {
  const auto uv = splat::cam_from_image(usable.lens, x, y);
  if (!uv || (*uv)[0] * (*uv)[0] + (*uv)[1] * (*uv)[1] > usable.radius2) return std::nullopt;
  return uv;
}

// The zoom at which the whole photo is just inside the picture; false in *whole where its border cannot be shown.
double zoom_for_everything(const UsableLens& usable, bool* whole) {
  constexpr int kSamples = 64;  // along each side
  const Lens& lens = usable.lens;
  double zoom = 1e9;
  *whole = true;
  const auto include = [&](double x, double y) {
    const auto uv = visible_ray(usable, x, y);
    if (!uv) {
      *whole = false;
      return;
    }
    const double dx = (*uv)[0] * lens.fx, dy = (*uv)[1] * lens.fy;  // px from the principal point at zoom 1
    if (dx != 0) zoom = std::min(zoom, (dx > 0 ? lens.width - lens.cx : -lens.cx) / dx);
    if (dy != 0) zoom = std::min(zoom, (dy > 0 ? lens.height - lens.cy : -lens.cy) / dy);
  };
  for (int i = 0; i <= kSamples; ++i) {
    const double x = double(lens.width) * i / kSamples, y = double(lens.height) * i / kSamples;
    include(x, 0);
    include(x, lens.height);
    include(0, y);
    include(lens.width, y);
  }
  return zoom;
}

double kept_fraction(const UsableLens& usable, const PinholeCamera& camera) {
  constexpr int kSamples = 32;  // each way
  const Lens& lens = usable.lens;
  int kept = 0;
  for (int j = 0; j < kSamples; ++j)
    for (int i = 0; i < kSamples; ++i) {
      const auto uv = visible_ray(usable, lens.width * (i + 0.5) / kSamples, lens.height * (j + 0.5) / kSamples);
      if (!uv) continue;
      const double x = (*uv)[0] * camera.fx + camera.cx, y = (*uv)[1] * camera.fy + camera.cy;
      kept += x >= 0 && y >= 0 && x <= camera.width && y <= camera.height;
    }
  return double(kept) / (kSamples * kSamples);
}

}  // namespace

UndistortPlan plan_undistortion(const Lens& lens) {
  UndistortPlan plan;
  plan.camera = splat::pinhole_of(lens);
  plan.identity = !lens.has_distortion();
  if (plan.identity) return plan;

  const UsableLens usable(lens);
  const double field_of_view_zoom = std::max(std::max(lens.cx, lens.width - lens.cx) / (lens.fx * kMaxSlope),
                                             std::max(lens.cy, lens.height - lens.cy) / (lens.fy * kMaxSlope));
  bool whole = true;
  const double everything = zoom_for_everything(usable, &whole);
  double low = whole ? std::max(everything, field_of_view_zoom) : field_of_view_zoom;
  plan.field_of_view_cut = low == field_of_view_zoom;
  if (blank_fraction(usable, pinhole_at(lens, low)) > kMaxBlankFraction) {
    double high = 2 * low;
    while (blank_fraction(usable, pinhole_at(lens, high)) > kMaxBlankFraction && high < 1e6 * low) high *= 2;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (low + high);
      (blank_fraction(usable, pinhole_at(lens, middle)) > kMaxBlankFraction ? low : high) = middle;
    }
    low = high;
    plan.field_of_view_cut = false;
  }
  plan.camera = pinhole_at(lens, low);
  plan.blank_fraction = blank_fraction(usable, plan.camera);
  plan.kept_fraction = kept_fraction(usable, plan.camera);
  return plan;
}

Remap make_remap(const Lens& lens, const PinholeCamera& camera, ThreadPool* pool) {
  SPLAT_CHECK(lens.width <= 65535 && lens.height <= 65535);
  Remap remap{lens.width, lens.height, camera.width, camera.height, false, {}};
  remap.taps.resize(size_t(camera.width) * size_t(camera.height));
  const UsableLens usable(lens);
  splat::for_each(pool, size_t(camera.height), [&](size_t row, int) {
    Remap::Tap* tap = &remap.taps[row * size_t(camera.width)];
    // Positions in 1/256 px from the centre of the first pixel, kept where all four pixels exist.
    const auto place = [&](double x, double y, bool valid) {
      if (valid) {
        const double last_x = std::max(0, lens.width - 2) + 255.0 / 256,
                     last_y = std::max(0, lens.height - 2) + 255.0 / 256;
        const uint32_t px = uint32_t(256 * std::clamp(x - 0.5, 0.0, last_x) + 0.5);
        const uint32_t py = uint32_t(256 * std::clamp(y - 0.5, 0.0, last_y) + 0.5);
        *tap = {uint16_t(px >> 8), uint16_t(py >> 8), uint8_t(px), uint8_t(py)};
      }
      ++tap;
    };
    std::visit([&](const auto& distortion) { for_row(usable, distortion, camera, double(row), 0, 1, place); },
               lens.distortion);
  });
  remap.has_blanks =
      std::any_of(remap.taps.begin(), remap.taps.end(), [](const Remap::Tap& tap) { return tap.x == Remap::kBlank; });
  return remap;
}

std::vector<uint32_t> places_in_pinhole(const Lens& lens, const PinholeCamera& camera, ThreadPool* pool) {
  const size_t width = size_t(lens.width);
  std::vector<uint32_t> places(width * size_t(lens.height), kOutside);
  const UsableLens usable(lens);
  splat::for_each(pool, size_t(lens.height), [&](size_t row, int) {
    for (size_t column = 0; column < width; ++column) {
      const auto uv = visible_ray(usable, double(column) + 0.5, double(row) + 0.5);
      if (!uv) continue;
      const double x = (*uv)[0] * camera.fx + camera.cx, y = (*uv)[1] * camera.fy + camera.cy;
      if (x >= 0 && y >= 0 && x < camera.width && y < camera.height)
        places[row * width + column] = uint32_t(y) * uint32_t(camera.width) + uint32_t(x);
    }
  });
  return places;
}

namespace {

// The four weights of a tap in 1/65536: they sum to 65536, and a tap on a pixel's centre gives that pixel exactly.
struct Weights {
  uint32_t w00, w01, w10, w11;
  explicit Weights(const Remap::Tap& tap) {
    const uint32_t x = tap.fraction_x, y = tap.fraction_y;
    w00 = (256 - x) * (256 - y);
    w01 = x * (256 - y);
    w10 = (256 - x) * y;
    w11 = x * y;
  }
  uint8_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
    return uint8_t((w00 * a + w01 * b + w10 * c + w11 * d + 32768) >> 16);
  }
};

// Steps between the pixels of a tap; none where the photo is one pixel wide or high.
struct Neighbours {
  size_t right, down;
  explicit Neighbours(const Remap& remap)
      : right(remap.source_width > 1 ? 1 : 0), down(remap.source_height > 1 ? size_t(remap.source_width) : 0) {}
};

// planes: [kChannels,H,W].
template <size_t kChannels>
void mix_values(const uint8_t* source, const Remap& remap, uint8_t* __restrict planes) {
  const Neighbours next(remap);
  const size_t right = next.right * kChannels, down = next.down * kChannels, pixels = remap.taps.size();
  const size_t source_width = size_t(remap.source_width);
  const Remap::Tap* taps = remap.taps.data();
  for (size_t i = 0; i < pixels; ++i) {
    const Remap::Tap tap = taps[i];
    if (tap.x == Remap::kBlank) continue;
    const Weights weights(tap);
    const uint8_t *p = source + (tap.y * source_width + tap.x) * kChannels, *q = p + down;
    for (size_t c = 0; c < kChannels; ++c) planes[c * pixels + i] = weights.mix(p[c], p[c + right], q[c], q[c + right]);
  }
}

// 255 where a pixel has a source that counts.
void mix_mask(const std::vector<uint8_t>& keep, const Remap& remap, std::vector<uint8_t>& mask) {
  const Neighbours next(remap);
  for (size_t i = 0; i < mask.size(); ++i) {
    const Remap::Tap tap = remap.taps[i];
    if (tap.x == Remap::kBlank) {
      mask[i] = 0;
    } else if (!keep.empty()) {
      const uint8_t *p = &keep[tap.y * size_t(remap.source_width) + tap.x], *q = p + next.down;
      mask[i] = Weights(tap).mix(p[0], p[next.right], q[0], q[next.right]) >= 128 ? 255 : 0;
    }
  }
  if (std::find(mask.begin(), mask.end(), 0) == mask.end()) mask.clear();
}

}  // namespace

TrainingImage undistort(const SourcePhoto& photo, const Remap& remap) {
  const Image8& picture = photo.picture;
  const size_t pixels = remap.taps.size(), source_pixels = size_t(picture.width) * size_t(picture.height);
  SPLAT_CHECK(picture.channels == 1 || picture.channels == 3);
  SPLAT_CHECK_EQ(picture.width, remap.source_width);
  SPLAT_CHECK_EQ(picture.height, remap.source_height);
  SPLAT_CHECK(photo.keep.empty() || photo.keep.size() == source_pixels);
  SPLAT_CHECK(photo.alpha.empty() || photo.alpha.size() == source_pixels);
  TrainingImage result{remap.width, remap.height, std::vector<uint8_t>(3 * pixels), {}};
  if (picture.channels == 3) {
    mix_values<3>(picture.pixels.data(), remap, result.rgb.data());
  } else {
    mix_values<1>(picture.pixels.data(), remap, result.rgb.data());
    for (size_t plane : {1, 2}) std::copy_n(result.rgb.begin(), pixels, result.rgb.begin() + ptrdiff_t(plane * pixels));
  }
  if (remap.has_blanks || !photo.keep.empty()) {
    result.mask.assign(pixels, 255);
    mix_mask(photo.keep, remap, result.mask);
  }
  if (!photo.alpha.empty()) {
    result.alpha.resize(pixels);
    mix_values<1>(photo.alpha.data(), remap, result.alpha.data());
  }
  return result;
}

}  // namespace io
