// Footprint::kThreeSigma against INRIA's forward pass, written out: its tiles decide who is drawn and has a radius.
// Kerbl et al. 2023, cuda_rasterizer/forward.cu and auxiliary.h, where the centres of pixels are whole numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/backend/cpu/cpu_rasteriser.h"
#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/splat/raster/raster_parity.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

constexpr int kWidth = 50, kHeight = 41, kBlock = 16;

RasterCase random_scene(uint64_t seed, raster::Compensation compensation, double low_pass) {
  RandomValues random(seed);
  RasterCase at;
  at.splats = 60, at.channels = 3;
  raster::Settings& s = at.settings;
  s.width = kWidth, s.height = kHeight, s.low_pass = low_pass, s.near_plane = 0.2, s.compensation = compensation;
  s.jacobian_clamp = raster::JacobianClamp::kInria, s.footprint = raster::Footprint::kThreeSigma;
  s.depth = raster::Depth::kInverse, s.raw_quats = s.channels_first = true;
  at.cameras.push_back({{1, 0, 0, 0.1, 0, 1, 0, -0.2, 0, 0, 1, 0.3}, 45, 43, kWidth / 2.0, kHeight / 2.0});
  for (size_t i = 0; i < at.splats; ++i) {
    for (int k = 0; k < 3; ++k) at.means.push_back(1.5 * random.normal() + (k == 2 ? 3 : 0));
    const auto q = random.quat();
    for (double v : {q.w, q.x, q.y, q.z}) at.quats.push_back(v);
    for (int k = 0; k < 3; ++k) at.scales.push_back(random.uniform(0.01, 0.41));
    for (int k = 0; k < 3; ++k) at.colours.push_back(random.uniform(0, 1));
    at.opacities.push_back(random.uniform(0, 1));
  }
  at.background = {0.2, 0.4, 0.6};
  return at;
}

struct Projected {
  double x = 0, y = 0, z = 0, a = 0, b = 0, c = 0, opacity = 0;  // conic: a, b, c
  int radius = 0, x0 = 0, x1 = 0, y0 = 0, y1 = 0;                // tiles [x0, x1) x [y0, y1)
};

double opacity_factor(raster::Compensation compensation, double det0, double det1) {
  if (compensation == raster::Compensation::kInria) return std::sqrt(std::max(2.5e-5, det0 / det1));
  if (compensation != raster::Compensation::kMip) return 1;
  if (det0 <= 1e-6 || det1 <= 1e-6) return 0;
  return std::sqrt(det0 / (det1 + 1e-6) + 1e-6);
}

Projected project(const RasterCase& at, size_t i) {
  const raster::Camera& camera = at.cameras[0];
  const double *m = &at.means[3 * i], *q = &at.quats[4 * i], *s = &at.scales[3 * i], *to = camera.cam_from_world;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  const double t[3] = {m[0] + to[3], m[1] + to[7], m[2] + to[11]};  // the camera is not turned
  Projected p;
  p.z = t[2];
  if (p.z <= 0.2) return p;
  const double limit_x = 1.3 * kWidth / (2 * camera.fx), limit_y = 1.3 * kHeight / (2 * camera.fy);
  const double u = std::clamp(t[0] / t[2], -limit_x, limit_x), v = std::clamp(t[1] / t[2], -limit_y, limit_y);
  const double jacobian[2][3] = {{camera.fx / t[2], 0, -camera.fx * u / t[2]},
                                 {0, camera.fy / t[2], -camera.fy * v / t[2]}};
  double xx = 0, xy = 0, yy = 0;
  for (int k = 0; k < 3; ++k) {  // an axis of the splat on the screen
    double axis[2] = {0, 0};
    for (int row = 0; row < 2; ++row)
      for (int j = 0; j < 3; ++j) axis[row] += jacobian[row][j] * r[j][k] * s[k];
    xx += axis[0] * axis[0], xy += axis[0] * axis[1], yy += axis[1] * axis[1];
  }
  const double det0 = xx * yy - xy * xy, low = at.settings.low_pass;
  xx += low, yy += low;
  const double det = xx * yy - xy * xy, mid = 0.5 * (xx + yy);
  p.a = yy / det, p.b = -xy / det, p.c = xx / det;
  p.opacity = at.opacities[i] * opacity_factor(at.settings.compensation, det0, det);
  p.radius = int(std::ceil(3 * std::sqrt(mid + std::sqrt(std::max(0.1, mid * mid - det)))));
  p.x = camera.fx * t[0] / t[2] + camera.cx - 0.5, p.y = camera.fy * t[1] / t[2] + camera.cy - 0.5;  // ndc2Pix
  const auto tile = [](double place, int tiles) { return std::clamp(int(place / kBlock), 0, tiles); };
  constexpr int kTilesX = (kWidth + kBlock - 1) / kBlock, kTilesY = (kHeight + kBlock - 1) / kBlock;
  p.x0 = tile(p.x - p.radius, kTilesX), p.x1 = tile(p.x + p.radius + kBlock - 1, kTilesX);  // getRect
  p.y0 = tile(p.y - p.radius, kTilesY), p.y1 = tile(p.y + p.radius + kBlock - 1, kTilesY);
  if (p.x0 == p.x1 || p.y0 == p.y1) p.radius = 0;
  return p;
}

