#include "app/cli/commands/splat_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/host/host.h"
#include "splat/core/float_step.h"
#include "splat/math/quat.h"

namespace app {

using splat::Gaussians;
using Vector = std::array<double, 3>;

namespace {

bool has_position(const Gaussians& model, size_t row) {
  const float* mean = model.means.data() + 3 * row;
  return std::isfinite(mean[0]) && std::isfinite(mean[1]) && std::isfinite(mean[2]);
}

std::optional<splat::Extent> full_bounds(const Gaussians& model) {
  std::optional<splat::Extent> bounds;
  for (size_t row = 0; row < model.size(); ++row) {
    if (!has_position(model, row)) continue;
    if (!bounds) bounds = splat::Extent{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (size_t c = 0; c < 3; ++c) {
      bounds->low[c] = std::min(bounds->low[c], double(model.means[3 * row + c]));
      bounds->high[c] = std::max(bounds->high[c], double(model.means[3 * row + c]));
    }
  }
  return bounds;
}

// Evenly through the file, those with a position.
std::vector<size_t> sample_rows(const Gaussians& model, size_t most) {
  std::vector<size_t> rows;
  const size_t step = std::max<size_t>((model.size() + most - 1) / most, 1);
  for (size_t row = 0; row < model.size(); row += step)
    if (has_position(model, row)) rows.push_back(row);
  return rows;
}

// ---- mistakes
// How well the thinnest axes of splats agree with the surfaces that their neighbours lie on, 0..1 (about 0.5 by
// chance), with the quaternions read as w,x,y,z and as x,y,z,w.
struct Agreement {
  double wxyz = 0, xyzw = 0;
  size_t splats = 0;
};

// The axis along which the points spread least: by inverse iteration on their covariance.
Vector thinnest_direction(const std::vector<Vector>& points) {
  Vector centre{};
  for (const Vector& p : points)
    for (size_t c = 0; c < 3; ++c) centre[c] += p[c] / double(points.size());
  double m[3][3] = {};
  for (const Vector& p : points)
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) m[r][c] += (p[r] - centre[r]) * (p[c] - centre[c]);
  const double trace = m[0][0] + m[1][1] + m[2][2];
  // trace * I - m has the same axes, and the thinnest has the largest eigenvalue.
  Vector v{0.5, 0.6, 0.7};
  for (int i = 0; i < 60; ++i) {
    Vector next{};
    for (size_t r = 0; r < 3; ++r) {
      next[r] = trace * v[r];
      for (size_t c = 0; c < 3; ++c) next[r] -= m[r][c] * v[c];
    }
    const double length = std::sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
    if (!(length > 0)) return v;
    for (size_t c = 0; c < 3; ++c) v[c] = next[c] / length;
  }
  return v;
}

std::vector<Vector> neighbours_of(const Gaussians& model, size_t row, const std::vector<size_t>& others, size_t count) {
  std::vector<std::pair<double, size_t>> nearest;
  nearest.reserve(others.size());
  const float* mean = model.means.data() + 3 * row;
  for (const size_t other : others) {
    const float* there = model.means.data() + 3 * other;
    double squared = 0;
    for (size_t c = 0; c < 3; ++c) squared += (double(mean[c]) - there[c]) * (double(mean[c]) - there[c]);
    nearest.push_back({squared, other});
  }
  std::nth_element(nearest.begin(), nearest.begin() + ptrdiff_t(count), nearest.end());
  std::vector<Vector> points;
  for (size_t i = 0; i < count; ++i) {
    const float* there = model.means.data() + 3 * nearest[i].second;
    points.push_back({there[0], there[1], there[2]});
  }
  return points;
}

Agreement surface_agreement(const Gaussians& model) {
  constexpr size_t kTested = 300, kOthers = 50'000, kNeighbours = 16;
  constexpr float kFlat = 0.7f;  // ln of how much thinner than the next one the thinnest axis is
  Agreement agreement;
  const std::vector<size_t> others = sample_rows(model, kOthers);
  if (others.size() < 10 * kNeighbours) return agreement;
  const size_t step = std::max<size_t>(others.size() / (4 * kTested), 1);
  for (size_t i = 0; i < others.size() && agreement.splats < kTested; i += step) {
    const size_t row = others[i];
    const float *scale = model.log_scales.data() + 3 * row, *q = model.quats.data() + 4 * row;
    const size_t thin = size_t(std::min_element(scale, scale + 3) - scale);
    if (!(std::min(scale[(thin + 1) % 3], scale[(thin + 2) % 3]) - scale[thin] > kFlat)) continue;
    const Vector normal = thinnest_direction(neighbours_of(model, row, others, kNeighbours));
    const auto agrees = [&](const splat::math::Quat<double>& quat) {
      const auto rotation = splat::math::rotation_from_quat(quat);
      return std::abs(rotation.m[0][thin] * normal[0] + rotation.m[1][thin] * normal[1] +
                      rotation.m[2][thin] * normal[2]);
    };
    const double wxyz = agrees({q[0], q[1], q[2], q[3]}), xyzw = agrees({q[3], q[0], q[1], q[2]});
    if (!std::isfinite(wxyz + xyzw)) continue;
    agreement.wxyz += wxyz;
    agreement.xyzw += xyzw;
    ++agreement.splats;
  }
  if (agreement.splats > 0) {
    agreement.wxyz /= double(agreement.splats);
    agreement.xyzw /= double(agreement.splats);
  }
  return agreement;
}

void check_quaternion_order(const Gaussians& model, std::vector<std::string>& mistakes) {
  constexpr size_t kEnough = 60;
  constexpr double kClearlyBetter = 0.12;
  const Agreement agreement = surface_agreement(model);
  if (agreement.splats < kEnough || agreement.xyzw < agreement.wxyz + kClearlyBetter) return;
  mistakes.push_back(
      "the rotations seem to be stored as x,y,z,w (read so, the flat splats lie on the surfaces around them); files "
      "hold w,x,y,z, and read so they look like bristles: hipsplat convert IN OUT --repair rotation");
}

// Turns about x, then about z, that bring `up` to -y, where viewers expect it; in degrees, to a tenth.
std::array<double, 2> turns_to_y_down(const Vector& up) {
  constexpr double kDegrees = 180 / M_PI;
  const double side = std::hypot(up[1], up[2]);
  const auto rounded = [](double turn) {
    if (turn > 180) turn -= 360;
    if (turn <= -180) turn += 360;
    return std::round(10 * turn) / 10 + 0.0;  // no -0
  };
  const double about_x = side > 1e-9 ? 180 - kDegrees * std::atan2(up[2], up[1]) : 0;  // to (x, -side, 0)
  return {rounded(about_x), rounded(-90 - kDegrees * std::atan2(-side, up[0]))};
}

void check_up(const KnownUp& up, std::vector<std::string>& mistakes) {
  const Vector& v = up.direction;
  constexpr double kNearlyDown = -0.9;  // 26 degrees: scenes are seldom straight
  if (v[1] < kNearlyDown) return;
  const auto [about_x, about_z] = turns_to_y_down(v);
  mistakes.push_back(
      fmt::format("{} says that up is ({:.3g}, {:.3g}, {:.3g}), but most viewers take splats as y-down and will show "
                  "it {}; if they "
                  "do: hipsplat convert IN OUT --transform \"rotate {:.4g} 0 {:.4g}\"",
                  up.source, v[0], v[1], v[2], v[1] > 0.9 ? "upside down" : "lying on its side", about_x, about_z));
}

void check_giants(const Gaussians& model, const SplatInfo& info, std::vector<std::string>& mistakes) {
  if (!info.bounds || !info.robust_bounds) return;
  double full = 0, robust = 0;
  for (size_t c = 0; c < 3; ++c) {
    full = std::max(full, info.bounds->high[c] - info.bounds->low[c]);
    robust = std::max(robust, info.robust_bounds->high[c] - info.robust_bounds->low[c]);
  }
  constexpr double kFarOut = 20;  // times the extent of nearly all
  if (model.size() < 1000 || !(full > kFarOut * robust) || !(robust > 0)) return;
  const auto margin = [&](size_t c, double sign) {
    const double middle = 0.5 * (info.robust_bounds->low[c] + info.robust_bounds->high[c]);
    return middle + sign * 2 * robust;
  };
  mistakes.push_back(fmt::format(
      "a few splats lie far outside ({:.3g} times the extent of 98 % of them), which spoils framing in viewers: "
      "hipsplat convert IN OUT --crop-box {:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g}",
      full / robust, margin(0, -1), margin(1, -1), margin(2, -1), margin(0, 1), margin(1, 1), margin(2, 1)));
}

// Floats far from 0.
void check_steps(const SplatInfo& info, std::vector<std::string>& mistakes) {
  if (!info.robust_bounds) return;
  const auto& [low, high] = *info.robust_bounds;
  double extent = 0, farthest = 0;
  for (size_t c = 0; c < 3; ++c) {
    extent = std::max(extent, high[c] - low[c]);
    farthest = std::max({farthest, std::abs(low[c]), std::abs(high[c])});
  }
  if (splat::floats_are_coarse(farthest, extent))
    mistakes.push_back(
        fmt::format("the splats lie so far from 0 that their positions, floats, step by {:.3g}, while 98 % of them are "
                    "within {:.3g}: export them counted from a place nearby, or as a .ply with positions in double "
                    "precision",
                    splat::float_step(farthest), extent));
}

}  // namespace

SplatInfo describe_splats(const io::SplatFile& file, const std::filesystem::path& path) {
  const Gaussians& model = file.gaussians;
  SplatInfo info;
  info.up = known_up(file, path);
  info.bounds = full_bounds(model);
  info.robust_bounds = splat::robust_extent(model);
  splat::ThreadPool pool;
  info.opacity = splat::opacity_histogram(model, pool);
  info.size = splat::size_histogram(model, pool);
  check_quaternion_order(model, info.mistakes);
  if (info.up) check_up(*info.up, info.mistakes);
  if (!info.up && !file.resembles.empty())
    info.mistakes.push_back(
        fmt::format("the file looks like those of {}, whose objects have y up where most viewers "
                    "take splats as y-down; if it stands on its head: hipsplat convert IN OUT "
                    "--transform \"rotate 180 0 0\"",
                    file.resembles));
  check_giants(model, info, info.mistakes);
  check_steps(info, info.mistakes);
  return info;
}

std::vector<std::string> histogram_lines(const splat::Histogram& histogram) {
  constexpr size_t kWidth = 40;
  std::vector<std::string> lines;
  const size_t most =
      histogram.counts.empty() ? 0 : *std::max_element(histogram.counts.begin(), histogram.counts.end());
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    const size_t count = histogram.counts[i];
    size_t length = most ? count * kWidth / most : 0;
    if (count > 0) length = std::max<size_t>(length, 1);
    lines.push_back(fmt::format("  {:>7.3g} .. {:<7.3g} {:<40} {}", histogram.edges[i], histogram.edges[i + 1],
                                std::string(length, '#'), human_count(count)));
  }
  return lines;
}

}  // namespace app
