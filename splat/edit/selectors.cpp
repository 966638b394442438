#include "splat/edit/selectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/check.h"
#include "splat/core/percentile.h"
#include "splat/math/activation.h"
#include "splat/math/constants.h"
#include "splat/math/sh.h"
#include "splat/model/near_scale.h"

namespace splat::edit {
namespace {

constexpr size_t kRowsAtOnce = 16384;

// 1 where accept(row) says so.
template <class Accept>
RowMask mask_rows(size_t rows, ThreadPool& pool, const Accept& accept) {
  RowMask mask(rows);
  pool.for_chunks(rows, kRowsAtOnce, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) mask[row] = accept(row) ? 1 : 0;
  });
  return mask;
}

std::array<double, 3> centre_of(const Gaussians& model, size_t row) {
  return {model.means[3 * row], model.means[3 * row + 1], model.means[3 * row + 2]};
}

float colour_of(const Gaussians& model, size_t row, size_t channel) {
  return 0.5f + float(math::kSh0) * model.sh[row * size_t(model.coefficients()) * 3 + channel];
}

// Along the axes, shortest first; NaN: one is none.
std::array<float, 3> sorted_log_scales(const Gaussians& model, size_t row) {
  std::array<float, 3> s{model.log_scales[3 * row], model.log_scales[3 * row + 1], model.log_scales[3 * row + 2]};
  for (float log_scale : s)
    if (std::isnan(log_scale)) s.fill(std::numeric_limits<float>::quiet_NaN());
  if (!std::isnan(s[0])) std::sort(s.begin(), s.end());
  return s;
}

float value_of(const Gaussians& model, const RowMeasure& measure, size_t row) {
  switch (measure.value) {
    case RowValue::kOpacity:
      return math::sigmoid(model.logit_opacities[row]);
    case RowValue::kSize:
      return std::exp(sorted_log_scales(model, row)[2]);
    case RowValue::kElongation: {
      const std::array<float, 3> s = sorted_log_scales(model, row);
      return std::exp(s[2] - s[1]);
    }
    case RowValue::kThickness:
      return std::exp(sorted_log_scales(model, row)[0]);
    case RowValue::kX:
    case RowValue::kY:
    case RowValue::kZ:
      return model.means[3 * row + size_t(measure.value) - size_t(RowValue::kX)];
    case RowValue::kDistance: {
      const std::array<double, 3> at = centre_of(model, row);
      return float(std::hypot(at[0] - measure.from[0], at[1] - measure.from[1], at[2] - measure.from[2]));
    }
    case RowValue::kRed:
    case RowValue::kGreen:
    case RowValue::kBlue:
      return colour_of(model, row, size_t(measure.value) - size_t(RowValue::kRed));
    case RowValue::kContribution:
      if (row < measure.weights.size()) return measure.weights[row];
      break;
  }
  return std::numeric_limits<float>::quiet_NaN();
}

// Rows of intrinsics times pose: x and y in px, times the depth; the depth.
struct Projection {
  std::array<std::array<float, 4>, 3> rows;

  explicit Projection(const View& view) {
    const auto& r = view.cam_from_world.rotation;
    const auto& t = view.cam_from_world.translation;
    const double focal[2] = {view.camera.fx, view.camera.fy}, principal[2] = {view.camera.cx, view.camera.cy};
    const double forward[4] = {r[6], r[7], r[8], t[2]};
    for (size_t c = 0; c < 4; ++c) {
      rows[2][c] = float(forward[c]);
      for (size_t axis = 0; axis < 2; ++axis)
        rows[axis][c] = float(focal[axis] * (c < 3 ? r[3 * axis + c] : t[axis]) + principal[axis] * forward[c]);
    }
  }
  float value(size_t row, const float* mean) const {
    const std::array<float, 4>& m = rows[row];
    return m[0] * mean[0] + m[1] * mean[1] + m[2] * mean[2] + m[3];
  }
};

double squared_distance_to_line(const ScreenPoint& p, const ScreenPoint& from, const ScreenPoint& to) {
  const double dx = to.x - from.x, dy = to.y - from.y, length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? std::clamp(((p.x - from.x) * dx + (p.y - from.y) * dy) / length2, 0.0, 1.0) : 0;
  const double x = p.x - from.x - along * dx, y = p.y - from.y - along * dy;
  return x * x + y * y;
}

}  // namespace

RowMask rows_in_box(const Gaussians& model, const Box& box, ThreadPool& pool) {
  return mask_rows(model.size(), pool, [&](size_t row) { return box.contains(centre_of(model, row)); });
}

RowMask rows_in_sphere(const Gaussians& model, const Sphere& sphere, ThreadPool& pool) {
  return mask_rows(model.size(), pool, [&](size_t row) {
    const std::array<double, 3> at = centre_of(model, row);
    double squared = 0;
    for (size_t c = 0; c < 3; ++c) squared += (at[c] - sphere.centre[c]) * (at[c] - sphere.centre[c]);
    return squared <= sphere.radius * sphere.radius;
  });
}

std::vector<float> row_values(const Gaussians& model, const RowMeasure& measure, ThreadPool& pool) {
  std::vector<float> values(model.size());
  pool.for_chunks(model.size(), kRowsAtOnce, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) values[row] = value_of(model, measure, row);
  });
  return values;
}

RowMask rows_by_value(const Gaussians& model, const RowMeasure& measure, double low, double high, ThreadPool& pool) {
  return mask_rows(model.size(), pool, [&](size_t row) {
    const double x = value_of(model, measure, row);
    return x >= low && x <= high;
  });
}

