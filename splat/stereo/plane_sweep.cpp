#include "splat/stereo/plane_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include "splat/core/check.h"
#include "splat/math/project.h"

namespace splat::stereo {
namespace {

using Vec = math::Vec3<double>;

constexpr double kPlanesAPixel = 0.7;  // of what the farthest and the nearest plane show in the middle of another photo
constexpr int kFewestPlanes = 12, kMostPlanes = 128;

Vec on_picture(const math::ViewParams<double>& c, const Vec& p) {
  return {c.fx * p.x + c.cx * p.z, c.fy * p.y + c.cy * p.z, p.z};
}

Vec along_ray(const math::ViewParams<double>& c, const Vec& p) {
  return {(p.x - c.cx * p.z) / c.fx, (p.y - c.cy * p.z) / c.fy, p.z};
}

void put(const Vec& v, double (&to)[3]) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

SweepOther seen_from(const View& view, const GreyPhoto& other) {
  const auto here = math::make_view_params<double>(view), there = math::make_view_params<double>(other.view);
  const auto turned = [&](const Vec& p) { return there.rotation * math::transposed_times(here.rotation, p); };
  const auto column = [&](const Vec& p) { return on_picture(there, turned(along_ray(here, p))); };
  const PinholeCamera& camera = other.view.camera;
  SweepOther result{camera.width, camera.height, other.grey.data(), {}, {}, {}, {}};
  put(column({1, 0, 0}), result.by_x);
  put(column({0, 1, 0}), result.by_y);
  put(column({0, 0, 1}), result.one);
  put(on_picture(there, there.translation - turned(here.translation)), result.by_inverse);
  return result;
}

// How far apart the other photo shows the middle of this one at the two depths, px; at most two of its own sides.
double motion(const SweepOther& other, const PinholeCamera& camera, double first, double last) {
  const auto at = [&](double inverse, int i) {
    return camera.width / 2.0 * other.by_x[i] + camera.height / 2.0 * other.by_y[i] + other.one[i] +
           inverse * other.by_inverse[i];
  };
  const double z = at(first, 2), z_last = at(last, 2);
  if (!(z > 0) || !(z_last > 0)) return 0;
  return std::min(std::hypot(at(first, 0) / z - at(last, 0) / z_last, at(first, 1) / z - at(last, 1) / z_last),
                  2.0 * std::max(other.width, other.height));
}

class Sweep {
 public:
  Sweep(const GreyPhoto& photo, std::span<const GreyPhoto* const> others, double near, double far)
      : photo_(photo),
        width_(size_t(photo.view.camera.width)),
        height_(size_t(photo.view.camera.height)),
        farthest_(1 / far) {
    double most = 0;
    for (const GreyPhoto* other : others) {
      others_.push_back(seen_from(photo.view, *other));
      most = std::max(most, motion(others_.back(), photo.view.camera, 1 / far, 1 / near));
    }
    planes_ = std::clamp(int(std::ceil(kPlanesAPixel * most)), kFewestPlanes, kMostPlanes);
    step_ = (1 / near - 1 / far) / (planes_ - 1);
    measure_photo();
    for (auto* map : {&top_, &before_, &after_, &apart_, &earlier_, &recent_[0], &recent_[1], &recent_[2]})
      map->assign(width_ * height_, kNoLikeness);
    where_.assign(width_ * height_, 0);
  }

  SweptDepths run(SweepPlane sweep_plane) {
    const size_t ring = kSweepSquare * width_ * others_.size(), padded = 3 * (width_ + 2 * kSweepReach);
    std::vector<float> rows(5 * width_ + padded + 3 * ring);
    std::vector<uint8_t> inside(ring);
    float* row = rows.data();
    const SweepScratch scratch{
        row,           row + width_,     row + 2 * width_, row + 5 * width_, row + 5 * width_ + padded,
        inside.data(), row + 3 * width_, row + 4 * width_};
    const SweepPhoto photo{int(width_),   int(height_), photo_.grey.data(),
                           share_.data(), mean_.data(), variance_.data()};
    const SweepState state{top_.data(),
                           where_.data(),
                           before_.data(),
                           after_.data(),
                           apart_.data(),
                           earlier_.data(),
                           {recent_[0].data(), recent_[1].data(), recent_[2].data()}};
    for (int plane = 0; plane < planes_; ++plane)
      sweep_plane(photo, others_.data(), others_.size(), farthest_ + plane * step_, plane, scratch, state);
    return depths();
  }