RasterResult inria(const RasterCase& at) {
  std::vector<Projected> splats;
  RasterResult out;
  for (size_t i = 0; i < at.splats; ++i) {
    splats.push_back(project(at, i));
    out.radii.insert(out.radii.end(), 2, splats.back().radius);
  }
  std::vector<size_t> order(at.splats);
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return splats[a].z < splats[b].z; });
  out.colour.resize(3 * at.pixels());
  for (int pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    const int x = pixel % kWidth, y = pixel / kWidth;
    double left = 1, colour[3] = {0, 0, 0}, inverse_depth = 0;
    for (const size_t i : order) {
      const Projected& p = splats[i];
      const bool in_tile = x / kBlock >= p.x0 && x / kBlock < p.x1 && y / kBlock >= p.y0 && y / kBlock < p.y1;
      if (p.radius == 0 || !in_tile) continue;
      const double dx = p.x - x, dy = p.y - y, power = -0.5 * (p.a * dx * dx + p.c * dy * dy) - p.b * dx * dy;
      const double alpha = std::min(0.99, p.opacity * std::exp(power));
      if (power > 0 || alpha < 1.0 / 255) continue;
      if (left * (1 - alpha) < 1e-4) break;
      for (int k = 0; k < 3; ++k) colour[k] += at.colours[3 * i + size_t(k)] * alpha * left;
      inverse_depth += alpha * left / p.z;
      left *= 1 - alpha;
    }
    for (size_t k = 0; k < 3; ++k) out.colour[k * at.pixels() + size_t(pixel)] = colour[k] + left * at.background[k];
    out.depth.push_back(inverse_depth), out.alpha.push_back(1 - left);
  }
  return out;
}

double worst(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; most < 1 && i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

void expect_inria(raster::Compensation compensation, double low_pass) {
  const auto cpu = std::move(*make_cpu_rasteriser({.threads = 1}));
  const auto reference = make_reference_rasteriser<double>();
  for (uint64_t seed = 100; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const RasterCase at = random_scene(seed, compensation, low_pass);
    const RasterResult expected = inria(at), exact = run(*reference, at, Passes::kForward),
                       drawn = run(*cpu, at, Passes::kForward);
    EXPECT_EQ(exact.radii, expected.radii);
    EXPECT_EQ(drawn.radii, expected.radii);
    const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
      EXPECT_LT(worst(a, b), 1e-13);
      EXPECT_LT(worst(c, b), 2e-5);
    };
    compare(exact.colour, expected.colour, drawn.colour);
    compare(exact.depth, expected.depth, drawn.depth);
    compare(exact.alpha, expected.alpha, drawn.alpha);
  }
}

TEST(InriaRaster, DrawsWhatItsOwnCodeDraws) { expect_inria(raster::Compensation::kNone, 0.3); }
TEST(InriaRaster, WithAntialiasing) { expect_inria(raster::Compensation::kInria, 0.3); }
TEST(InriaRaster, WithMipSplattingsFilter) { expect_inria(raster::Compensation::kMip, 0.1); }

}  // namespace
}  // namespace splat::test