double usual_distance(const Gaussians& model, ThreadPool& pool) {
  constexpr double kSizes = 2;  // of a splat: from the middle to where it has faded
  std::vector<float> sizes = row_values(model, RowValue::kSize, pool);
  std::erase_if(sizes, [](float size) { return !std::isfinite(size); });
  return kSizes * double(median(std::move(sizes)));
}

std::array<float, 3> colour_of(const Gaussians& model, size_t row) {
  return {colour_of(model, row, 0), colour_of(model, row, 1), colour_of(model, row, 2)};
}

RowMask rows_by_colour(const Gaussians& model, const std::array<float, 3>& rgb, float tolerance, ThreadPool& pool) {
  return mask_rows(model.size(), pool, [&](size_t row) {
    bool near = true;
    for (size_t c = 0; c < 3; ++c) near &= std::abs(colour_of(model, row, c) - rgb[c]) <= tolerance;
    return near;
  });
}

ScreenMask polygon_mask(int width, int height, std::span<const ScreenPoint> corners) {
  ScreenMask mask{width, height, std::vector<uint8_t>(size_t(width) * size_t(height))};
  std::vector<double> crossings;
  for (int y = 0; y < height; ++y) {
    crossings.clear();
    const double at = y + 0.5;
    for (size_t i = 0; i < corners.size(); ++i) {
      const ScreenPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
      if ((a.y <= at) != (b.y <= at)) crossings.push_back(a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x));
    }
    std::sort(crossings.begin(), crossings.end());
    uint8_t* row = mask.pixels.data() + size_t(y) * size_t(width);
    for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
      const double first = std::clamp(std::ceil(crossings[i] - 0.5), 0.0, double(width));
      const double end = std::clamp(std::ceil(crossings[i + 1] - 0.5), 0.0, double(width));
      std::fill(row + int(first), row + std::max(int(first), int(end)), uint8_t(1));
    }
  }
  return mask;
}

void add_brush(ScreenMask& mask, const ScreenPoint& from, const ScreenPoint& to, double radius) {
  const auto pixels = [&](double low, double high, int size) {
    return std::array<int, 2>{int(std::clamp(std::floor(low - radius), 0.0, double(size))),
                              int(std::clamp(std::ceil(high + radius), 0.0, double(size)))};
  };
  const auto [left, right] = pixels(std::min(from.x, to.x), std::max(from.x, to.x), mask.width);
  const auto [top, bottom] = pixels(std::min(from.y, to.y), std::max(from.y, to.y), mask.height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      if (squared_distance_to_line({x + 0.5, y + 0.5}, from, to) <= radius * radius)
        mask.pixels[size_t(y) * size_t(mask.width) + size_t(x)] = 1;
}

ScreenMask flood_mask(const ImageF& picture, int x, int y, float tolerance) {
  const int width = picture.width, height = picture.height;
  ScreenMask mask{width, height, std::vector<uint8_t>(size_t(width) * size_t(height))};
  if (x < 0 || y < 0 || x >= width || y >= height) return mask;
  const size_t plane = mask.pixels.size(), origin = size_t(y) * size_t(width) + size_t(x);
  const auto alike = [&](size_t at) {
    bool near = true;
    for (size_t c = 0; c < 3; ++c)
      near &= std::abs(picture.rgb[c * plane + at] - picture.rgb[c * plane + origin]) <= tolerance;
    return near;
  };
  std::vector<size_t> found{origin};
  mask.pixels[origin] = 1;
  const auto visit = [&](size_t at) {
    if (mask.pixels[at] || !alike(at)) return;
    mask.pixels[at] = 1;
    found.push_back(at);
  };
  while (!found.empty()) {
    const size_t at = found.back(), column = at % size_t(width);
    found.pop_back();
    if (column > 0) visit(at - 1);
    if (column + 1 < size_t(width)) visit(at + 1);
    if (at >= size_t(width)) visit(at - size_t(width));
    if (at + size_t(width) < plane) visit(at + size_t(width));
  }
  return mask;
}

RowMask rows_behind_mask(const Gaussians& model, const View& view, const ScreenMask& mask, ThreadPool& pool) {
  SPLAT_CHECK_EQ(mask.width, view.camera.width);
  SPLAT_CHECK_EQ(mask.height, view.camera.height);
  const Projection screen(view);
  const float width = float(mask.width), height = float(mask.height);
  const float near_plane = float(math::kNearPlane / near_scale(model));
  RowMask rows(model.size());
  // A few rows at a time: first all their places, which are vectors of the processor, then all looked up.
  constexpr size_t kAtOnce = 64;
  pool.for_chunks(rows.size(), kRowsAtOnce, [&](size_t begin, size_t end, int) {
    float x[kAtOnce], y[kAtOnce];
    for (size_t first = begin; first < end; first += kAtOnce) {
      const size_t count = std::min(kAtOnce, end - first);
      for (size_t i = 0; i < count; ++i) {
        const float* mean = model.means.data() + 3 * (first + i);
        const float depth = screen.value(2, mean);
        const float visible = depth > near_plane ? 1 / depth : std::numeric_limits<float>::quiet_NaN();
        x[i] = screen.value(0, mean) * visible, y[i] = screen.value(1, mean) * visible;
      }
      for (size_t i = 0; i < count; ++i)
        if (x[i] >= 0 && y[i] >= 0 && x[i] < width && y[i] < height)
          rows[first + i] = mask.pixels[size_t(y[i]) * size_t(mask.width) + size_t(x[i])] != 0;
    }
  });
  return rows;
}

RowMask rows_seen(std::span<const float> max_weight, float min_weight) {
  RowMask mask(max_weight.size());
  for (size_t row = 0; row < mask.size(); ++row) mask[row] = max_weight[row] >= min_weight ? 1 : 0;
  return mask;
}

}  // namespace splat::edit