 private:
  // 1 / pixels, mean and variance of the square around every pixel.
  void measure_photo() {
    for (auto* map : {&share_, &mean_, &variance_}) map->resize(width_ * height_);
    const auto first = [](size_t at) { return at < kSweepReach ? 0 : at - kSweepReach; };
    const auto end = [](size_t at, size_t size) { return std::min(size, at + kSweepReach + 1); };
    std::vector<float> sum(width_), squares(width_);
    for (size_t y = 0; y < height_; ++y) {
      std::fill(sum.begin(), sum.end(), 0.0f);
      std::fill(squares.begin(), squares.end(), 0.0f);
      for (size_t k = first(y); k < end(y, height_); ++k)
        for (size_t x = 0; x < width_; ++x) {
          const float grey = photo_.grey[k * width_ + x];
          sum[x] += grey;
          squares[x] += grey * grey;
        }
      for (size_t x = 0; x < width_; ++x) {
        const size_t left = first(x), right = end(x, width_), at = y * width_ + x;
        const float share = 1 / float((right - left) * (end(y, height_) - first(y)));
        const float mean = share * std::accumulate(&sum[left], &sum[left] + (right - left), 0.0f);
        const float square = share * std::accumulate(&squares[left], &squares[left] + (right - left), 0.0f);
        share_[at] = share;
        mean_[at] = mean;
        variance_[at] = std::max(square - mean * mean, 0.0f) + kSweepNoise;
      }
    }
  }

  // Known where photos are alike, at one depth and not at the ends of the range.
  SweptDepths depths() const {
    SweptDepths result{step_, std::vector<float>(width_ * height_, 0),
                       std::vector<float>(width_ * height_, kNoLikeness)};
    for (size_t i = 0; i < width_ * height_; ++i) {
      const bool counts = photo_.mask.empty() || photo_.mask[i] != 0;
      if (!counts || where_[i] == 0 || where_[i] == planes_ - 1) continue;
      if (top_[i] < kLeastLikeness || apart_[i] > top_[i] - kLeastMargin) continue;
      const float bend = before_[i] - 2 * top_[i] + after_[i];
      const float shift = bend < 0 ? std::clamp(0.5f * (before_[i] - after_[i]) / bend, -0.5f, 0.5f) : 0;
      result.inverse[i] = float(farthest_ + (double(where_[i]) + double(shift)) * step_);
      result.score[i] = top_[i];
    }
    return result;
  }

  const GreyPhoto& photo_;
  size_t width_, height_;
  double farthest_, step_ = 0;  // inverse depths
  int planes_ = 0;
  std::vector<SweepOther> others_;
  std::vector<float> share_, mean_, variance_;                 // SweepPhoto
  std::vector<float> top_, before_, after_, apart_, earlier_;  // SweepState
  std::array<std::vector<float>, 3> recent_;
  std::vector<int> where_;
};

}  // namespace

SweptDepths sweep_planes(const GreyPhoto& photo, std::span<const GreyPhoto* const> others, double near, double far,
                         SweepPlane sweep_plane) {
  return Sweep(photo, others, near, far).run(sweep_plane);
}

SweepPlane sweep_plane_of(cpu::SimdLevel level) {
#ifdef HIPSPLAT_LEVEL_SSE4
  if (level == cpu::SimdLevel::kSse4) return sse4::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_AVX2
  if (level == cpu::SimdLevel::kAvx2) return avx2::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_AVX512
  if (level == cpu::SimdLevel::kAvx512) return avx512::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_NEON
  if (level == cpu::SimdLevel::kNeon) return neon::sweep_plane;
#endif
  check_failed(__FILE__, __LINE__, "a SIMD level", std::to_string(int(level)));
}

}  // namespace splat::stereo
