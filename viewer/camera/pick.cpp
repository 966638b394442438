#include "viewer/camera/pick.h"

#include <algorithm>
#include <vector>

#include "splat/math/activation.h"
#include "splat/math/gaussian_weight.h"
#include "splat/math/project.h"
#include "splat/model/near_scale.h"
#include "viewer/camera/camera_state.h"

namespace viewer {

namespace math = splat::math;

namespace {

constexpr float kSurface = 0.5f;  // transmittance

struct Hit {
  float depth, alpha;
};

math::Vec3<float> vec3_at(const std::vector<float>& values, size_t i) {
  return {values[i * 3], values[i * 3 + 1], values[i * 3 + 2]};
}

// Alpha and depth of splat i at pixel (x, y); alpha 0: none.
Hit hit_of(const splat::Gaussians& splats, size_t i, bool antialias, const math::ViewParams<float>& view, float x,
           float y) {
  const math::Vec3<float> log_scale = vec3_at(splats.log_scales, i);
  const math::Quat<float> quat{splats.quats[i * 4], splats.quats[i * 4 + 1], splats.quats[i * 4 + 2],
                               splats.quats[i * 4 + 3]};
  const auto p = math::project(view, vec3_at(splats.means, i), quat,
                               {std::exp(log_scale.x), std::exp(log_scale.y), std::exp(log_scale.z)});
  if (!p.valid) return {0, 0};
  const float opacity = math::sigmoid(splats.logit_opacities[i]) * (antialias ? p.compensation : 1.0f);
  const float dx = x - p.mean_px.x, dy = y - p.mean_px.y;
  const float power = 0.5f * (p.conic.xx * dx * dx + p.conic.yy * dy * dy) + p.conic.xy * dx * dy;
  const float alpha = std::min(float(math::kAlphaMax), opacity * std::exp(-power));
  return {p.depth, alpha >= float(math::kAlphaMin) ? alpha : 0};
}

}  // namespace

std::optional<Vec3> pick_point(const splat::Gaussians& splats, const splat::ScreenFilter& filter,
                               const splat::View& view, double x, double y, splat::ThreadPool& pool,
                               std::span<const uint8_t> left_out) {
  constexpr size_t kChunk = 4096;
  auto params = math::make_view_params<float>(view, double(filter.low_pass));
  params.near_plane = float(math::kNearPlane / splat::near_scale(splats));
  std::vector<std::vector<Hit>> of_thread(size_t(pool.threads()));
  pool.for_chunks(splats.size(), kChunk, [&](size_t begin, size_t end, int thread) {
    for (size_t i = begin; i < end; ++i) {
      if (!left_out.empty() && left_out[i]) continue;
      if (const Hit hit = hit_of(splats, i, filter.antialias, params, float(x), float(y)); hit.alpha > 0)
        of_thread[size_t(thread)].push_back(hit);
    }
  });
  std::vector<Hit> hits;
  for (const auto& some : of_thread) hits.insert(hits.end(), some.begin(), some.end());
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.depth < b.depth; });
  float light = 1;
  for (const Hit& hit : hits) {
    light *= 1 - hit.alpha;
    if (light <= kSurface) return point_at(view, x, y, hit.depth);
  }
  return std::nullopt;
}

}  // namespace viewer
